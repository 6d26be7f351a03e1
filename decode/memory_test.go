package decode

import (
	"runtime"
	"testing"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// mostIdle is what a conversation that says nothing may take, in bytes, per transport.
var mostIdle = [...]int64{wire.UDP: 110, wire.TCP: 450}

// TestIdleConversations measures the memory of conversations that have said something and are silent.
func TestIdleConversations(t *testing.T) {
	const n = 50_000
	for _, transport := range []wire.Transport{wire.UDP, wire.TCP} {
		packets := oneConversation(t, transport)
		e := New(Options{Protocols: []*wire.Protocol{toyStreams()}})
		before := wiretest.Heap()
		for i := range n {
			for _, p := range packets {
				for _, at := range [...]int{12, 16} { // the client is where it is not the server
					if p[at] == 10 {
						p[at+1], p[at+2], p[at+3] = byte(i>>16), byte(i>>8), byte(i)
					}
				}
				e.Frame(&Frame{Data: p, Link: ip.LinkRaw})
			}
		}
		each := (wiretest.Heap() - before) / n
		if c := e.Counters(); c.Messages != n {
			t.Errorf("%v: %d messages of %d conversations", transport, c.Messages, n)
		}
		t.Logf("%v: %d bytes a conversation", transport, each)
		if each > mostIdle[transport] {
			t.Errorf("%v: a silent conversation takes %d bytes, at most %d are wanted", transport, each, mostIdle[transport])
		}
		runtime.KeepAlive(e)
	}
}

// oneConversation gives the packets of a conversation with one message, of the client 10.0.0.0.
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
