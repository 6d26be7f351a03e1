package decode

import (
	"bytes"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/tcp"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// toyCutter splits streams of toy messages. If the size is '.', the text extends to the end of the connection. A
// message cannot begin with '!'.
type toyCutter struct{}

func (toyCutter) Next(_ wire.Direction, b []byte, ended bool, _ *wire.Progress) int {
	switch {
	case b[0] == '!':
		return wire.NoMessage
	case len(b) < 3 || b[2] == '.' && !ended:
		return wire.NeedMore
	case b[2] == '.':
		return len(b)
	}
	return 3 + int(b[2])
}

func (toyCutter) Plausible(_ wire.Direction, b []byte, _ *wire.Progress) int {
	switch {
	case b[0] != 'S' || len(b) > 1 && !strings.ContainsRune("<>?", rune(b[1])):
		return wire.NoMessage
	case len(b) < 3:
		return wire.NeedMore
	}
	return 3 + int(b[2])
}

func (toyCutter) Lost(wire.Direction) {}

// toyStreams returns chess over TCP. Its ProbeStream is sure of streams that begin with 'S', or with 'W' on its port.
// It is undecided about 'M' until the text contains "sure".
func toyStreams() *wire.Protocol {
	p := *chess
	p.TCP = p.UDP
	p.NewSplitter = func() wire.Splitter { return toyCutter{} }
	p.ProbeStream = func(s *wire.Probe) (v wire.Verdict) {
		switch {
		case len(s.Payload) == 0:
			v.Confidence = wire.Maybe
		case s.Payload[0] == 'S', s.Payload[0] == 'W' && s.OnPort(), s.Payload[0] == 'M' && bytes.Contains(s.Payload, []byte("sure")):
			v.Confidence, v.Direction = wire.Sure, s.PortDirection()
			if len(s.Payload) > 1 && s.Payload[1] == '<' {
				v.Direction = wire.FromServer
			}
		case s.Payload[0] == 'M':
			v.Confidence = wire.Maybe
		}
		return v
	}
	return &p
}

// wired sends the packets of a connection to a table, which is an engine.
type wired struct {
	*table
	ends [2]string
	seq  [2]uint32
	sent func(packet []byte)
}

func newWired(tb testing.TB, from, to string) *wired {
	return &wired{table: newTable(tb, Options{Protocols: []*wire.Protocol{toyStreams()}}), ends: [2]string{from, to}, seq: [2]uint32{1000, 5000}}
}

// at sends a segment with a sequence number. cut is the number of bytes at the end of its packet that are not captured.
func (w *wired) at(side int, seq uint32, flags tcp.Flags, payload string, cut int) {
	w.tb.Helper()
	s, d := netip.MustParseAddrPort(w.ends[side]), netip.MustParseAddrPort(w.ends[1-side])
	header := &layers.TCP{SrcPort: layers.TCPPort(s.Port()), DstPort: layers.TCPPort(d.Port()), Seq: seq,
		SYN: flags.Has(tcp.SYN), ACK: flags.Has(tcp.ACK), FIN: flags.Has(tcp.FIN), RST: flags.Has(tcp.RST)}
	if header.ACK {
		header.Ack = w.seq[1-side]
	}
	var packet []byte
	if s.Addr().Is4() {
		packet = wiretest.Packet(w.tb, &layers.IPv4{Version: 4, TTL: 64, Protocol: layers.IPProtocolTCP,
			SrcIP: s.Addr().AsSlice(), DstIP: d.Addr().AsSlice()}, header, gopacket.Payload(payload))
	} else {
		packet = wiretest.Packet(w.tb, &layers.IPv6{Version: 6, HopLimit: 64, NextHeader: layers.IPProtocolTCP,
			SrcIP: s.Addr().AsSlice(), DstIP: d.Addr().AsSlice()}, header, gopacket.Payload(payload))
	}
	if w.sent != nil {
		w.sent(packet)
	}
	w.frame(ip.LinkRaw, packet[:len(packet)-cut], len(packet))
}

// send sends the next bytes of a side.
func (w *wired) send(side int, payload string) {
	w.tb.Helper()
	w.at(side, w.seq[side], tcp.ACK, payload, 0)
	w.seq[side] += uint32(len(payload))
}

// lose advances a side by n bytes that the other side received but the capture lacks.
func (w *wired) lose(side, n int) {
	w.seq[side] += uint32(n)
}

func (w *wired) finish(side int) { w.tb.Helper(); w.at(side, w.seq[side], tcp.FIN|tcp.ACK, "", 0) }

func (w *wired) open() {
	w.tb.Helper()
	w.at(0, w.seq[0]-1, tcp.SYN, "", 0)
	w.at(1, w.seq[1]-1, tcp.SYN|tcp.ACK, "", 0)
	w.at(0, w.seq[0], tcp.ACK, "", 0)
}

func TestStreamMessages(t *testing.T) {
	for _, ends := range [][2]string{{client, server}, {client6, server6}, {"[::ffff:192.0.2.1]:40000", "[::ffff:192.0.2.2]:7000"}} {
		w := newWired(t, ends[0], ends[1])
		w.open()
		w.send(0, saying("S?", "one")+saying("S?", "two")+"S?\x05th")
		w.expect("4@4 chess#0 40000>7000 c2s one", "4@4 chess#0 40000>7000 c2s two")
		w.send(1, saying("S?", "answer"))
		w.expect("5@5 chess#0 7000>40000 s2c answer")
		w.send(0, "re")
		w.send(0, "e"+saying("S?", "four"))
		w.expect("7@7 chess#0 40000>7000 c2s three", "7@7 chess#0 40000>7000 c2s four")
		w.expectOurs(7, 0)
	}
}

// After a gap, bytes are skipped and counted until two messages in a row are found.
func TestStreamGap(t *testing.T) {
	for _, c := range []struct {
		name, after string
		want        []string
		text        string
	}{
		{"two", "tail" + saying("S?", "b") + saying("S?", "c"), []string{"b", "c"}, "20 bytes missing at offset 4 of the stream, 4 bytes around them skipped"},
		{"two at once", saying("S?", "b") + saying("S?", "c"), []string{"b", "c"}, "20 bytes missing at offset 4 of the stream"},
		{"one", "tail" + saying("S?", "b") + "xx", nil, "20 bytes missing at offset 4 of the stream, 10 bytes around them skipped"},
		{"one and a half", saying("S?", "b") + "S?\x05", nil, "20 bytes missing at offset 4 of the stream, 7 bytes around them skipped"},
	} {
		w := newWired(t, client, server)
		w.open()
		w.send(0, saying("S?", "a"))
		w.expect("4@4 chess#0 40000>7000 c2s a")
		w.lose(0, 20)
		for i := range c.after {
			w.send(0, c.after[i:i+1])
		}
		w.Close()
		var texts []string
		for _, m := range w.messages {
			texts = append(texts, m[strings.LastIndexByte(m, ' ')+1:])
		}
		if !slices.Equal(texts, c.want) || len(w.findings) != 1 || !strings.HasSuffix(w.findings[0], "tcp.gap: "+c.text) {
			t.Errorf("%s: %q, %q", c.name, texts, w.findings)
		}
		w.expectOurs(int64(w.number), 0)
	}
}

// TestStreamCrowd opens so many connections, each waiting for the rest of a message, that the oldest must be given up.
// The message of the oldest must not be reported as too large.
func TestStreamCrowd(t *testing.T) {
	wiretest.WithoutDetector(t)
	w := &wired{table: newTable(t, Options{Protocols: []*wire.Protocol{toyStreams()}, Memory: 32 << 20}),
		ends: [2]string{client, server}, seq: [2]uint32{1000, 5000}}
	w.step = 1000
	for i := range 7_500 { // half a kilobyte each, with a limit of 4 MB
		w.ends[0] = fmt.Sprintf("10.1.%d.%d:%d", i>>8&255, i&255, 1000+i>>16)
		w.open()
		w.send(0, saying("S?", "a")+"S?\x7f"+strings.Repeat("x", 100))
	}
	if len(w.findings) > 0 {
		t.Fatal("too early:", w.findings[0])
	}
	for i := range 1500 {
		w.ends[0] = fmt.Sprintf("10.2.%d.%d:1000", i>>8, i&255)
		w.open()
		w.send(0, saying("S?", "a")+"S?\x7f"+strings.Repeat("x", 100))
	}
	w.Close()
	const want = "part of a message dropped before offset 107 of the stream, 103 bytes skipped: too many bytes wait in other connections"
	if len(w.findings) == 0 || !strings.HasSuffix(w.findings[0], want) {
		t.Errorf("%.3q", w.findings)
	}
}

func TestStreamSnapLength(t *testing.T) {
	w := newWired(t, client, server)
	w.open()
	w.at(0, 1000, tcp.ACK, saying("S?", "a")+saying("S?", "bcdef"), 2)
	w.expect("4@4 chess#0 40000>7000 c2s a", "4@4 chess#0 40000>7000 c2s bcd ! capture.truncated: 6 of 8 bytes were captured")
}

// If the snap length cut a message, the message belongs to the truncated packet, even if it becomes clear only later
// that nothing follows.
func TestStreamSnapLengthAtTheEnd(t *testing.T) {
	w := newWired(t, client, server)
	w.open()
	w.at(0, w.seq[0]+100, tcp.ACK, saying("S?", "abc"), 1) // after a gap
	w.frame(ip.LinkRaw, []byte{1, 2, 3}, 3)
	w.Close()
	w.expect("4@4 chess#0 40000>7000 c2s ab ! capture.truncated: 5 of 6 bytes were captured")
}

// If a gap contains the end of a message, a truncated packet of another connection does not make the message count as
// truncated.
func TestStreamGapIsNotTheSnapLength(t *testing.T) {
	w := newWired(t, client, server)
	w.open()
	w.send(0, saying("S?", "a")+"S?\x09half")
	w.lose(0, 5)
	w.send(0, saying("S?", "b")+saying("S?", "c"))
	w.ends[0], w.step = other, int64(10*time.Second)
	w.at(0, 1, tcp.ACK, "S?\x02ab", 1)
	w.ends[0] = client
	w.at(0, w.seq[0], tcp.ACK, "", 0)
	for _, m := range w.messages {
		if strings.Contains(m, "half") {
			t.Error(m)
		}
	}
}

func TestStreamMidStream(t *testing.T) {
	w := newWired(t, client, server)
	w.send(0, saying("M?", "x"))
	w.send(1, saying("S<", "a"))
	w.send(0, saying("S?", "b")+saying("S?", "c"))
	w.Close()
	w.expectFindings(
		"1@1 chess#0 192.0.2.1:40000>198.51.100.2:7000 tcp.mid-stream: the connection is older than the capture, 4 bytes in front of its first message skipped",
	)
	w = newWired(t, client, server)
	w.send(0, foreign)
	w.send(1, foreign)
	w.Close()
	w.expectFindings()
}

func TestStreamOverlap(t *testing.T) {
	w := newWired(t, client, server)
	w.open()
	w.send(0, saying("S?", "abc"))
	w.at(0, 1000, tcp.ACK, saying("S?", "xbz"), 0)
	w.expect("4@4 chess#0 40000>7000 c2s abc")
	if len(w.findings) != 1 || !strings.Contains(w.findings[0], "5@5 ") || !strings.Contains(w.findings[0], RuleOverlap.ID) {
		t.Errorf("%q", w.findings)
	}
}

func TestStreamPortsReused(t *testing.T) {
	w := newWired(t, client, server)
	w.open()
	w.send(0, saying("S?", "a"))
	w.finish(0)
	w.seq = [2]uint32{90000, 70000}
	w.open()
	w.send(0, saying("S?", "b"))
	w.expect("4@4 chess#0 40000>7000 c2s a", "9@9 chess#1 40000>7000 c2s b")
	w.expectOurs(9, 0)
}

// After the end of a connection, bytes far from its sequence numbers belong to another connection, whose SYN the
// capture lacks. Bytes near its end may have been delayed.
func TestStreamPortsReusedUnseen(t *testing.T) {
	for _, end := range []func(*wired){
		func(w *wired) { w.at(1, w.seq[1], tcp.RST, "", 0) },
		func(w *wired) { w.finish(0); w.seq[0]++; w.finish(1) },
	} {
		w := newWired(t, client, server)
		w.open()
		w.send(0, saying("S?", "a"))
		end(w)
		ended := w.number
		w.send(0, saying("S?", "late"))
		w.seq = [2]uint32{9_000_000, 7_000_000}
		w.send(0, saying("S?", "b")+saying("S?", "c"))
		w.Close()
		w.expect("4@4 chess#0 40000>7000 c2s a",
			fmt.Sprintf("%d@%[1]d chess#1 40000>7000 c2s b", ended+2), fmt.Sprintf("%d@%[1]d chess#1 40000>7000 c2s c", ended+2))
		w.expectFindings(fmt.Sprintf("%d@%[1]d chess#1 192.0.2.1:40000>198.51.100.2:7000 tcp.mid-stream: "+
			"the capture lacks the SYN of this connection, and has an earlier one of the same ports", ended+2))
	}
}

// A message that ends with its connection belongs to the frame that ends the connection.
func TestStreamCloseDelimited(t *testing.T) {
	for _, flags := range []tcp.Flags{tcp.FIN | tcp.ACK, 0} {
		w := newWired(t, client, server)
		w.open()
		w.send(0, "S?.abc")
		w.send(0, "def")
		w.expect()
		if flags == 0 {
			w.Close() // the message may continue after the capture
			w.expect()
			continue
		}
		w.at(0, w.seq[0], flags, "", 0)
		if len(w.messages) != 1 || !strings.HasPrefix(w.messages[0], "6@6 ") {
			t.Errorf("%q", w.messages)
		}
	}
}

func TestStreamEviction(t *testing.T) {
	w := newWired(t, client, server)
	w.open()
	w.send(0, saying("S?", "a"))
	w.lose(0, 4)
	w.send(0, saying("S?", "b")+saying("S?", "c"))
	w.expect("4@4 chess#0 40000>7000 c2s a")
	w.conversations.Forget()
	if len(w.messages) != 2 || len(w.findings) != 1 {
		t.Errorf("%q, %q", w.messages, w.findings)
	}
}

// A splitter may contradict itself: Plausible finds a message where Next finds none. This must not cause an endless
// loop.
func TestStreamContradiction(t *testing.T) {
	p := toyStreams()
	p.NewSplitter = func() wire.Splitter { return contrary{} }
	w := &wired{table: newTable(t, Options{Protocols: []*wire.Protocol{p}}), ends: [2]string{client, server}, seq: [2]uint32{1000, 5000}}
	w.open()
	w.send(0, saying("S?", "a"))
	w.expect()
}

type contrary struct{ toyCutter }

func (contrary) Next(wire.Direction, []byte, bool, *wire.Progress) int { return wire.NoMessage }
func (contrary) Plausible(wire.Direction, []byte, *wire.Progress) int  { return 1 }

// Raw receives each byte exactly once, wherever segment boundaries are.
func TestStreamRaw(t *testing.T) {
	stream := strings.Repeat(saying("S?", strings.Repeat("a", 100))+saying("S?", "b")+saying("S?", ""), 30)
	for _, size := range []int{1, 7, 50, 600, 5000} {
		var got [2][]byte
		w := newWired(t, client, server)
		w.options.Raw = func(_ wire.Place, way wire.Direction, b []byte) { got[way-1] = append(got[way-1], b...) }
		w.open()
		for at := 0; at < len(stream); at += size {
			w.send(0, stream[at:min(at+size, len(stream))])
		}
		if all := string(got[0]) + string(got[1]); all != stream {
			t.Errorf("segments of %d: %d of %d bytes", size, len(all), len(stream))
		}
	}
}

// After a gap, the search for a message reads each byte about once.
func TestStreamSearchIsLinear(t *testing.T) {
	calls := 0
	cut := countingCutter{&calls}
	var x search
	var b []byte
	at := int64(7)
	const size = 20000
	for range size {
		b = append(b, 'S')
		found, kept := x.next(cut, wire.ToServer, b, at, false)
		if found != nil {
			t.Fatal("found")
		}
		b, at = b[kept-at:], kept
	}
	if calls > size*(maxBoundaries+1) || len(b) > maxAhead+maxBoundaries {
		t.Errorf("Plausible was called %d times, %d bytes are kept", calls, len(b))
	}
}

type countingCutter struct{ n *int }

func (a countingCutter) Next(wire.Direction, []byte, bool, *wire.Progress) int { return wire.NeedMore }
func (a countingCutter) Plausible(wire.Direction, []byte, *wire.Progress) int {
	*a.n++
	return wire.NeedMore
}
func (a countingCutter) Lost(wire.Direction) {}
