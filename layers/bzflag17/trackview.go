package bzflag17

import (
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// view is a connection of a game: the game as its client sees it.
type view struct {
	route  bzflag.Route
	serial uint32 // never 0
	stream int
	game   netip.AddrPort // the server
	stage  stage

	spoke     bool // something of the client was seen
	lastWord  int64
	onlyWorld bool // it asked for nothing but the world
	asked     query
	relay     bool // updates go over the connection, or it is not known that they do not
	told      [2]bool
	link      bool  // some of its messages go by UDP
	linkHeard bool  // and the server's were captured
	heard     bool  // something of the server was seen
	heardTime int64 // when it was sent that came last
	whole     bool  // a hello announced the connection: it was captured from its beginning
	roster    bool  // all players are known

	entered PlayerID // as MsgEnter says
	own     PlayerID // as others know it
	alias   PlayerID // as the client itself may say
	kind    PlayerType
	sign    string // call sign
	joined  int64
	guessed bool        // MsgAccept came before MsgEnter was seen
	early   *wire.Place // of the own MsgAddPlayer, until the list of players is known to be over
	exited  int64
	killed  int64 // MsgSuperKill came
	over    bool  // the game is
	overAt  int64

	tanks   map[PlayerID]*tank
	flags   []flag
	left    [8]leaver
	leavers int

	killedAt int64 // when the client last said that it died
	didDie   bool
	blind    int64 // until when shots may have begun that were not seen
	download download
	grab     int64 // when the client got its flag
	grabWins uint16
	score    score // as the client says
	timeLeft uint16
	timed    bool
	ttl      uint16
	ping     ping

	suspicions []suspicion
}

const (
	maxSuspicions = 64
	maxFlags      = 256 // flags of a game; more are not followed
	second        = int64(time.Second)
)

// stage is how far a client has come.
type stage uint8

const (
	somewhere stage = iota // not known
	fresh
	entering // MsgEnter has no answer yet
	accepted // MsgAccept came
	playing  // the own MsgAddPlayer came
	gone     // MsgExit or MsgSuperKill
)

// query are the questions that a client asked before it entered.
type query uint8

const (
	askedHash query = 1 << iota
	askedGame
	askedPlayers
)

// suspicion is a finding that something may still explain.
type suspicion struct {
	rule  *wire.Rule
	who   PlayerID
	due   int64
	place wire.Place
	text  string

	crossing bool // the other side's stream may explain it
}

// tank is a player as a client sees it.
type tank struct {
	died    int64 // when
	changed int64 // when flag did last
	flag    FlagID
	before  FlagID // what it carried before that
	wins    uint16
	losses  uint16
	team    Team
	kind    PlayerType
	life    life
	known   bool // what it carries is
	scored  bool // wins and losses are known
	stale   bool // it may have left meanwhile
	server  bool // only the server told of its death
}

type life uint8

const (
	unsure life = iota
	dead
	alive
)

// flag is one of a game's flags.
type flag struct {
	id     FlagID
	holder PlayerID
	held   bool
}

// leaver is a player who has left.
type leaver struct {
	player PlayerID
	when   int64
}

// score is what was said last.
type score struct {
	wins, losses uint16
	known        bool
}

// lostFromServer forgets what the server may have changed since.
func (v *view) lostFromServer(now int64) {
	for id, k := range v.tanks {
		k.known, k.scored, k.stale = false, false, true
		if id != v.own || !v.spoke {
			k.life = unsure
		}
	}
	if v.stage == entering || v.stage == accepted {
		v.stage = somewhere
	}
	v.flags = v.flags[:0]
	v.roster, v.early, v.timed, v.ttl, v.ping = false, nil, false, 0, ping{}
	v.relay = true
	v.blind = later(now, shotMemory)
	v.download = download{lost: true}
	v.forgive()
}

// lostFromClient forgets what the client may have done since.
func (v *view) lostFromClient(now int64) {
	if v.stage != playing {
		v.stage = somewhere
		v.roster = false
	}
	if k := v.tanks[v.own]; k != nil {
		k.life = unsure
	}
	v.relay, v.onlyWorld = true, false
	v.score.known = false
	v.ping = ping{}
	v.blind = later(now, shotMemory)
	v.download = download{lost: true}
	v.forgive()
}

// forgive drops all suspicions: what would explain them may be lost.
func (v *view) forgive() { v.suspicions = v.suspicions[:0] }

// id gives the id under which a player is kept: a client of 1.07e may say its own in two ways.
func (v *view) id(p PlayerID) PlayerID {
	if v.stage == playing && p == v.alias {
		return v.own
	}
	return p
}

// tank gives what is known of a player, nil if there is none.
func (v *view) tank(p PlayerID) *tank { return v.tanks[v.id(p)] }

// ownTank is that of the client itself, nil if it is not in the game.
func (v *view) ownTank() *tank {
	if v.stage != playing {
		return nil
	}
	return v.tanks[v.own]
}

// isOwn reports whether an id is the client's own. Robots of a client differ from it by their number
// only.
func (v *view) isOwn(p PlayerID) bool {
	for _, own := range [...]PlayerID{v.own, v.alias, v.entered} {
		if p.Host == own.Host && p.Port == own.Port {
			return true
		}
	}
	return false
}

// robot reports whether it is one: servers do not tell them who was there before.
func (v *view) robot() bool { return v.kind == ComputerPlayer }
