package view

import (
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// Options say how a capture is read.
type Options struct {
	Protocols []*wire.Protocol
	Dialect   wire.Dialect
	DecodeAs  []decode.DecodeAs

	// MaskSecrets shows asterisks for passwords and tokens in messages. Findings, events and values are as without.
	MaskSecrets bool

	// Memory bounds the engine's state, in bytes, approximately; 0: decode.DefaultMemory.
	Memory int

	// Index bounds the memory of the index, in bytes, approximately; 0: DefaultIndex. Once it is full, further messages
	// are counted but have no rows.
	Index int
}

//go:generate go run ./web/engine/generate

// DefaultIndex is enough for some ten million messages.
const DefaultIndex = 768 << 20

// A View is a capture that is open. It is for one goroutine at a time.
type View struct {
	options Options
	files   *files
	opened  []*capture.File
	from    capture.Source // all of these
	engine  *decode.Engine // nil when all is read, as is the next one
	once    *decode.Deduplicator
	window  window
	frame   decode.Frame
	at      int64 // in the files, of the frame at hand; -1: it is compressed

	first   int64 // times of packets
	last    int64
	read    int64 // bytes of the files
	packets int64
	done    bool
	trouble error // why reading ended early

	forgotten []bounded.Forgotten // by the engine
	counters  decode.Counters     // of the engine, at its end; Others are in the statistics

	index  index
	stats  stats.Stats
	noted  notes
	ports  ports
	named  map[string]string // see names
	schema *filter.Schema
	jobs   jobs
	recall recaller

	carriers carriers
}

// Open opens a capture of a size in bytes, see File.
func Open(r io.ReaderAt, size int64, name string, o Options) (*View, error) {
	return OpenAll([]File{{r, size, name}}, o)
}

// OpenAll opens captures and reads their headers. Packets come by time, and are numbered as if they stood in one file.
func OpenAll(all []File, o Options) (*View, error) {
	if len(all) == 0 || len(all) > math.MaxUint16 {
		return nil, fmt.Errorf("%d captures are too few or too many", len(all))
	}
	f := newFiles(all)
	opened, from, err := f.open()
	if err != nil {
		return nil, err
	}
	if o.Index <= 0 {
		o.Index = DefaultIndex
	}
	v := &View{options: o, files: f, opened: opened, from: from, window: window{r: f, size: f.size}}
	v.index.limit, v.noted.limit = o.Index, o.Index/4
	v.schema = filter.NewSchema(o.Protocols)
	v.recall.layers = make(map[*wire.Protocol]wire.Layer)
	v.engine = decode.New(decode.Options{
		Protocols: o.Protocols, Dialect: o.Dialect, DecodeAs: o.DecodeAs, Memory: o.Memory,
		Message: v.message, Finding: v.finding, Value: v.value, Packet: v.packetInfo, Told: true, Others: true,
	})
	v.once = v.engine.Deduplicator()
	return v, nil
}

// Close ends reading. What was read is served on.
func (v *View) Close() error {
	v.endExport()
	if v.done {
		return nil
	}
	v.finish(nil)
	return v.from.Close()
}

// packetsAtOnce are read before the clock is looked at again.
const packetsAtOnce = 64

// Step reads on until there were so many bytes of packets or so much time has passed, whichever comes first, but a few
// packets in any case. It reports whether there is more to read.
func (v *View) Step(bytes int64, d time.Duration) (more bool) {
	var p capture.Packet
	until := time.Now().Add(d)
	for n := 1; !v.done; n++ {
		if err := v.from.Next(&p); err != nil {
			v.finish(err)
			break
		}
		v.packet(&p)
		bytes -= int64(len(p.Data))
		if n%packetsAtOnce == 0 && (bytes <= 0 || time.Now().After(until)) {
			break
		}
	}
	v.read = max(v.read, v.offset())
	return !v.done
}

// offset is how many bytes of the files were read.
func (v *View) offset() (n int64) {
	for _, f := range v.opened {
		n += f.Offset()
	}
	return n
}

// packet takes the next packet.
func (v *View) packet(p *capture.Packet) {
	if v.packets == 0 {
		v.first = p.Time
	}
	v.packets++
	v.last = max(v.last, p.Time)
	v.frame = decode.Frame{
		Data: p.Data, Length: p.Length, Time: p.Time, Link: uint16(p.LinkType), Number: int(v.packets), File: p.File,
	}
	file := v.files.at(p.File)
	v.files.counts[file].Packets++
	v.files.counts[file].Add(p.Time)
	if v.at = -1; p.Offset > 0 {
		v.at = v.files.from[file] + p.Offset
	}
	v.noted.packet(v.seconds(p.Time), p.Length)
	v.engine.Frame(&v.frame)
}

// finish ends reading, for a reason.
func (v *View) finish(err error) {
	if err != nil && err != io.EOF {
		v.trouble = err
		v.findCuts(err)
	}
	v.read = v.offset()
	v.frame = decode.Frame{}
	v.done = true
	c := v.engine.Counters()
	v.engine.Close()
	c.Others = v.engine.Others()
	v.stats.Count(c)
	v.counters, v.counters.Others = c, nil
	_ = v.from.Close() // it was only read
	v.forgotten = v.engine.Forgotten()
	v.engine, v.once, v.carriers = nil, nil, carriers{} // what they remember is no longer needed
}

// joined is an error of several files.
type joined interface {
	error
	Unwrap() []error
}

// findCuts tells of the files that are cut.
func (v *View) findCuts(err error) {
	all := []error{err}
	if several, ok := errors.AsType[joined](err); ok {
		all = several.Unwrap()
	}
	for _, err := range all {
		bad, ok := errors.AsType[*capture.Error](err)
		if !ok || !bad.Truncated {
			continue
		}
		at := wire.Place{Frame: bad.Packet, File: bad.File, Time: bad.Time, Conversation: decode.NoConversation}
		if len(v.files.all) > 1 {
			at.Frame = 0 // it counts the packets of this file alone
		}
		v.engine.Find(&wire.TrafficFinding{Place: at, Rule: decode.RuleFileCut, Text: bad.Reason})
	}
}

// seconds gives a time since the first packet.
func (v *View) seconds(ns int64) float64 {
	d := ns - v.first
	if (d < 0) != (ns < v.first) { // it overflowed
		return math.Copysign(math.MaxInt32, float64(ns)-float64(v.first))
	}
	return float64(d) / 1e9
}

// nanoseconds is the time of so many seconds since the first packet.
func (v *View) nanoseconds(seconds float64) int64 {
	ns := float64(v.first) + seconds*1e9
	switch {
	case !(ns > math.MinInt64):
		return math.MinInt64
	case ns >= math.MaxInt64:
		return math.MaxInt64
	}
	return v.first + int64(seconds*1e9)
}

// State is what is known of the whole.
type State struct {
	Name      string           `json:"name"`
	Format    string           `json:"format"`
	Size      int64            `json:"size"`
	Read      int64            `json:"read"`
	Done      bool             `json:"done"`
	Error     string           `json:"error"` // why reading ended early; rows before are served
	Start     string           `json:"start"`
	Seconds   float64          `json:"seconds"`
	Packets   int64            `json:"packets"`
	Rows      int              `json:"rows"`
	Messages  int64            `json:"messages"`
	Findings  map[string]int64 `json:"findings"`
	Protocols map[string]int64 `json:"protocols"`
	Values    int              `json:"values"`
	Events    int              `json:"events"`
	Moves     int64            `json:"moves"`
	Memory    int              `json:"memory"`    // bytes of the index
	Forgotten []string         `json:"forgotten"` // by the engine, in sentences
	LeftOut   string           `json:"left_out"`  // a sentence, if the index was full
}

// State tells how far reading got.
func (v *View) State() State {
	s := State{
		Name: plain(v.files.name()), Format: v.opened[0].Format(), Size: v.files.size, Read: v.read, Done: v.done,
		Packets: v.packets, Rows: v.index.len(), Messages: v.stats.Messages, Findings: map[string]int64{},
		Protocols: v.index.protocols(), Values: v.noted.values, Events: len(v.noted.events), Memory: v.memory(),
		Forgotten: []string{},
	}
	if v.trouble != nil {
		s.Error = plain(v.trouble.Error())
	}
	if v.packets > 0 {
		s.Start, s.Seconds = utc(v.first), v.seconds(v.last)
	}
	for _, k := range v.index.kinds {
		if k.move {
			s.Moves += k.count
		}
	}
	for i, n := range v.index.severities {
		s.Findings[wire.Severity(i).String()] = n
	}
	forgotten := v.forgotten
	if v.engine != nil {
		forgotten = v.engine.Forgotten()
	}
	for _, f := range forgotten {
		s.Forgotten = append(s.Forgotten, fmt.Sprintf("%s: %d forgotten", f.Name, f.Count))
	}
	if v.index.dropped > 0 {
		s.LeftOut = fmt.Sprintf("%d messages and findings have no row: the index is full", v.index.dropped)
	}
	return s
}

// memory is how many bytes are kept of what was read, about.
func (v *View) memory() int { return v.index.held + v.noted.held }

func utc(ns int64) string { return time.Unix(0, ns).UTC().Format("2006-01-02T15:04:05.000000000Z") }
