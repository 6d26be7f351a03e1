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

const maxAnnouncements = 8 // that wait for one reconnect

// announcement is a hello that announced a port, and that nobody followed yet.
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
	open := e.reconnects.Make(k)
	if len(*open) >= maxAnnouncements || e.tasks.Len() >= maxTasks {
		return
	}
	a := announcement{place: *p, shared: h.Version[len(Version)] > 'd', deadline: clock.Add(p.Time, listenTime17c)}
	if a.shared {
		a.deadline = clock.Add(p.Time, listenTime17e)
	}
	*open = append(*open, a)
	e.tasks.Add(a.deadline, task{reconnect: k})
}

// reportUnused reports hellos that nobody followed until now.
func (t *tracker) reportUnused(k reconnect, now int64) {
	open := t.reconnects.Get(k)
	if open == nil {
		return
	}
	*open = slices.DeleteFunc(*open, func(a announcement) bool {
		if a.deadline > now {
			return false
		}
		t.reporter.Report(&a.place, ruleUnused, "port %d was announced, and nobody connected to it", k.server.Port())
		return true
	})
	if len(*open) == 0 {
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
	if open := e.reconnects.Get(k); open != nil && len(*open) > 0 {
		if !(*open)[0].shared {
			v.stage = fresh
		}
		v.announced = v.stage == fresh
		if *open = slices.Delete(*open, 0, 1); len(*open) == 0 {
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
