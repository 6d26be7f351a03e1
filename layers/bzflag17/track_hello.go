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

// reconnect is where a client is expected after a hello.
type reconnect struct {
	client netip.Addr
	server netip.AddrPort
}

// hostPair are the addresses of a client and a server.
type hostPair struct{ client, server netip.Addr }

// udpLink is the client's end of a UDP link.
type udpLink struct {
	client netip.AddrPort
	server netip.Addr
}

const maxAnnouncements = 8 // that wait for one reconnect

// announcement is a hello whose port no client has connected to yet.
type announcement struct {
	place    wire.Place
	shared   bool // the port is announced to others as well
	deadline int64
}

// hellos are those to a client that announced one port, oldest first.
type hellos struct {
	open    []announcement
	pending pending
}

var keptHellos = bounded.Kind{Name: "hellos of BZFlag 1.07 servers", Silent: ruleUnused.ID}

func newReconnects(b *bounded.Budget) *bounded.LRU[reconnect, hellos] {
	return bounded.NewLRU(b, keptHellos, bounded.Values[reconnect, hellos]{Held: func(h *hellos) int {
		return cap(h.open) * int(unsafe.Sizeof(announcement{}))
	}})
}

// How long a server listens on the port that it announced, with half a second for those who come at
// the last moment.
const (
	listenTime17c = 3*second + second/2
	listenTime17e = 10*second + second/2
)

// refusalMemory is how long a client remembers at most that it was refused; after that it tries again.
const refusalMemory = 10 * second

// recordHello takes note of where a client is to connect.
func (e *event) recordHello(h *ServerHello) {
	p := e.place
	if e.layer.Direction == wire.ToServer || e.unreadable() || string(h.Version[:len(Version)]) != Version {
		return
	}
	server, client := p.Src, p.Dst.Addr()
	if e.measures() {
		t := bzflag.Recorder{Reporter: e.reporter, Place: p, Server: server}
		t.State(bzflag.Servers, "", "version", string(h.Version))
	}
	if h.ReconnectPort == 0 {
		*e.refused.Make(hostPair{client, server.Addr()}) = p.Time
		if e.measures() {
			t := bzflag.Recorder{Reporter: e.reporter, Place: p, Server: server}
			t.Refusal(p.Dst, "", "the server is full, or its game is over")
		}
		return
	}
	announced := netip.AddrPortFrom(server.Addr(), h.ReconnectPort)
	*e.announcers.Make(announced) = server.Port()
	a := announcement{place: *p, shared: h.Version[len(Version)] > 'd', deadline: clock.Add(p.Time, listenTime17c)}
	if a.shared {
		a.deadline = clock.Add(p.Time, listenTime17e)
	}
	k := e.reconnects.Make(reconnect{client, announced})
	if len(k.open) < maxAnnouncements && k.pending.add(e.now, a.deadline) {
		k.open = append(k.open, a)
		e.tasks.Add(a.deadline, task{route: bzflag.Route{Client: p.Dst, Server: announced}})
	}
}

// reportUnused reports hellos whose port no client has connected to.
func (t *tracker) reportUnused(k reconnect, now int64) {
	h := t.reconnects.Get(k)
	if h == nil {
		return
	}
	h.pending.done()
	h.open = slices.DeleteFunc(h.open, func(a announcement) bool {
		if a.deadline > now {
			return false
		}
		t.reporter.Report(&a.place, ruleUnused, "port %d was announced, and no client connected to it", k.server.Port())
		return true
	})
	if len(h.open) == 0 && h.pending.count == 0 {
		t.reconnects.Delete(k)
	}
}

// matchHello finds the hello that a new connection follows, and with it what the connection can be: one
// that follows a hello of its own begins with its first message, and so does one that begins with what only
// a newcomer says.
func (e *event) matchHello(c *connection) {
	opens := e.isOpening()
	if opens && !e.place.Lossy {
		c.stage = fresh
	}
	k := reconnect{e.route.Client.Addr(), e.route.Server}
	if h := e.reconnects.Get(k); h != nil && len(h.open) > 0 {
		if !h.open[0].shared && !e.place.Lossy {
			c.stage = fresh
		}
		c.announced = c.stage == fresh
		h.open = slices.Delete(h.open, 0, 1)
	} else if opens {
		e.checkRefused(k)
	}
	c.wantsWorldOnly = c.stage == fresh
	c.relay = c.stage != fresh
}

// checkRefused checks that the last hello, which a client did not follow, did not refuse it.
func (e *event) checkRefused(k reconnect) {
	hosts := hostPair{k.client, k.server.Addr()}
	at := e.refused.Get(hosts)
	if at == nil {
		return
	}
	if e.since(*at) < refusalMemory {
		e.report(ruleRefused, 0, headerSize, "the hello had port 0, yet the client is here at port %d", k.server.Port())
	}
	e.refused.Delete(hosts)
}

// isOpening reports whether the message at hand is one that a client begins with.
func (e *event) isOpening() bool {
	if e.layer.Direction != wire.ToServer {
		return false
	}
	switch e.layer.Code {
	case CodeGetWorld, CodeEnter, CodeWantWHash:
		return true
	}
	return false
}
