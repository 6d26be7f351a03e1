package main

import (
	"fmt"
	"math/rand/v2"
	"net"
	"time"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/bzflag17"
)

const (
	gameSize    = 25   // players on a server
	worldPart   = 256  // bytes of the world that a real server sends at a time
	shortest    = 100  // turns that a player stays at least
	longest     = 3000 // and at most
	playerPorts = 1024 // the first one of a client
	serverPorts = 20000
)

// bzflag is some servers with all their players.
type bzflag struct {
	*network
	players []player
	begun   int     // of the players
	newest  *player // joins, or has joined
	joined  int     // players so far, those that came back counted again
	world   []byte

	onMessage func(from int, code bzflag17.Code, size int) // is told of each message; may be nil
	message   bzflag17.Layer
	buf       gopacket.SerializeBuffer
}

// A player comes, plays and leaves, again and again.
type player struct {
	name   string
	ip     net.IP
	server net.IP
	number int // of the player
	port   uint16
	next   func(*bzflag, *player) // what it does when its turn comes

	greeting, game link
	playing        bool
	id             bzflag17.PlayerID
	part           int // offset in the world
	turns          int // left
	entered        time.Time
	tank           tank
	view           [gameSize]seen
}

// playBZFlag makes the generator of games with so many connections at a time.
func playBZFlag(connections int, lossy bool) func(*recorder) error {
	return func(r *recorder) error {
		b, err := newBZFlag(r, connections)
		if err != nil {
			return err
		}
		b.lossy = lossy
		return b.run()
	}
}

func newBZFlag(r *recorder, connections int) (*bzflag, error) {
	const seed, boxes = 2, 60
	r.pace = 50 * time.Millisecond / time.Duration(connections) // for each connection the same
	b := &bzflag{
		network: newNetwork(r, rand.New(rand.NewPCG(seed, seed))),
		players: make([]player, connections), buf: gopacket.NewSerializeBuffer(),
	}
	for i := range b.players {
		game := i / gameSize
		b.players[i] = player{
			name: fmt.Sprintf("Tank %d", i), number: i,
			ip: net.IP{10, 2, byte(i >> 8), byte(i)}, server: net.IP{198, 51, 100, byte(10 + game)},
			port: playerPorts, next: (*bzflag).greet,
		}
	}
	var err error
	b.world, err = makeWorld(b.rng, boxes)
	return b, err
}

// run records the games, and ends them when the recorder is full.
func (b *bzflag) run() error {
	for b.err == nil && !b.recorder.full() {
		p := b.choose()
		if p.game.open && b.oneOf(4) {
			b.repeat(&p.game)
		}
		p.next(b, p)
	}
	for i := range b.begun {
		b.leave(&b.players[i])
	}
	return b.err
}

// choose tells whose turn it is. Joining goes faster than playing, and the players come one by
// one at first.
func (b *bzflag) choose() *player {
	if b.begun < len(b.players) && (b.newest == nil || b.newest.playing) {
		b.newest = &b.players[b.begun]
		b.begun++
	}
	if !b.newest.playing && b.oneOf(2) {
		return b.newest
	}
	return &b.players[b.rng.IntN(b.begun)]
}

// others gives the players of the same game that have come so far.
func (b *bzflag) others(p *player) []player {
	first := p.number / gameSize * gameSize
	return b.players[first:min(first+gameSize, b.begun)]
}

// greet makes the first connection, where the server tells a port for the next one.
func (b *bzflag) greet(p *player) {
	port := uint16(serverPorts + b.joined%serverPorts)
	b.joined++
	b.newest = p
	p.id = bzflag17.PlayerID{Host: [4]byte(p.server), Port: port}
	p.tank = placed(b.rng)
	b.connect(&p.greeting, p.ip, p.server, b.port(p), bzflag17.ServerPort)
	b.tell(&p.greeting, server, 0, &bzflag17.ServerHello{Version: []byte("BZFS107c"), ReconnectPort: port})
	b.send(&p.greeting, server, true)
	p.next = (*bzflag).reconnect
}

// port gives a client's next port.
func (b *bzflag) port(p *player) uint16 {
	p.port = max(p.port+1, playerPorts)
	return p.port
}

// reconnect makes the connection for the game.
func (b *bzflag) reconnect(p *player) {
	b.connect(&p.game, p.ip, p.server, b.port(p), p.id.Port)
	b.disconnect(&p.greeting)
	p.part = 0
	p.next = (*bzflag).download
}

