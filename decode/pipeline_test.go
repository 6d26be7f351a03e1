package decode

import (
	"bytes"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire/print"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	protocols "github.com/gamedissect/gamedissect/layers"
)

// testSink is a Sink made of functions. A function that is nil selects everything.
type testSink struct {
	message func(*Message) bool
	finding func(*wire.TrafficFinding) bool
}

func (s testSink) Message(m *Message) bool             { return s.message == nil || s.message(m) }
func (s testSink) Finding(f *wire.TrafficFinding) bool { return s.finding == nil || s.finding(f) }

// testText is a Text made of functions, which may be nil.
type testText struct {
	message func(*Message)
	finding func(*wire.TrafficFinding)
}

func (t testText) Message(m *Message) {
	if t.message != nil {
		t.message(m)
	}
}

func (t testText) Finding(f *wire.TrafficFinding) {
	if t.finding != nil {
		t.finding(f)
	}
}

// outputOf returns all output of an engine for frames: the calls of the sink, and the written text. It overwrites each
// frame's bytes afterwards, as a reader with one buffer does.
func outputOf(o Options, frames []Frame) string {
	var judged, log bytes.Buffer
	var judging, printer print.Printer
	var kept []wire.Finding
	messages := 0
	sink := testSink{message: func(m *Message) bool {
		fmt.Fprintln(&judged, m.Place, m.Direction, m.Name, m.Code, m.Length, m.At)
		if messages++; messages%5 == 0 {
			judged.Write(judging.Append(nil, m.Tree(), m.Data, m.Findings))
			judged.Write(format.AppendSummary(nil, m.Layer))
		}
		if messages%3 == 0 && len(m.Findings) > 0 {
			kept = append(kept[:0], m.Findings[len(m.Findings)-1])
			m.Findings = kept
		}
		return messages%7 > 0
	}}
	text := testText{message: func(m *Message) {
		fmt.Fprintln(&log, m.Place, m.Direction, m.Name, m.Code, m.Length, m.At)
		log.Write(printer.Append(nil, m.Tree(), m.Data, m.Findings))
		log.Write(format.AppendSummary(nil, m.Layer))
	}}
	findings := 0
	sink.finding = func(f *wire.TrafficFinding) bool {
		fmt.Fprintln(&judged, f.Place, f.Rule.ID, f.Text)
		findings++
		return findings%7 > 0
	}
	text.finding = func(f *wire.TrafficFinding) { fmt.Fprintln(&log, f.Place, f.Rule.ID, f.Text) }
	o.Sink, o.Text = sink, text
	o.Value = func(v *wire.Value) { fmt.Fprintln(&judged, v.Place, v.Table, v.Who, v.What, v.Number, v.Text) }
	e := New(o)
	buf := make([]byte, 1<<17)
	for i := range frames {
		f := frames[i]
		f.Data = buf[:copy(buf, f.Data)]
		e.Frame(&f)
		clear(buf[:len(f.Data)])
	}
	e.Find(&wire.TrafficFinding{Rule: RuleFileCut, Text: "the end"})
	e.Close()
	return judged.String() + log.String()
}

// same checks that an engine has the same output with Options.Parallel as without.
func same(t *testing.T, o Options, frames []Frame) {
	t.Helper()
	want := outputOf(o, frames)
	o.Parallel = true
	if got := outputOf(o, frames); got != want {
		at := 0
		for at < min(len(got), len(want)) && got[at] == want[at] {
			at++
		}
		from := max(at-300, 0)
		t.Fatalf("with Parallel\n%s\nwithout\n%s", got[from:min(at+300, len(got))], want[from:min(at+300, len(want))])
	}
	if !strings.Contains(want, "the end") {
		t.Error("the caller's finding is missing")
	}
}

