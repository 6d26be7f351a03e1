package bzflag24

import (
	"bytes"
	"net/netip"
	"time"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/bzflag24/world"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// game is a server, with what holds for all who play there.
type game struct {
	met          bool
	served       bool  // a connection was there
	connections  int   // that have not ended
	seen         int64 // when one of them was heard last
	told         int64 // when a player was told of the game last
	known        bool  // type, options and shots were told
	kind         GameType
	options      GameOptions
	maxShots     int
	numFlags     int                  // 0: not told
	worldHash    [world.HashSize]byte // of the world that the faces belong to
	faces        int                  // of teleporters; -1: not known
	owned        []byte               // player numbers that hellos gave to clients
	owners       []netip.AddrPort     // who, in the same order
	counting     *connection          // the one that counts for statistics; nil: none
	countingTime int64
	reference    bzflag.Reference
	players      int        // as told last
	seats        []seat     // of players who were told to be there
	place        wire.Place // where the last of them was
	match        bzflag.Match
	truncated    clock.Moment // when the capture cut a message off, which may have been a shot
	shots        shots
}

// gameOf gives the server at an address. Lane is that of a message of it, or to it.
func (t *tracker) gameOf(lane uint32, server netip.AddrPort) *game {
	g := t.games.MakeAt(lane, server)
	if !g.met {
		g.met, g.faces, g.players = true, -1, -1
	}
	return g
}

// silence is how long nothing is heard of a server before all its connections are taken for ended, though no end of
// theirs was seen. Servers ping players every ten seconds.
const silence = int64(30 * time.Second)

// open takes a new connection. If no other one is there, the server may have begun anew with another game. Of another
// world it tells each client.
func (g *game) open(now int64) {
	if g.served && (g.connections == 0 || clock.Elapsed(g.seen, now) > silence) {
		g.known, g.numFlags, g.connections = false, 0, 0
	}
	g.served = true
	g.connections++
}

// close takes the end of a connection.
func (g *game) close(c *connection) {
	if !c.closed {
		c.closed, g.connections = true, max(g.connections-1, 0)
	}
}

// held is how many bytes a game holds.
func (g *game) held() int {
	n := cap(g.owned) + cap(g.owners)*int(unsafe.Sizeof(netip.AddrPort{})) + g.shots.held()
	for i := range g.seats {
		n += int(unsafe.Sizeof(seat{})) + g.seats[i].Held()
	}
	return n
}

// owner is the client that has a number. ok is false if none is known.
func (g *game) owner(id PlayerID) (client netip.AddrPort, ok bool) {
	if i := bytes.IndexByte(g.owned, byte(id)); i >= 0 {
		return g.owners[i], true
	}
	return netip.AddrPort{}, false
}

// own gives a client a number.
func (g *game) own(id PlayerID, client netip.AddrPort) {
	if i := bytes.IndexByte(g.owned, byte(id)); i >= 0 {
		g.owners[i] = client
		return
	}
	g.owned, g.owners = append(g.owned, byte(id)), append(g.owners, client)
}

// forget takes a client that leaves from the lists of its game.
func (g *game) forget(c *connection) {
	if i := bytes.IndexByte(g.owned, byte(c.player)); i >= 0 && g.owners[i] == c.Client {
		last := len(g.owned) - 1
		g.owned[i], g.owners[i] = g.owned[last], g.owners[last]
		g.owned, g.owners = g.owned[:last], g.owners[:last]
		if s := g.seat(c.player); s != nil {
			s.seen = clock.At(c.seen)
		}
	}
	if g.counting == c {
		g.counting = nil
	}
	g.reference.Leave(c.serial)
	g.close(c)
}

// hasOwnConnection reports whether what a player sends is in the capture itself. Then what the server
// passes on of it is not checked again.
func (e *event) hasOwnConnection(id PlayerID) bool {
	return bytes.IndexByte(e.game.owned, byte(id)) >= 0
}

// recordTruncated takes note of a message that the capture cut off.
func (e *event) recordTruncated() {
	if e.layer.Truncated() {
		e.game.truncated = clock.At(e.place.Time)
	}
}

// recordSettings takes what the server says of its game.
func (e *event) recordSettings(kind GameType, options GameOptions, shots uint16) {
	g := e.game
	if e.measures() && (!g.known || g.kind != kind) {
		e.measureState(bzflag.Servers, "", "game type", gameTypes.Format(int64(kind)))
	}
	if e.measures() && (!g.known || g.options != options) {
		e.measureState(bzflag.Servers, "", "options", optionNames(options))
	}
	g.known, g.kind, g.options, g.maxShots = true, kind, options, int(shots)
}

// optionNames are the names of the options that are set.
func optionNames(o GameOptions) string {
	var b []byte
	for i := range gameOptionBits {
		if gameOptionBits[i].Value&int64(o) == 0 {
			continue
		}
		if len(b) > 0 {
			b = append(b, ' ')
		}
		b = append(b, gameOptionBits[i].Name...)
	}
	if len(b) == 0 {
		return "none"
	}
	return string(b)
}

// gameTime is the server's clock as it showed it last.
type gameTime struct {
	known bool
	tcp   bool
	shown uint64 // microseconds
	time  int64
}

// checkGameTime takes the server's time. A datagram may be overtaken, or overtake what came by TCP.
func (e *event) checkGameTime(b *GameTime) {
	last := &e.connection.gameTime
	if last.known && b.Microseconds < last.shown {
		if e.tcp() && last.tcp || e.since(last.time) > lagUDP {
			e.layer.Report(ruleTimeBack, bzflag.HeaderSize, 8, "%d microseconds before the last one", last.shown-b.Microseconds)
			last.shown = b.Microseconds
		}
		return
	}
	*last = gameTime{true, e.tcp(), b.Microseconds, e.place.Time}
}

// checkTimeLeft takes what is left of the match.
func (e *event) checkTimeLeft(b *TimeUpdate) {
	c := e.connection
	if c.left > 0 && b.Seconds > c.left {
		e.layer.Report(ruleTimeRises, bzflag.HeaderSize, 4, "%d seconds are left, before it was %d", b.Seconds, c.left)
	}
	c.left = max(b.Seconds, 0)
	e.recordTime(b.Seconds)
	if b.Seconds == TimeOver {
		c.view.killAll(e.place.Time)
	}
}

// checkRabbitMode checks that a game with a MsgNewRabbit has a rabbit.
func (e *event) checkRabbitMode() {
	if e.game.known && e.game.kind != RabbitChase {
		e.layer.Report(ruleRabbit, 0, bzflag.HeaderSize, "the game is %s", gameTypes.Format(int64(e.game.kind)))
	}
}

// checkHandicapOption checks that a game with a MsgHandicap has handicaps.
func (e *event) checkHandicapOption() {
	if e.game.known && e.game.options&Handicap == 0 {
		e.layer.Report(ruleHandicap, 0, bzflag.HeaderSize, "the game's options are %s", optionNames(e.game.options))
	}
}

// restartReplay takes MsgReplayReset: what was there before is gone.
func (e *event) restartReplay() {
	c := e.connection
	c.forgetGame()
	c.setView(newView(false, e.place.Time))
	c.left, c.gameTime.known = 0, false
	e.game.shots = shots{}
}
