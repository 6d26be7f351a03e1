package bzflag17

import (
	"net/netip"
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// reconnect is a client and the announced address to which the client is expected to connect.
type reconnect struct {
	client netip.Addr
	server netip.AddrPort
}

// hostPair is the address of a client and the address of a server.
type hostPair struct{ client, server netip.Addr }

const maxAnnouncements = 8 // maximum number of hellos that announce the same port to a client

// announcement is a hello to whose port no client has connected yet.
type announcement struct {
	place    wire.Place
	shared   bool // the port is also announced to other clients
	deadline int64
}

// hellos are the hellos that announced the same port to a client, ordered by time.
type hellos struct {
	open    []announcement
	pending pending // deadlines of the hellos
}

// How long a server listens on the port that it announced. Half a second is added for clients that connect at the last
// moment.
const (
	listenTime17c = 3*second + second/2
	listenTime17e = 10*second + second/2
)

// refusalMemory is the time after a refusal in which another connection of the client is reported. After that, the
// client may try again.
const refusalMemory = 10 * second

// helloTracker remembers the ports to which clients are expected to connect.
type helloTracker struct {
	reporter   *wire.Reporter
	games      *gameTable
	attempts   attemptTracker
	reconnects *bounded.LRU[reconnect, hellos] // reconnects that have not happened yet
	refused    *bounded.LRU[hostPair, int64]   // time of a client's last refusal
	deadlines  *bounded.Deadlines[reconnect]
}

var (
	keptHellos    = bounded.Kind{Name: "hellos of BZFlag 1.07 servers", Silent: ruleUnused.ID}
	keptRefusals  = bounded.Kind{Name: "refusals by BZFlag 1.07 servers", Silent: ruleRefused.ID}
	keptDeadlines = bounded.Kind{Name: "deadlines of hellos of BZFlag 1.07 servers", Silent: ruleUnused.ID}
)

func newHelloTracker(r *wire.Reporter, games *gameTable, attempts attemptTracker) *helloTracker {
	return &helloTracker{
		reporter: r, games: games, attempts: attempts,
		reconnects: bounded.NewLRU(r.Memory, keptHellos, bounded.Values[reconnect, hellos]{Held: func(h *hellos) int {
			return cap(h.open) * int(unsafe.Sizeof(announcement{}))
		}}),
		refused: bounded.NewLRU(r.Memory, keptRefusals, bounded.Values[hostPair, int64]{}),
	}
}

// record records the port to which a client must connect.
func (t *helloTracker) record(m *message, b *ServerHello, now int64) {
	p := m.place
	if m.fromClient() || m.unreadable() || string(b.Version[:len(Version)]) != Version {
		return
	}
	server, client := p.Src, p.Dst.Addr()
	if t.reporter.Value != nil {
		r := bzflag.Recorder{Reporter: t.reporter, Place: p, Server: server}
		r.State(bzflag.Servers, "", "version", string(b.Version))
	}
	if b.ReconnectPort == 0 {
		*t.refused.Make(hostPair{client, server.Addr()}) = p.Time
		t.attempts.refuseAtOnce(m)
		return
	}
	announced := netip.AddrPortFrom(server.Addr(), b.ReconnectPort)
	*t.games.announcers.Make(announced) = server.Port()
	a := announcement{place: *p, shared: b.Version[len(Version)] > 'd', deadline: clock.Add(p.Time, listenTime17c)}
	if a.shared {
		a.deadline = clock.Add(p.Time, listenTime17e)
	}
	to := reconnect{client, announced}
	h := t.reconnects.Make(to)
	if len(h.open) < maxAnnouncements && h.pending.add(now, a.deadline) {
		h.open = append(h.open, a)
		t.deadlines.Add(a.deadline, to)
	}
}

// advance handles the next deadline if it is due. If no client has connected to the port of a hello with this deadline,
// advance reports the hello.
func (t *helloTracker) advance(now int64) (more bool) {
	to, deadline, ok := t.deadlines.Due(now)
	if !ok {
		return false
	}
	h := t.reconnects.Get(to)
	if h == nil {
		return true
	}
	h.pending.done()
	h.open = slices.DeleteFunc(h.open, func(a announcement) bool {
		if a.deadline > deadline {
			return false
		}
		t.reporter.Report(&a.place, ruleUnused, "port %d was announced, and no client connected to it", to.server.Port())
		return true
	})
	if len(h.open) == 0 && h.pending.count == 0 {
		t.reconnects.Delete(to)
	}
	return true
}

// match finds the hello that a new connection follows. The stage is fresh if the capture has the connection from its
// first message. This is certain if the hello was for this client only, or if the first captured message is one that
// clients send only at the beginning.
func (t *helloTracker) match(e *event) {
	c, to := e.conn, reconnect{e.route.Client.Addr(), e.route.Server}
	c.helloPort, c.unannounced = e.route.Server.Port(), true
	if port := t.games.announcers.Get(e.route.Server); port != nil {
		c.helloPort, c.unannounced = *port, false
	}
	opens := e.fromClient() && opensConnection(e.layer.Code)
	if opens && !e.place.Lossy {
		c.stage = fresh
	}
	if h := t.reconnects.Get(to); h != nil && len(h.open) > 0 {
		if !h.open[0].shared && !e.place.Lossy {
			c.stage = fresh
		}
		c.announced = c.stage == fresh
		h.open = slices.Delete(h.open, 0, 1)
	} else if opens {
		t.checkRefused(&e.message, to)
	}
	c.requestsWorldOnly = c.stage == fresh
	c.relay = c.stage != fresh
}

// checkRefused reports a client that connects although the last hello refused it.
func (t *helloTracker) checkRefused(m *message, to reconnect) {
	hosts := hostPair{to.client, to.server.Addr()}
	at := t.refused.Get(hosts)
	if at == nil {
		return
	}
	if m.since(*at) < refusalMemory {
		m.report(ruleRefused, 0, headerSize, "the hello had port 0, yet the client is here at port %d", to.server.Port())
	}
	t.refused.Delete(hosts)
}

// opensConnection reports whether a message may be the client's first on a connection.
func opensConnection(k Code) bool {
	switch k {
	case CodeGetWorld, CodeEnter, CodeWantWHash:
		return true
	}
	return false
}

// forgetRefusal forgets that a server refused a client.
func (t *helloTracker) forgetRefusal(client, server netip.AddrPort) {
	t.refused.Delete(hostPair{client.Addr(), server.Addr()})
}

// jump drops all hellos after a jump of the clock.
func (t *helloTracker) jump() {
	t.deadlines.Clear()
	t.reconnects.Clear()
	t.refused.Clear()
}

// maxDeadlines is the maximum number of pending deadlines per client and expected port.
const maxDeadlines = 256

// pending counts the deadlines in the future.
type pending struct {
	until int64 // time of the last deadline
	count int
}

// add counts a deadline, unless there are already maxDeadlines. It reports whether it counted the deadline. Deadlines
// that are past but still counted were dropped by the budget, so add then starts again at 0.
func (p *pending) add(now, deadline int64) bool {
	if p.until < now {
		p.count = 0
	}
	if p.count >= maxDeadlines {
		return false
	}
	p.count++
	p.until = max(p.until, deadline)
	return true
}

func (p *pending) done() { p.count = max(p.count-1, 0) }
