package bzflag24

import (
	"bytes"
	"net/netip"
	"time"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// game is a server with the state that all its connections share.
type game struct {
	initialized  bool
	visited      bool  // at least one connection was seen
	open         int   // number of open connections
	active       int64 // time of the last message on any connection
	served       int64 // time of the server's last message to a client whose view of the game is known
	settings     gameSettings
	teleporters  teleporters
	assigned     []byte           // player numbers that hellos assigned to clients
	clients      []netip.AddrPort // clients[i] has the number assigned[i]
	found        []*connection    // found[i] is the connection of clients[i], see ofPlayer; nil: not found yet
	counting     *connection      // the connection on which statistics count messages, or nil
	countingTime int64            // time of the server's last message on counting
	reference    bzflag.Reference
	players      int  // last recorded number of players; -1: none
	recount      bool // counting may have missed players
	seats        seats
	place        wire.Place // place of the last message that added a seat
	match        bzflag.Match
	ending       *ending      // nil: no end is pending
	truncated    clock.Moment // last time when the snap length cut a message, which may have been a shot
	shots        shots
	wishes       bzflag.Wishes
	lifetime     float32 // lifetime of shots in seconds; 0: not known
}

// silence is how long a server may send nothing before all its connections count as ended, even if the capture lacks
// their ends. Servers ping players every ten seconds.
const silence = int64(30 * time.Second)

// begin adds a connection. If no other connection is open, the server may have started another game in the meantime, so
// begin drops the settings. It keeps the teleporters: the server sends the hash of its world to each client, so a new
// world is noticed.
func (g *game) begin(now int64) {
	if g.visited && (g.open == 0 || clock.Elapsed(g.active, now) > silence) {
		g.settings.forget()
		g.open = 0
	}
	g.visited = true
	g.open++
}

// end removes a connection.
func (g *game) end(c *connection) {
	if !c.closed {
		c.closed, g.open = true, max(g.open-1, 0)
	}
}

// jump handles a gap in the capture. It drops what may differ in another game.
func (g *game) jump() {
	g.settings.forget()
	g.teleporters.known = false
	g.wishes = bzflag.Wishes{}
	g.lifetime = 0
}

// size returns the number of bytes that a game occupies.
func (g *game) size() int {
	n := cap(g.assigned) + cap(g.clients)*int(unsafe.Sizeof(netip.AddrPort{})) + 8*cap(g.found) + g.shots.size() +
		g.wishes.Held()
	if g.ending != nil {
		n += int(unsafe.Sizeof(*g.ending)) + len(g.ending.text)
	}
	for i := range g.seats {
		n += int(unsafe.Sizeof(seat{})) + g.seats[i].Held()
	}
	return n
}

// client returns the client with a player number; ok is false if it is not known.
func (g *game) client(id PlayerID) (client netip.AddrPort, ok bool) {
	if i := bytes.IndexByte(g.assigned, byte(id)); i >= 0 {
		return g.clients[i], true
	}
	return netip.AddrPort{}, false
}

// setClient assigns a player number to a client.
func (g *game) setClient(id PlayerID, client netip.AddrPort) {
	if i := bytes.IndexByte(g.assigned, byte(id)); i >= 0 {
		g.clients[i], g.found[i] = client, nil
		return
	}
	g.assigned, g.clients, g.found = append(g.assigned, byte(id)), append(g.clients, client), append(g.found, nil)
}

// isCaptured reports whether the capture has the messages of a player's client. If so, the tracker checks these
// messages instead of the server's relays of them.
func (g *game) isCaptured(id PlayerID) bool { return bytes.IndexByte(g.assigned, byte(id)) >= 0 }

// remove removes a connection whose client is leaving.
func (g *game) remove(c *connection) {
	if i := bytes.IndexByte(g.assigned, byte(c.player)); i >= 0 && g.clients[i] == c.Client {
		last := len(g.assigned) - 1
		g.assigned[i], g.clients[i], g.found[i] = g.assigned[last], g.clients[last], g.found[last]
		g.found[last] = nil
		g.assigned, g.clients, g.found = g.assigned[:last], g.clients[:last], g.found[:last]
		if s := g.seats.find(c.player); s != nil {
			s.seen = clock.At(c.active)
		}
	}
	if g.counting == c {
		g.counting = nil
	}
	g.reference.Leave(c.serial)
	g.end(c)
}

// count returns the number of players in a view, not counting observers. It returns 0 if the view is incomplete.
func (g *game) count(v *view) int {
	if !v.complete {
		return 0
	}
	n := 0
	for i, k := range v.tanks {
		if s := g.seats.find(PlayerID(v.ids[i])); k.present && k.team != ObserverTeam && (s == nil || !s.Gone) {
			n++
		}
	}
	return n
}

// takeTruncated handles a message whose fields are unreadable, perhaps because the snap length cut it.
func (g *game) takeTruncated(m message) {
	if m.layer.Truncated() {
		g.truncated = clock.At(m.place.Time)
	}
}

// takeShot handles the beginning of a shot; off is the offset of the shooter.
func (g *game) takeShot(m message, s *Shot, off int) {
	g.settings.checkSlot(m, s, off)
	g.shots.add(s.Shooter.ID, s.ID)
}

// takeWorldPart handles a part of the world that a connection downloads.
func (g *game) takeWorldPart(m message, c *connection, b *WorldPart) {
	c.download.takePart(int64(len(b.Data)))
	g.teleporters.takeWorld(m.layer.World)
}

// event is a message with its game and connection.
type event struct {
	message
	game       *game
	connection *connection // nil for pings
}

// server returns the address of the game.
func (e event) server() netip.AddrPort {
	if e.connection != nil {
		return e.connection.Server
	}
	return e.place.Src
}

// ending is the end of a match. It is recorded when the final scores of the teams have come.
type ending struct {
	place wire.Place // place of MsgScoreOver
	by    *connection
	text  string
}
