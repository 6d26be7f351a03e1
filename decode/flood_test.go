package decode

import (
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/tcp"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// strangers are kinds of clients that send something and leave. Each client has a different address.
var strangers = []struct {
	name    string
	number  int
	packets func(t *testing.T) [][]byte
}{
	{"foreign", 80_000, say(offPort, foreign)},
	{"clients", 80_000, say(server, saying("S>", "hello"))},
	{"unknown server", 80_000, say(offPort, saying("S?", "hello"))},
	{"undecided datagrams", 40_000, say(offPort, saying("M>", strings.Repeat("x", 100)), saying("M>", strings.Repeat("x", 50)))},
	{"fragments", 20_000, func(t *testing.T) [][]byte {
		return inFragments(udpPacket(t, client, server, saying("S>", strings.Repeat("x", 127))+strings.Repeat("y", 2000)), 1, 1400)[:1]
	}},
	{"joined fragments", 20_000, func(t *testing.T) [][]byte {
		return inFragments(udpPacket(t, client, server, saying("S>", strings.Repeat("x", 40))), 1, 24)
	}},
	{"SYN", 40_000, func(t *testing.T) (packets [][]byte) {
		w := recording(t, &packets)
		w.open()
		return packets[:1]
	}},
	{"connections", 40_000, stream(func(w *wired) { w.send(0, saying("S>", "hello")) })},
	{"foreign connections", 40_000, stream(func(w *wired) { w.send(0, foreign); w.send(1, foreign) })},
	{"undecided connections", 20_000, stream(func(w *wired) { w.send(0, saying("M?", "perhaps")) })},
	{"parts of messages", 20_000, stream(func(w *wired) { w.send(0, saying("S>", "hello")+saying("S>", strings.Repeat("x", 100))[:90]) })},
	{"gaps", 20_000, stream(func(w *wired) {
		w.send(0, saying("S>", "hello"))
		w.lose(0, 7)
		w.send(0, strings.Repeat("x", 500))
	})},
	{"begun before the capture", 40_000, func(t *testing.T) (packets [][]byte) {
		w := recording(t, &packets)
		w.send(0, saying("W?", "what"))
		w.lose(0, 7)
		w.send(0, saying("W?", "what"))
		return packets
	}},
}

// say returns the datagrams of one client.
func say(to string, payloads ...string) func(*testing.T) [][]byte {
	return func(t *testing.T) (packets [][]byte) {
		for _, p := range payloads {
			packets = append(packets, udpPacket(t, client, to, p))
		}
		return packets
	}
}

// stream returns the packets of one connection.
func stream(talk func(*wired)) func(*testing.T) [][]byte {
	return func(t *testing.T) (packets [][]byte) {
		w := recording(t, &packets)
		w.open()
		talk(w)
		return packets
	}
}

func recording(t *testing.T, packets *[][]byte) *wired {
	w := newWired(t, client, offPort)
	w.sent = func(packet []byte) { *packets = append(*packets, packet) }
	return w
}

// moveClient changes the client's address in an IPv4 packet to 10.x.y.z.
func moveClient(packet []byte, to int) {
	at := 12
	if packet[12] == 198 { // a packet from the server
		at = 16
	}
	binary.BigEndian.PutUint32(packet[at:], 10<<24+uint32(to))
}

// flooding passes packets of many clients to an engine.
type flooding struct {
	*Engine
	number int
	rules  map[string]int // number of findings by rule
	texts  []string       // findings about dropped state
	all    hash.Hash64    // hash of all output
}

func newFlooding(o Options) *flooding {
	f := &flooding{rules: make(map[string]int), all: fnv.New64()}
	o.Protocols = []*wire.Protocol{toyStreams()}
	o.Finding = func(g *wire.TrafficFinding) {
		f.rules[g.Rule.ID]++
		fmt.Fprintln(f.all, g.Frame, g.Conversation, g.Src, g.Dst, g.Rule.ID, g.Text)
		if g.Rule == RuleForgotten {
			f.texts = append(f.texts, fmt.Sprint(g.Frame, " ", g.Text))
		}
	}
	o.Message = func(m *Message) {
		fmt.Fprintln(f.all, m.Frame, m.Conversation, m.Lane, m.Src, m.Dst, m.Direction, m.Length, m.At)
	}
	f.Engine = New(o)
	return f
}

func (f *flooding) packet(p []byte) {
	f.number++
	f.Frame(&Frame{Data: p, Length: len(p), Time: int64(f.number) * 1000, Link: ip.LinkRaw, Number: f.number})
}

// An engine uses at most the allowed memory for any traffic, and measures its memory correctly. This includes its
// counts of other traffic.
func TestMemoryIsBounded(t *testing.T) {
	wiretest.WithoutDetector(t)
	memory, part := int64(4<<20), 2 // half of the clients fill half of the memory
	if wiretest.Full() {
		memory, part = 8<<20, 1
	}
	for n := range 2 * len(strangers) {
		s, others := strangers[n/2], n%2 == 1
		if !others && !wiretest.Full() {
			continue // the other subtest is stricter, because the engine then keeps more
		}
		t.Run(fmt.Sprintf("%s/others %t", s.name, others), func(t *testing.T) {
			packets := s.packets(t)
			before := wiretest.Heap()
			f := newFlooding(Options{Memory: int(memory), Others: others})
			for i := range s.number / part {
				for _, p := range packets {
					moveClient(p, i)
					f.packet(p)
				}
			}
			f.packet(nil)
			heap, used := wiretest.Heap()-before, int64(f.memory.decoding.Used())
			most := memory / 8 * 5
			t.Logf("%d kB, %d kB are counted, of %d kB; %v", heap>>10, used>>10, most>>10, f.Counters().Forgotten)
			if heap > most*23/20 || used > most+1<<10 || used > 2*heap || used < heap/2 {
				t.Errorf("the engine takes %d kB and counts %d kB, limit %d kB", heap>>10, used>>10, most>>10)
			}
			if len(f.texts) != len(f.Counters().Forgotten) {
				t.Errorf("the findings %q do not match %v", f.texts, f.Counters().Forgotten)
			}
			runtime.KeepAlive(f)
			f.Close()
			if others {
				checkOthers(t, f.Engine)
			}
		})
	}
}

// Drops are reported once for each kind of state. The other findings are only about lost fragments and gaps, which some
// of the clients cause. The result is the same if messages are delivered in another goroutine.
func TestDropsAreReported(t *testing.T) {
	wiretest.WithoutDetector(t)
	r := rand.New(rand.NewPCG(1, 9))
	packets := make([][][]byte, len(strangers))
	for i, s := range strangers {
		packets[i] = s.packets(t)
	}
	order := make([]int, 60_000)
	for i := range order {
		order[i] = r.IntN(len(strangers))
	}
	var reported [2][]string
	var counted [2]Counters
	for i, parallel := range []bool{false, true} {
		f := newFlooding(Options{Memory: 4 << 20, Parallel: parallel})
		for n, which := range order {
			for _, p := range packets[which] {
				moveClient(p, n)
				f.packet(p)
			}
		}
		f.Close()
		reported[i], counted[i] = f.texts, f.Counters()
		for _, f := range counted[i].Forgotten {
			reported[i] = append(reported[i], fmt.Sprint(f.Name, " ", f.Count))
		}
		reported[i] = append(reported[i], fmt.Sprint(f.all.Sum64()))
		if len(f.rules) != 3 || f.rules["capture.memory"] != 2 || f.rules["ip.fragment-lost"] == 0 || f.rules["tcp.gap"] == 0 {
			t.Errorf("%v", f.rules)
		}
	}
	if !slices.Equal(reported[0], reported[1]) || counted[0].Messages != counted[1].Messages || counted[0].Recognised != counted[1].Recognised {
		t.Errorf("%q, in parallel %q", reported[0], reported[1])
	}
	t.Logf("%q", reported[0])
}

// In a flood, every conversation that is no longer in the table is counted as dropped.
func TestForgottenAreCounted(t *testing.T) {
	wiretest.WithoutDetector(t)
	const n = 30_000
	f := newFlooding(Options{Memory: 2 << 20})
	p := udpPacket(t, client, server, saying("S>", "hello"))
	for i := range n {
		moveClient(p, i)
		f.packet(p)
	}
	c := f.Counters()
	if len(c.Forgotten) != 1 || c.Forgotten[0].Name != "conversations" || c.Forgotten[0].Count != int64(n-f.conversations.Len()) ||
		c.Messages != n {
		t.Errorf("%+v, %d conversations are in the table", c, f.conversations.Len())
	}
	if len(f.texts) != 1 || !strings.HasSuffix(f.texts[0], "conversations are dropped, those idle longest first") {
		t.Errorf("%q", f.texts)
	}
}

// An engine works with any memory limit.
func TestLittleMemory(t *testing.T) {
	wiretest.WithoutDetector(t)
	var packets [][]byte
	for _, s := range strangers {
		packets = append(packets, s.packets(t)...)
	}
	large := inFragments(udpPacket(t, client, server, saying("S>", "x")+strings.Repeat("y", 65_000)), 7, 16_000)
	slices.Reverse(large)
	packets = append(packets, large...)
	w := recording(t, &packets)
	w.at(0, 1, tcp.ACK, strings.Repeat("S", 60_000), 0)
	w.at(1, 1, tcp.ACK, strings.Repeat("S", 60_000), 0)
	for _, memory := range []int{1, 100_000, 1 << 20} {
		f := newFlooding(Options{Memory: memory})
		for i := range 50 {
			for _, p := range packets {
				moveClient(p, i)
				f.packet(p)
			}
		}
		f.Close()
		if c := f.Counters(); c.Messages < 3*50 {
			t.Errorf("with %d bytes of memory: %+v", memory, c)
		}
	}
}
