package decode

import (
	"bytes"
	"fmt"
	"math/bits"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/tcp"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// account counts the bytes of an engine's conversations, directly from the packets. At the end it compares this count
// with the engine's counters: every byte must be in a message or counted as skipped, and losses must be reported.
type account struct {
	tb       testing.TB
	engine   *Engine
	frame    *Frame
	ours     map[string]bool // recognised conversations
	streams  map[string]*slowBytes
	datagram map[string]int64 // bytes of datagrams, by conversation
	messages int64            // bytes of messages
	wrapped  bool             // a protocol wraps the messages in a datagram, so counts may differ
	rules    map[*wire.Rule]int
}

// slowBytes is a simple model of a stream: the set of bytes that it carried.
type slowBytes struct {
	begun, mid bool
	start      int64
	places     places
	read       places // positions that are part of messages
	others     int64  // bytes outside the stream: in resets, and far before its start
}

// places is a set of positions, stored in pages.
type places map[int64]*[64]uint64

func (p places) add(at int64) (added bool) {
	page := p[at>>12]
	if page == nil {
		page = new([64]uint64)
		p[at>>12] = page
	}
	word, bit := &page[at>>6&63], uint64(1)<<(at&63)
	added = *word&bit == 0
	*word |= bit
	return added
}

func (p places) count() (n int64) {
	for _, page := range p {
		for _, word := range page {
			n += int64(bits.OnesCount64(word))
		}
	}
	return n
}

// with returns the union of two sets.
func (p places) with(q places) places {
	all := make(places)
	for _, set := range []places{p, q} {
		for number, page := range set {
			if all[number] == nil {
				all[number] = new([64]uint64)
			}
			for i, word := range page {
				all[number][i] |= word
			}
		}
	}
	return all
}

// newAccount adds an account to the options of an engine.
func newAccount(tb testing.TB, o *Options) *account {
	a := &account{tb: tb, ours: make(map[string]bool), streams: make(map[string]*slowBytes),
		datagram: make(map[string]int64), rules: make(map[*wire.Rule]int)}
	message, finding := o.Message, o.Finding
	o.Packet = a.packet
	o.Message = func(m *Message) {
		a.message(m)
		if message != nil {
			message(m)
		}
	}
	o.Finding = func(f *wire.TrafficFinding) {
		a.rules[f.Rule]++
		if finding != nil {
			finding(f)
		}
	}
	return a
}

// watch connects the account to the engine that was made with these options.
func (a *account) watch(e *Engine) {
	a.engine = e
	forgotten := e.conversations.evicted
	e.conversations.evicted = func(c *conversation) {
		forgotten(c)
		a.look(c)
	}
}

// take passes a frame to the engine.
func (a *account) take(f *Frame) {
	a.frame = f
	a.engine.Frame(f)
}

func (a *account) look(c *conversation) {
	if c.protocol != 0 {
		a.ours[name(wire.Transport(c.transport), int(c.number))] = true
	}
}

func name(t wire.Transport, number int) string { return fmt.Sprint(t, number) }

// packet records the bytes of a packet.
func (a *account) packet(info *PacketInfo) {
	if info.Conversation == NoConversation {
		return
	}
	of := name(info.Transport, info.Conversation)
	if info.Protocol != nil {
		a.ours[of] = true
	}
	var p ip.Packet
	if ip.Find(a.frame.Link, a.frame.Data, a.frame.Length, &p) != ip.Found && p.Rest().Empty() {
		a.tb.Fatal("no packet in a frame that had one")
	}
	content, missing := p.Payload, p.Missing
	if info.Joined != nil {
		content, missing = info.Joined, info.Missing
	}
	if _, plain := ip.Locate(a.frame.Link, a.frame.Data, a.frame.Length); !plain || info.Tunnels > 0 {
		p = a.engine.packet // the innermost packet; other tests check that it is the right one
		content, missing = p.Payload, p.Missing
	}
	if info.Transport == wire.UDP {
		payload, _ := udpPayload(content, missing)
		a.datagram[of] += int64(len(payload))
		return
	}
	var s tcp.Segment
	if !s.Parse(content, missing) {
		a.tb.Fatal("no segment in a packet that had one")
	}
	side := 0
	if info.Second {
		side = 1
	}
	key, _ := a.engine.conversations.key(wire.TCP, netip.AddrPortFrom(p.Src, s.SrcPort), netip.AddrPortFrom(p.Dst, s.DstPort))
	c := a.engine.conversations.tcp(a.engine.conversations.look(&key, a.engine.conversations.hash(&key)))
	a.segment(a.stream(of, side), a.stream(of, 1-side), &s, info.At, c.Stream(side).Start())
}

func (a *account) stream(of string, side int) *slowBytes {
	of = fmt.Sprint(of, "/", side)
	if a.streams[of] == nil {
		a.streams[of] = &slowBytes{places: make(places), read: make(places)}
	}
	return a.streams[of]
}

// segment records the bytes of a segment at a position. start is the position at which the stream begins, which may be
// before the first captured segment.
func (a *account) segment(x, other *slowBytes, s *tcp.Segment, at, start int64) {
	if s.Flags.Has(tcp.RST) {
		x.others += int64(len(s.Payload))
		return
	}
	syn := s.Flags.Has(tcp.SYN)
	if !x.begun && (syn || s.Size() > 0 || s.Flags.Has(tcp.FIN)) {
		x.begun, x.mid, x.start = true, !syn, at
	}
	if syn && s.Flags.Has(tcp.ACK) && !other.begun {
		other.begun, other.start = true, 1<<32+int64(s.Ack)
	}
	if len(s.Payload) == 0 {
		return
	}
	if want := s.Seq + uint32(s.Flags&tcp.SYN)/uint32(tcp.SYN); uint32(at) != want {
		a.tb.Fatalf("frame %d: at %d, want %d", a.frame.Number, uint32(at), want)
	}
	first, alone := x.start, len(s.Payload) == 1
	if x.mid {
		first -= 64 << 10
		x.start = start
	}
	if alone && at == x.start-1 {
		return // a keep-alive
	}
	for i := range s.Payload {
		if p := at + int64(i); p >= first {
			x.places.add(p)
		} else {
			x.others++
		}
	}
}

// message records the bytes of a message.
func (a *account) message(m *Message) {
	of := name(m.Transport, m.Conversation)
	a.ours[of] = true
	a.messages += int64(len(m.Data))
	a.wrapped = a.wrapped || m.Protocol.Unwrap != nil
	if m.Transport != wire.TCP {
		return
	}
	x := a.stream(of, int(m.Lane+1)%2)
	for i := range m.Data {
		if !x.read.add(m.At + int64(i)) {
			a.tb.Fatalf("frame %d: byte %d of a message is also in another message", m.Frame, i)
		}
	}
}

// close closes the engine and checks that both counts agree.
func (a *account) close() {
	a.tb.Helper()
	e := a.engine
	e.Close()
	for c := e.conversations.At(e.conversations.Stalest()); c != nil; c = e.conversations.At(e.conversations.Newer(c.place)) {
		a.look(c)
	}
	came := int64(0)
	for of := range a.ours {
		came += a.datagram[of]
		for _, x := range []*slowBytes{a.stream(of, 0), a.stream(of, 1)} {
			came += x.others + x.places.count()
			if both := x.places.with(x.read).count(); both != x.places.count() {
				a.tb.Errorf("%s: %d bytes of messages were in no packet", of, both-x.places.count())
			}
		}
	}
	n := e.Counters()
	counted := n.Carried
	for why, bytes := range n.Skipped.All() {
		if bytes < 0 {
			a.tb.Errorf("%d bytes %s", bytes, why)
		}
		if why != LackFragment {
			counted += bytes
		}
	}
	if counted != came {
		a.tb.Errorf("%d bytes came, %d are counted: %d in messages, skipped %v", came, counted, n.Carried, n.Skipped)
	}
	if n.Carried < a.messages || n.Carried > a.messages && !a.wrapped {
		a.tb.Errorf("the messages have %d bytes, but %d are counted", a.messages, n.Carried)
	}
	a.checkFindings(&n.Skipped)
}

// checkFindings checks that there is a finding for each kind of loss.
func (a *account) checkFindings(skipped *Skipped) {
	a.tb.Helper()
	for why, rule := range map[Reason]*wire.Rule{
		AroundGap: RuleGap, TooLarge: RuleGap, LetGo: RuleGap, BeforeFirst: RuleMidStream, LackFragment: RuleFragmentLost,
	} {
		if skipped[why] > 0 && a.rules[rule] == 0 {
			a.tb.Errorf("%d bytes %s, but no finding %s", skipped[why], why, rule.ID)
		}
	}
}

// carries passes frames to an engine and checks the engine's counts of bytes.
func carries(tb testing.TB, o Options, frames []Frame) (n Counters) {
	tb.Helper()
	a := newAccount(tb, &o)
	a.watch(New(o))
	for i := range frames {
		f := frames[i]
		f.Data = bytes.Clone(f.Data)
		a.take(&f)
	}
	a.close()
	return a.engine.Counters()
}

// Bytes that are not in a message are counted by reason, and reported.
func TestSkippedBytes(t *testing.T) {
	hello := saying("S?", "hello")
	for _, c := range []struct {
		why  Reason
		n    int64
		rule *wire.Rule // nil if no finding is expected
		talk func(w *wired)
	}{
		{AroundGap, 4, RuleGap, func(w *wired) { w.send(0, hello); w.lose(0, 9); w.send(0, "tail"+hello+hello) }},
		{NoMessage, 8, RuleUnread, func(w *wired) { w.send(0, hello+"!nothing"+hello+hello) }},
		{BeforeRecognised, 6, RuleUnread, func(w *wired) { w.send(0, "HELLO!"); w.send(1, saying("S<", "a")) }},
		{BeforeRecognised, 6, RuleForeign, func(w *wired) { w.send(0, "GET / "); w.send(1, saying("S<", "a")) }},
		{BeforeRecognised, 9, RuleForeign, func(w *wired) { w.send(0, "\x16\x03\x01\x00\x04\x01abc"); w.send(1, saying("S<", "a")) }},
		{BeforeRecognised, 12, RuleUnread, func(w *wired) { w.send(0, "HELLO!"); w.send(0, "HELLO!"); w.send(1, saying("S<", "a")) }},
		{BeforeRecognised, 6, RuleUnread, func(w *wired) { w.send(0, "M?\x05abc"); w.finish(0); w.send(1, saying("S<", "a")) }},
		{TooLarge, 1<<20 + 3, RuleGap, func(w *wired) {
			w.send(0, hello+"S?.")
			for range 1<<20/(1<<15) + 1 {
				w.send(0, strings.Repeat("x", 1<<15))
			}
		}},
		{Unfinished, 6, nil, func(w *wired) { w.send(0, hello+"S?\x09abc") }},
		{Late, 8, RuleGap, func(w *wired) {
			at := w.seq[0] + uint32(len(hello))
			w.send(0, hello)
			w.lose(0, len(hello))
			w.send(0, hello+hello)
			w.step = int64(time.Minute)
			w.at(0, at, tcp.ACK, hello, 0)
		}},
		{BehindEnd, 8, nil, func(w *wired) {
			w.send(0, hello)
			w.at(1, w.seq[1], tcp.RST|tcp.ACK, "", 0)
			w.send(0, hello)
			w.at(0, w.seq[0]-8, 0, hello, 0)
		}},
		{BehindEnd, 8, nil, func(w *wired) {
			w.send(0, hello)
			w.finish(0)
			w.seq[0]++
			w.send(0, hello[1:])
			w.at(0, w.seq[0]-8, 0, hello, 0)
		}},
		{Misplaced, 2, nil, func(w *wired) { w.send(0, hello); w.at(0, 900, 0, "ab", 0) }},
	} {
		w := newWired(t, client, offPort)
		w.open()
		c.talk(w)
		w.Close()
		var want Skipped
		want[c.why] = c.n
		got := w.Counters()
		if c.why == TooLarge { // when the message is given up, more bytes may have come
			got.Skipped[TooLarge] = min(got.Skipped[TooLarge], c.n)
		}
		w.findings = slices.DeleteFunc(w.findings, func(f string) bool { return strings.Contains(f, RuleJump.ID) })
		reported := c.rule == nil && len(w.findings) == 0 || len(w.findings) == 1 && strings.Contains(w.findings[0], " "+c.rule.ID+": ")
		if got.Skipped != want || !reported {
			t.Errorf("%s: %v, want %v; %q", c.why, got.Skipped, want, w.findings)
		}
	}
}
