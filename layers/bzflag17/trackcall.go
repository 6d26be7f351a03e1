package bzflag17

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// call is where a client is expected after a hello.
type call struct {
	client netip.Addr
	server netip.AddrPort
}

// hosts are a client's and a server's.
type hosts struct{ client, server netip.Addr }

// udpLink is the client's end of a UDP link.
type udpLink struct {
	client netip.AddrPort
	server netip.Addr
}

// waiting are the hellos of one call that nobody followed yet, the oldest first.
type waiting struct {
	hellos []announcement
}

const maxWaiting = 8

// announcement is a hello that announced a port.
type announcement struct {
	place  wire.Place
	shared bool // the port is announced to others as well
	due    int64
}

// How long a server listens on the port that it announced, with half a second for those who come at
// the last moment.
const (
	listens17c = 3*second + second/2
	listens17e = 10*second + second/2
)

// refusal is how long a client remembers at most that it was refused; after that it tries again.
const refusal = 10 * second

// hello takes note of where a client is to connect.
func (t *tracker) hello(h *ServerHello) {
	m, p := t.m, t.p
	if m.Direction == wire.ToServer || m.Fault() != nil || m.Truncated() || string(h.Version[:len(Version)]) != Version {
		return
	}
	server, client := p.Src, p.Dst.Addr()
	if h.ReconnectPort == 0 {
		*t.refused.Make(hosts{client, server.Addr()}) = p.Time
		return
	}
	port := netip.AddrPortFrom(server.Addr(), h.ReconnectPort)
	*t.ports.Make(port) = server
	k := call{client, port}
	w := t.calls.Make(k)
	if len(w.hellos) >= maxWaiting || t.tasks.Len() >= maxTasks {
		return
	}
	g := announcement{place: *p, shared: h.Version[len(Version)] > 'd', due: later(p.Time, listens17c)}
	if g.shared {
		g.due = later(p.Time, listens17e)
	}
	w.hellos = append(w.hellos, g)
	t.tasks.Add(g.due, task{call: k})
}

// unused reports hellos that nobody followed.
func (t *tracker) unused(k call, when int64) {
	w := t.calls.Get(k)
	if w == nil {
		return
	}
	rest := w.hellos[:0]
	for i := range w.hellos {
		g := &w.hellos[i]
		if g.due <= when {
			t.out.Report(&g.place, ruleUnused, "port %d was announced, and nobody connected to it", k.server.Port())
			continue
		}
		rest = append(rest, *g)
	}
	if w.hellos = rest; len(rest) == 0 {
		t.calls.Delete(k)
	}
}

// follow tells where a connection comes from, and with it what it can be: one that follows a hello of
// its own begins with its first message, and so does one that begins with what only a newcomer says.
func (t *tracker) follow(v *view) {
	opening := t.opening()
	if opening {
		v.stage = fresh
	}
	k := call{v.route.Client.Addr(), v.route.Server}
	if w := t.calls.Get(k); w != nil && len(w.hellos) > 0 {
		if !w.hellos[0].shared {
			v.stage = fresh
		}
		v.whole = v.stage == fresh
		if w.hellos = append(w.hellos[:0], w.hellos[1:]...); len(w.hellos) == 0 {
			t.calls.Delete(k)
		}
	} else if opening {
		h := hosts{k.client, k.server.Addr()}
		if at := t.refused.Get(h); at != nil {
			if before(*at, t.p.Time, refusal) {
				t.report(ruleRefused, 0, headerSize, "the hello had port 0, yet the client is here at port %d", k.server.Port())
			}
			t.refused.Delete(h)
		}
	}
	v.onlyWorld = v.stage == fresh
	v.relay = v.stage != fresh
}

// opening reports whether the message at hand is one that a client begins with.
func (t *tracker) opening() bool {
	if t.m.Direction != wire.ToServer {
		return false
	}
	switch t.m.Code {
	case CodeGetWorld, CodeEnter, CodeWantWHash:
		return true
	}
	return false
}