// download gets some of the world.
func (b *bzflag) download(p *player) {
	const parts = 4
	for range parts {
		rest := b.world[p.part:]
		b.tell(&p.game, client, bzflag17.CodeGetWorld, &bzflag17.WorldRequest{Offset: uint16(p.part)})
		b.send(&p.game, client, true)
		part := rest[:min(worldPart, len(rest))]
		b.tell(&p.game, server, bzflag17.CodeGetWorld, &bzflag17.WorldPart{Remaining: uint16(len(rest)), Data: part})
		b.send(&p.game, server, true)
		if p.part += len(part); p.part == len(b.world) {
			p.next = (*bzflag).enter
			return
		}
	}
}

// enter joins the game.
func (b *bzflag) enter(p *player) {
	l := &p.game
	b.tell(l, client, bzflag17.CodeEnter, &bzflag17.Enter{
		Player: p.id, Team: p.team(), CallSign: []byte(p.name), Email: []byte("somebody@example.com"),
	})
	b.send(l, client, true)
	b.tell(l, server, bzflag17.CodeAccept, &bzflag17.Empty{})
	p.forget()
	for team := bzflag17.RogueTeam; team <= bzflag17.PurpleTeam; team++ {
		b.teamUpdate(p, team)
	}
	for number := range flags {
		at := placed(b.rng)
		number, flag := flagAt(number, bzflag17.PlayerID{}, bzflag17.OnGround, at.position())
		b.tell(l, server, bzflag17.CodeFlagUpdate, &bzflag17.FlagUpdate{Number: number, Flag: flag})
	}
	for b.introduce(p) {
	}
	b.tell(l, server, bzflag17.CodeAddPlayer, p.introduced(p.self()))
	for b.tellLife(p) {
	}
	b.send(l, server, true)
	b.tell(l, client, bzflag17.CodeNetworkRelay, &bzflag17.Empty{})
	b.send(l, client, true)
	b.tell(l, server, bzflag17.CodeAccept, &bzflag17.Empty{})
	b.send(l, server, true)
	b.revive(p)
	b.send(l, client, true)
	b.tell(l, server, bzflag17.CodeAlive, p.tank.spawn(p.id))
	b.send(l, server, true)
	p.playing, p.turns, p.entered = true, shortest+b.rng.IntN(longest-shortest), b.recorder.now
	p.next = (*bzflag).play
}

// play says something about the game, mostly as the server does: it tells of all others.
func (b *bzflag) play(p *player) {
	p.turns--
	switch {
	case p.turns == 0:
		b.leave(p)
	case b.isGone(p.self()):
		b.revive(p)
		b.send(&p.game, client, false)
	case p.self().alive && b.oneOf(3):
		b.act(p)
	default:
		for more := true; more; more = !b.oneOf(3) {
			if !serverSays.choose(b.rng)(b, p) && !b.update(p) {
				b.teamUpdate(p, p.team())
			}
		}
		b.send(&p.game, server, false)
	}
}

// act has a client say something. It waits for the answer, if one comes.
func (b *bzflag) act(p *player) {
	answer := &p.game.sides[server].out
	for more := true; more && p.self().alive && len(*answer) == 0; more = b.oneOf(10) {
		if !clientSays.choose(b.rng)(b, p) {
			b.drive(p)
		}
	}
	b.send(&p.game, client, len(*answer) > 0 || !p.self().alive) // nothing that waits for more to be said
	if len(*answer) > 0 {
		b.send(&p.game, server, true)
	}
}

// leave ends what a player has begun.
func (b *bzflag) leave(p *player) {
	if p.greeting.open {
		b.disconnect(&p.greeting)
	}
	if p.game.open {
		b.tell(&p.game, client, bzflag17.CodeExit, &bzflag17.Empty{})
		b.disconnect(&p.game)
	}
	p.playing = false
	p.next = (*bzflag).greet
}

// tell writes a message to what a side will send. It is true, for topics.
func (b *bzflag) tell(l *link, from int, code bzflag17.Code, body wire.Body) bool {
	m := &b.message
	m.Code, m.Body, m.Context.Direction = code, body, [...]wire.Direction{wire.ToServer, wire.FromServer}[from]
	if err := b.buf.Clear(); err != nil && b.err == nil {
		b.err = err
	}
	if err := m.SerializeTo(b.buf, gopacket.SerializeOptions{FixLengths: true}); err != nil && b.err == nil {
		b.err = fmt.Errorf("message %s: %w", code, err)
	}
	l.sides[from].out = append(l.sides[from].out, b.buf.Bytes()...)
	if b.onMessage != nil {
		b.onMessage(from, code, len(b.buf.Bytes()))
	}
	return true
}
