package decode

import (
	"math"
	"runtime"
	"testing"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// mostIdle is the maximum size of a silent conversation in bytes, by transport.
var mostIdle = [...]int64{wire.UDP: 160, wire.TCP: 450}

// TestIdleConversations measures the memory of silent conversations with one message.
func TestIdleConversations(t *testing.T) {
	wiretest.WithoutDetector(t)
	const n = 50_000
	for _, transport := range []wire.Transport{wire.UDP, wire.TCP} {
		packets := oneConversation(t, transport)
		e := New(Options{Protocols: []*wire.Protocol{toyStreams()}})
		before := wiretest.Heap()
		for i := range n {
			for _, p := range packets {
				for _, at := range [...]int{12, 16} { // only the client's address begins with 10
					if p[at] == 10 {
						p[at+1], p[at+2], p[at+3] = byte(i>>16), byte(i>>8), byte(i)
					}
				}
				e.Frame(&Frame{Data: p, Link: ip.LinkRaw})
			}
		}
		each := (wiretest.Heap() - before) / n
		if c := e.Counters(); c.Messages != n {
			t.Errorf("%v: %d messages in %d conversations", transport, c.Messages, n)
		}
		t.Logf("%v: %d bytes per conversation", transport, each)
		if each > mostIdle[transport] {
			t.Errorf("%v: a silent conversation takes %d bytes, want at most %d", transport, each, mostIdle[transport])
		}
		runtime.KeepAlive(e)
	}
}

// oneConversation returns the packets of a conversation with one message, from the client 10.0.0.0.
func oneConversation(t *testing.T, transport wire.Transport) (packets [][]byte) {
	const client = "10.0.0.0:40000"
	if transport == wire.UDP {
		return [][]byte{udpPacket(t, client, server, saying("S>", "hello"))}
	}
	w := newWired(t, client, server)
	w.sent = func(packet []byte) { packets = append(packets, packet) }
	w.open()
	w.send(0, saying("S>", "hello"))
	return packets
}

// listener is a tracker without state.
type listener struct{ *wire.Reporter }

func (listener) Message(wire.Layer, *wire.Place) {}
func (listener) Lost(*wire.Place)                {}
func (listener) Time(int64)                      {}
func (listener) Jump(int64)                      {}
func (listener) Next() int64                     { return math.MaxInt64 }
func (listener) Close(int64)                     {}

// Trackers may use the memory that conversations do not use. At first, that is the whole memory.
func TestTrackersUseWhatIsLeft(t *testing.T) {
	const total = 4 << 20
	var reporter *wire.Reporter
	p := toyStreams()
	p.NewTracker = func(r *wire.Reporter) wire.Tracker {
		reporter = r
		return listener{r}
	}
	e := New(Options{Protocols: []*wire.Protocol{p}, Memory: total})
	if limit := reporter.Memory.Limit(); limit != total {
		t.Errorf("at first, trackers may use %d bytes, want %d", limit, total)
	}
	packet := oneConversation(t, wire.UDP)[0]
	for i := range 20_000 {
		packet[13], packet[14], packet[15] = byte(i>>16), byte(i>>8), byte(i)
		before := e.memory.decoding.Used()
		e.Frame(&Frame{Data: packet, Link: ip.LinkRaw, Time: int64(i)})
		if limit := reporter.Memory.Limit(); limit < total/8*3 || i > 0 && before < total/8*5 && limit != total-before {
			t.Fatalf("%d: conversations take %d bytes, trackers may use %d", i, before, limit)
		}
	}
	if used := e.memory.decoding.Used(); used < total/4 {
		t.Errorf("conversations take %d bytes, want at least %d", used, total/4)
	}
}
