package decode_test

import (
	"net"
	"testing"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire/print"

	"github.com/google/gopacket"
	gopackets "github.com/google/gopacket/layers"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers"
	"github.com/gamedissect/gamedissect/layers/tribes"
)

// listed returns a master server's list of n servers.
func listed(n int) *tribes.Layer {
	r := &tribes.MasterListReply{Number: 1, Total: 1, Name: []byte("Tribes Master"), MOTD: []byte("Welcome")}
	for i := range n {
		r.Servers = append(r.Servers, tribes.Server{Marker: 6, IP: [4]byte{10, 1, 0, byte(i)}, Port: tribes.GamePort})
	}
	return &tribes.Layer{Version: tribes.Version, Type: tribes.TypeMasterListReply, Base: wire.Base{Body: r}}
}

// asked returns a client's request for a list.
func asked() *tribes.Layer {
	q := &tribes.Query{Number: tribes.AllPackets, HasNumber: true, HasToSend: true, HasKey: true, HasID: true}
	return &tribes.Layer{Version: tribes.Version, Type: tribes.TypeQuery, Base: wire.Base{Body: q}}
}

// masterFrames returns the frames between a master server and its clients. Each client asks for a list and gets one.
// The sizes of the lists vary.
func masterFrames(tb testing.TB) (frames []decode.Frame, bytes int64) {
	const clients = 1000
	master := net.IP{198, 51, 100, 1}
	frame := func(src, dst net.IP, from, to gopackets.UDPPort, message *tribes.Layer) {
		data := wiretest.Packet(tb,
			&gopackets.Ethernet{SrcMAC: make([]byte, 6), DstMAC: make([]byte, 6), EthernetType: gopackets.EthernetTypeIPv4},
			&gopackets.IPv4{Version: 4, TTL: 64, Protocol: gopackets.IPProtocolUDP, SrcIP: src, DstIP: dst},
			&gopackets.UDP{SrcPort: from, DstPort: to}, message)
		frames = append(frames, decode.Frame{Data: data, Length: len(data), Link: ip.LinkEthernet, Number: len(frames) + 1})
		bytes += int64(len(data))
	}
	for i := range clients {
		client, port := net.IP{10, 0, byte(i >> 8), byte(i)}, gopackets.UDPPort(1024+i)
		frame(client, master, port, tribes.MasterPort, asked())
		frame(master, client, tribes.MasterPort, port, listed(1+i%70))
	}
	return frames, bytes
}

// udpRun returns a function that decodes all frames. When udpRun returns, all conversations are recognised.
func udpRun(tb testing.TB) (run func(), frames int, bytes int64) {
	list, bytes := masterFrames(tb)
	messages := 0
	e := decode.New(decode.Options{Protocols: layers.All(), Message: func(m *decode.Message) { messages += 1 - len(m.Findings) }})
	run = func() {
		for i := range list {
			e.Frame(&list[i])
		}
	}
	run()
	if messages != len(list) {
		tb.Fatalf("%d messages without a finding in %d frames", messages, len(list))
	}
	for range 3 {
		run() // until conversations have memory for their recent datagrams
	}
	return run, len(list), bytes
}

// everything is a Sink that selects all messages and findings.
type everything struct{}

func (*everything) Message(*decode.Message) bool      { return true }
func (*everything) Finding(*wire.TrafficFinding) bool { return true }

// texts is a Text that makes the tree and the summary of every message.
type texts struct{ text []byte }

func (t *texts) Message(m *decode.Message) {
	m.Tree()
	t.text = format.AppendSummary(t.text[:0], m.Layer)
}

func (*texts) Finding(*wire.TrafficFinding) {}

// aheadRun is udpRun with Options.Parallel. Messages are decoded ahead, and another goroutine makes their complete
// trees.
func aheadRun(tb testing.TB) (run func(), frames int) {
	list, _ := masterFrames(tb)
	e := decode.New(decode.Options{Protocols: layers.All(), Parallel: true, Sink: new(everything), Text: new(texts)})
	tb.Cleanup(e.Close)
	run = func() {
		for i := range list {
			e.Frame(&list[i])
		}
	}
	for range 5 { // until each layer has memory for the longest list
		run()
	}
	return run, len(list)
}

// treeRun returns a function that writes the tree of a list of 50 servers and returns its length.
func treeRun(tb testing.TB, all bool) func() int {
	var (
		l   tribes.Layer
		t   wire.Tree
		p   = print.Printer{All: all, Bytes: all}
		out []byte
	)
	if err := l.DecodeFromBytes(wiretest.Packet(tb, listed(50)), gopacket.NilDecodeFeedback); err != nil {
		tb.Fatal(err)
	}
	run := func() int {
		if all {
			l.Annotate(&l, &t)
		} else {
			l.AnnotateFolded(&l, &t, l.Findings())
		}
		out = p.Append(out[:0], &t, l.Contents, l.Findings())
		return len(out)
	}
	run()
	return run
}

// trees are the two ways of printing a tree.
var trees = []struct {
	name string
	all  bool
}{{"folded", false}, {"whole", true}}

// BenchmarkUDP decodes small packets without any output. One operation decodes all frames.
func BenchmarkUDP(b *testing.B) {
	run, frames, bytes := udpRun(b)
	b.SetBytes(bytes)
	b.ReportAllocs()
	for b.Loop() {
		run()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(frames), "ns/packet")
}

// BenchmarkTree annotates a list of 50 servers and writes it as text. It reports the number of bytes written.
func BenchmarkTree(b *testing.B) {
	for _, v := range trees {
		b.Run(v.name, func(b *testing.B) {
			run := treeRun(b, v.all)
			b.SetBytes(int64(run()))
			b.ReportAllocs()
			for b.Loop() {
				run()
			}
		})
	}
}

// TestSteadyStateAllocations checks that memory is allocated only for new conversations, not for each message.
func TestSteadyStateAllocations(t *testing.T) {
	wiretest.WithoutDetector(t)
	run, frames, _ := udpRun(t)
	if n := testing.AllocsPerRun(5, run); n != 0 {
		t.Errorf("%d packets of known conversations cost %v allocations, want none", frames, n)
	}
	// Which layer decodes which message is random, so a few layers may not yet have memory for a long list.
	run, frames = aheadRun(t)
	if n := testing.AllocsPerRun(5, run); n > float64(frames)/50 {
		t.Errorf("%d packets decoded ahead cost %v allocations, want nearly none", frames, n)
	}
	for _, v := range trees {
		write := treeRun(t, v.all)
		if n := testing.AllocsPerRun(100, func() { write() }); n != 0 {
			t.Errorf("a %s tree costs %v allocations, want none", v.name, n)
		}
	}
}
