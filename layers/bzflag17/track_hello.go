package bzflag17

import (
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
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

// announcements are the hellos for one reconnect that nobody followed yet, the oldest first.
type announcements struct {
	open []announcement
}

const maxAnnouncements = 8

// announcement is a hello that announced a port.
type announcement struct {
	place    wire.Place
	shared   bool // the port is announced to others as well
	deadline int64
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
	if h.ReconnectPort == 0 {
		*e.refused.Make(hostPair{client, server.Addr()}) = p.Time
		return
	}
	announced := netip.AddrPortFrom(server.Addr(), h.ReconnectPort)
	*e.announcers.Make(announced) = server
	k := reconnect{client, announced}
	w := e.reconnects.Make(k)
	if len(w.open) >= maxAnnouncements || e.tasks.Len() >= maxTasks {
		return
	}
	a := announcement{place: *p, shared: h.Version[len(Version)] > 'd', deadline: clock.Add(p.Time, listenTime17c)}
	if a.shared {
		a.deadline = clock.Add(p.Time, listenTime17e)
	}
	w.open = append(w.open, a)
	e.tasks.Add(a.deadline, task{reconnect: k})
}

// reportUnused reports hellos that nobody followed until now.
func (t *tracker) reportUnused(k reconnect, now int64) {
	w := t.reconnects.Get(k)
	if w == nil {
		return
	}
	w.open = slices.DeleteFunc(w.open, func(a announcement) bool {
		if a.deadline > now {
			return false
		}
		t.reporter.Report(&a.place, ruleUnused, "port %d was announced, and nobody connected to it", k.server.Port())
		return true
	})
	if len(w.open) == 0 {
		t.reconnects.Delete(k)
	}
}

// matchHello finds the hello that a new connection follows, and with it what the connection can be: one
// that follows a hello of its own begins with its first message, and so does one that begins with what only
// a newcomer says.
func (e *event) matchHello(v *view) {
	opens := e.isOpening()
	if opens {
		v.stage = fresh
	}
	k := reconnect{v.route.Client.Addr(), v.route.Server}
	if w := e.reconnects.Get(k); w != nil && len(w.open) > 0 {
		if !w.open[0].shared {
			v.stage = fresh
		}
		v.announced = v.stage == fresh
		if w.open = slices.Delete(w.open, 0, 1); len(w.open) == 0 {
			e.reconnects.Delete(k)
		}
	} else if opens {
		e.checkRefused(k)
	}
	v.wantsWorldOnly = v.stage == fresh
	v.relay = v.stage != fresh
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
