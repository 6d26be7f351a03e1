package wiretest

import (
	"fmt"
	"math/rand/v2"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// checkBounded repeats each message of the talks many times at its place in the talk, with some bytes changed: between
// the same endpoints, from new clients each time, and between new clients and new servers each time. The memory of the
// tracker and the session must stay bounded. checkBounded measures the memory itself, because a budget relies on the
// sizes that the trackers' Held functions report.
func checkBounded(t reporter, p *wire.Protocol, talks []*talk) {
	done := make(map[string]bool)
	for _, k := range talks {
		for i := range k.turns {
			n := &k.turns[i]
			if n.src == n.dst || len(n.data) == 0 {
				continue
			}
			y := newPlayer(k, p)
			y.track(&wire.Reporter{Memory: y.memory}) // also checks that nil functions are not called
			kind := ""
			y.messages(n, y.place(n), func() { kind += " " + y.layer.Core().Message.Name })
			if kind += " " + y.direction(n).String() + n.what; done[kind] {
				continue
			}
			done[kind] = true
			for _, who := range []strangers{noHosts, clients, both} {
				checkFlood(t, p, k, i, who)
			}
		}
	}
}

// strangers selects which endpoints are new in each message of a flood.
type strangers int

const (
	noHosts strangers = iota
	clients
	both
)

func (s strangers) String() string {
	return [...]string{"the same two", "new clients", "new clients to new servers"}[s]
}

const (
	floodMemory = 1 << 20  // the budget in bytes
	tolerance   = 32 << 10 // in bytes
)

// checkFlood plays a talk up to a turn, and then repeats that turn many times.
func checkFlood(t reporter, p *wire.Protocol, k *talk, at int, who strangers) {
	many := 1200 // more elements than the state of one conversation or one server may have
	if who == both {
		many = 6000 // more elements than any map with its own limit may have
	}
	more := many / 6
	y := flood(p, k, at, who, many+more)
	var s sizer
	bytes, found := s.size(y.state())
	after := fmt.Sprintf("after %d repetitions of turn %d, from %s: ", many+more, at, who)
	if used := y.memory.Used(); bytes > floodMemory*3/2+tolerance || used > 2*bytes+tolerance {
		t.Errorf("%sthe state takes %d bytes, the budget allows %d and counted %d", after, bytes, floodMemory, used)
	}
	for _, l := range s.measured {
		if l.actual > 2*l.reported+tolerance || l.reported > 2*l.actual+tolerance {
			t.Errorf("%sthe values of %s refer to %d bytes, but Held reported %d", after, l.path, l.actual, l.reported)
		}
	}
	var before map[string]int
	for path, size := range found {
		if size <= many*3/4 {
			continue
		}
		if before == nil {
			_, before = new(sizer).size(flood(p, k, at, who, many).state())
		}
		if size-before[path] > more/2 {
			t.Errorf("%s%s has %d elements and still grows; traffic must not make it grow without limit", after, path, size)
		}
	}
}

func flood(p *wire.Protocol, k *talk, at int, who strangers, times int) *player {
	y := newPlayerWith(k, p, bounded.NewBudget(floodMemory))
	y.conversations = 1 << 11
	y.track(&wire.Reporter{Memory: y.memory, Value: func(*wire.Value) {}})
	y.show(k.turns[:at])
	r := rand.New(rand.NewPCG(1, 2))
	for i := range times {
		n := k.turns[at]
		n.data = changed(r, n.data)
		toServer := y.direction(&n) != wire.FromServer
		if who != noHosts && toServer || who == both {
			n.src = stranger(n.src, i, toServer)
		}
		if who != noHosts && !toServer || who == both {
			n.dst = stranger(n.dst, i, !toServer)
		}
		y.now = max(y.now, n.when) + 1000
		n.when = y.now
		y.tracker.Time(y.now)
		y.messages(&n, y.place(&n), func() {})
	}
	return y
}

// state returns the tracker and the session, which contain all state.
func (y *player) state() map[string]any {
	return map[string]any{"tracker": y.tracker, "session": y.session}
}

// changed returns a copy of a message. In half of the calls, it changes some bytes.
func changed(r *rand.Rand, data []byte) []byte {
	data = append([]byte(nil), data...)
	if at := r.IntN(len(data)); r.IntN(2) > 0 {
		for i := at; i < min(at+4, len(data)); i++ {
			data[i] = byte(r.Uint32())
		}
	}
	return data
}

// stranger returns the i-th new client or server, with the port of a.
func stranger(a netip.AddrPort, i int, client bool) netip.AddrPort {
	if client {
		return Host(10, i, a.Port())
	}
	return Host(11, i, a.Port())
}

// Host returns the i-th of 1<<24 endpoints whose addresses begin with the byte net.
func Host(net, i int, port uint16) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{byte(net), byte(i >> 16), byte(i >> 8), byte(i)}), port)
}