// TestParallel passes many more messages than the pipeline can hold, in single datagrams and in streams with gaps.
func TestParallel(t *testing.T) {
	var frames []Frame
	add := func(packet []byte) {
		frames = append(frames, Frame{Data: packet, Length: len(packet), Link: ip.LinkRaw, Number: len(frames) + 1, Time: toyStart + int64(len(frames))*int64(1e9)})
	}
	for n := range 40 {
		many := strings.Repeat(saying("S>", "a text"), 50*n) + saying("S>", strings.Repeat("x", n)) + "S>\x00"
		add(udpPacket(t, client, server, many[:min(len(many), 65000)]))
	}
	for i := range 3 * batchKinds { // time passes without messages
		add(udpPacket(t, other, "198.51.100.9:9", foreign+fmt.Sprint(i)))
	}
	w := newWired(t, other, server)
	w.sent = func(packet []byte) { add(bytes.Clone(packet)) }
	w.open()
	for n := range 60 {
		w.send(n%2, saying("S>", fmt.Sprint("client ", n))+strings.Repeat(saying("S>", "again"), 7*n)+"S>\x04ha")
		w.send(n%2, "lf")
		if n%7 == 3 {
			w.lose(0, 50)
		}
	}
	w.finish(0)
	same(t, Options{Protocols: []*wire.Protocol{toyStreams(), poker}}, frames)
}

// framesOf returns the frames of a script.
func framesOf(script []byte) (frames []Frame) {
	for f, rest, ok := parse(script); ok; f, rest, ok = parse(rest) {
		f.Number, f.Time = len(frames)+1, int64(len(frames))
		frames = append(frames, f)
	}
	return frames
}

// TestPipelineOfCaptures compares the output with and without Options.Parallel for the beginnings of captures.
func TestPipelineOfCaptures(t *testing.T) {
	var all []Frame
	for _, script := range captured() {
		all = append(all, framesOf(script)...)
	}
	for _, mask := range []bool{false, true} {
		same(t, Options{Protocols: protocols.All(), MaskSecrets: mask}, slices.Repeat(all, 5))
	}
}

// TestPipelineMemory makes messages with the longest possible lists, each decoded by a different layer. If long lists
// were reused, each layer would keep one.
func TestPipelineMemory(t *testing.T) {
	wiretest.WithoutDetector(t)
	const most, rounds = 6 << 20, 130
	reply := "\x10\x06\x01\x01\x12\x34\x00\x66\x03abc\x04motd\x00\x02"
	query := "\x10\x03\xff\x00\x01\x02\x00\x00"
	for _, list := range []string{reply + strings.Repeat("\x06\x7f\x0a\x22\x0b\x61\x6d", 9000), query + strings.Repeat("\x00", 4080)} {
		var before, grown, messages int
		o := Options{Protocols: protocols.All(), Parallel: true, Sink: testSink{}, Text: testText{message: func(m *Message) {
			m.FoldedTree()
			if messages++; messages == rounds*batchLayers {
				grown = int(wiretest.Heap()) - before
			}
		}}}
		before = int(wiretest.Heap())
		e := New(o)
		packets := [][]byte{udpPacket(t, "192.0.2.1:28000", "192.0.2.2:28000", list), udpPacket(t, "192.0.2.1:28000", "192.0.2.2:28000", query)}
		for i := range rounds {
			for n := range batchLayers { // the long messages have different positions in each round
				p := packets[1]
				if n == i%batchLayers || n == 3*i%batchLayers {
					p = packets[0]
				}
				e.Frame(&Frame{Data: p, Link: ip.LinkRaw, Time: int64(i)})
			}
		}
		e.Close()
		t.Logf("%d bytes: %d KB", len(list), grown>>10)
		if messages != rounds*batchLayers || grown > most {
			t.Errorf("%d messages, %d KB, want at most %d KB", messages, grown>>10, most>>10)
		}
	}
}

// TestPipelineAfterClose checks that the caller's findings after Close are reported in the same way as without a
// pipeline.
func TestPipelineAfterClose(t *testing.T) {
	for _, parallel := range []bool{false, true} {
		found := 0
		e := New(Options{Protocols: protocols.All(), Parallel: parallel, Finding: func(*wire.TrafficFinding) { found++ }})
		e.Close()
		for i := range 2 * batchKinds {
			e.Find(&wire.TrafficFinding{Rule: RuleFileCut})
			e.Frame(&Frame{Data: udpPacket(t, client, other, foreign), Link: ip.LinkRaw, Time: int64(i)})
		}
		if found != 2*batchKinds {
			t.Errorf("parallel %v: %d findings were delivered", parallel, found)
		}
	}
}

// TestPipelineEnded checks that the caller does not wait for a goroutine that one of its functions has ended.
func TestPipelineEnded(t *testing.T) {
	end := func(*wire.TrafficFinding) { runtime.Goexit() }
	for _, stage := range []string{"Finding", "Text"} {
		t.Run(stage, func(t *testing.T) {
			o := Options{Protocols: protocols.All(), Parallel: true, Finding: end}
			if stage == "Text" {
				o.Sink, o.Text = testSink{}, testText{finding: end}
			}
			e := New(o)
			defer func() {
				if recover() == nil {
					t.Error("the engine did not panic")
				}
			}()
			for range 100 * batchFindings {
				e.Find(&wire.TrafficFinding{Rule: RuleFileCut})
			}
		})
	}
}

// A gossip is a tracker that reports many findings for each message.
type gossip struct {
	*wire.Reporter
	reported int
}

func (g *gossip) Message(_ wire.Layer, p *wire.Place) {
	for range 5*batchSelected + 7 {
		g.Report(p, toyRule, "%d", g.reported)
		g.reported++
	}
}
func (*gossip) Lost(*wire.Place) {}
func (*gossip) Time(int64)       {}
func (*gossip) Jump(int64)       {}
func (*gossip) Next() int64      { return math.MaxInt64 }
func (*gossip) Close(int64)      {}

// TestPipelineSpills uses a tracker that reports many more findings than fit in a batch.
func TestPipelineSpills(t *testing.T) {
	const messages = 20
	talkative := toyProtocol("chess", 7000, 'S', 'M')
	talkative.NewTracker = func(r *wire.Reporter) wire.Tracker { return &gossip{Reporter: r} }
	reported, written, ahead := atomic.Int64{}, int64(0), int64(0)
	e := New(Options{Protocols: []*wire.Protocol{talkative}, Parallel: true, Sink: testSink{finding: func(*wire.TrafficFinding) bool { return reported.Add(1) > 0 }}, Text: testText{
		message: func(*Message) {
			if written%(5*batchSelected+7) != 0 {
				t.Errorf("a message was written after %d findings", written)
			}
		},
		finding: func(f *wire.TrafficFinding) {
			if f.Text != fmt.Sprint(written) {
				t.Errorf("%q, want %d", f.Text, written)
			}
			written++
			ahead = max(ahead, reported.Load()-written)
		},
	}})
	for i := range int64(messages) {
		e.Frame(&Frame{Data: udpPacket(t, client, server, saying("S>", "a text")), Link: ip.LinkRaw, Time: i})
	}
	e.Close()
	if written != messages*(5*batchSelected+7) || ahead > (batches+1)*batchSelected {
		t.Errorf("%d findings were written, up to %d were waiting", written, ahead)
	}
}

// TestPipelineReleases checks that layers do not keep worlds after the messages are written.
func TestPipelineReleases(t *testing.T) {
	worlds := 0
	e := New(Options{Protocols: protocols.All(), Parallel: true, Sink: testSink{}, Text: testText{message: func(m *Message) {
		if h, ok := m.Layer.(wire.Holder); ok && h.Held() > 0 {
			worlds++
		}
	}}})
	for _, f := range FramesIn("../testdata/pcap/bz24-ctf-players.pcap") {
		e.Frame(&f)
	}
	a := e.decoder.pipeline
	e.Close()
	for range batches {
		for _, layers := range (<-a.empty).layers {
			for _, l := range layers {
				if h, ok := l.(wire.Holder); ok && h.Held() > 0 {
					t.Fatalf("a layer holds %d bytes", h.Held())
				}
			}
		}
	}
	if worlds == 0 {
		t.Error("the capture has no world")
	}
}

// TestPipelineWithoutFrames lets time pass without frames, while the caller adds many findings.
func TestPipelineWithoutFrames(t *testing.T) {
	const n = 10 * batchKinds
	found := 0
	e := New(Options{Protocols: protocols.All(), Parallel: true, Finding: func(*wire.TrafficFinding) { found++ }})
	e.Frame(&Frame{Data: udpPacket(t, client, other, foreign), Link: ip.LinkRaw})
	for i := range int64(n) {
		e.Time(i)
		e.Find(&wire.TrafficFinding{Rule: RuleFileCut})
		if len(e.decoder.pipeline.batch.kinds) > batchKinds {
			t.Fatalf("%d calls are in the batch", len(e.decoder.pipeline.batch.kinds))
		}
	}
	e.Close()
	e.Close()
	if found != n {
		t.Errorf("%d of %d findings were delivered", found, n)
	}
}
