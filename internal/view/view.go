package view

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// Options say how to read a capture.
type Options struct {
	Protocols []*wire.Protocol
	Dialect   wire.Dialect
	DecodeAs  []decode.DecodeAs

	// MaskSecrets replaces passwords and tokens in messages with asterisks. It does not mask findings, events and
	// values.
	MaskSecrets bool

	// Memory is the approximate limit of the engine's state in bytes. 0 means decode.DefaultMemory.
	Memory int

	// Index is the approximate limit of the index in bytes. 0 means DefaultIndex. Messages that come when the index is
	// full are counted but have no rows.
	Index int
}

// Reading has those Options that the page sets.
type Reading struct {
	MaskSecrets bool       `json:"mask_secrets"`
	Document    bool       `json:"document,omitempty"` // interpret ambiguous bytes as the protocol's documents say
	DecodeAs    []DecodeAs `json:"decode_as,omitempty"`
}

// DecodeAs assigns a port's traffic to a protocol.
type DecodeAs struct {
	TCP      bool   `json:"tcp"` // otherwise UDP
	Port     uint16 `json:"port"`
	Protocol string `json:"protocol"`
}

// Options converts a Reading to Options.
func (r *Reading) Options(protocols []*wire.Protocol) (Options, error) {
	o := Options{Protocols: protocols, MaskSecrets: r.MaskSecrets}
	if r.Document {
		o.Dialect = wire.Document
	}
	for _, as := range r.DecodeAs {
		transport := wire.UDP
		if as.TCP {
			transport = wire.TCP
		}
		i := slices.IndexFunc(protocols, func(p *wire.Protocol) bool { return p.Name == as.Protocol })
		if i < 0 {
			return o, errors.New("there is no protocol " + as.Protocol)
		}
		o.DecodeAs = append(o.DecodeAs, decode.DecodeAs{Transport: transport, Port: as.Port, Protocol: protocols[i]})
	}
	return o, nil
}

//go:generate go run ./web/engine/generate

// DefaultIndex is enough for about ten million messages.
const DefaultIndex = 768 << 20

// A View is an open capture. Its methods must not be called concurrently.
type View struct {
	rows   rows
	values values
	counts counts
	games  games
	worlds worlds
	reader reader // adds to rows, values, counts and worlds

	filters   filters
	sequences sequences
	timeline  timeline
	plots     plots
	exports   exports
	others    others
	compared  compared

	options Options
	good    []*View
}

// Open opens a capture of size bytes. For the requirements on r, see File.
func Open(r io.ReaderAt, size int64, name string, o Options) (*View, error) {
	return OpenAll([]File{{r, size, name}}, o)
}

// OpenAll opens captures and reads their headers. The View merges their packets by time, and numbers the packets as if
// they were in one file.
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
	v := &View{options: o, rows: rows{
		index: index{limit: o.Index}, files: f, window: window{r: f, size: f.size}, dialect: o.Dialect,
		maskSecrets: o.MaskSecrets, layers: make(map[*wire.Protocol]wire.Layer),
	}}
	v.values.limit = o.Index / 4
	v.counts = counts{rows: &v.rows, protocols: o.Protocols}
	v.games.rows, v.worlds.games = &v.rows, &v.games
	v.filters = filters{rows: &v.rows, schema: filter.NewMessageSchema(o.Protocols), protocols: o.Protocols}
	v.sequences = sequences{filters: &v.filters, counts: &v.counts}
	v.timeline = timeline{filters: &v.filters, values: &v.values}
	v.plots = plots{filters: &v.filters, values: &v.values}
	v.exports.filters, v.exports.options = &v.filters, &v.options
	v.others.rows, v.others.counts = &v.rows, &v.counts
	r := &v.reader
	*r = reader{rows: &v.rows, values: &v.values, counts: &v.counts, worlds: &v.worlds, opened: opened, from: from}
	r.engine = decode.New(decode.Options{
		Protocols: o.Protocols, Dialect: o.Dialect, DecodeAs: o.DecodeAs, Memory: o.Memory,
		Message: r.message, Finding: r.finding, Value: r.value, Attempt: v.counts.stats.Attempt, Packet: r.packetInfo,
		Told: true, Others: true, Other: v.others.add,
	})
	r.once = r.engine.Deduplicator()
	return v, nil
}

// Close stops reading. The View still answers calls about what it has read.
func (v *View) Close() error {
	v.exports.end()
	v.others.end()
	for _, g := range v.good {
		_ = g.Close() // close errors do not matter for input
	}
	if v.reader.done {
		return nil
	}
	v.reader.finish(nil)
	return v.reader.from.Close()
}

// Step reads packets until it has read the given number of bytes or the time is up. It always reads a few packets. It
// reports whether more packets remain.
func (v *View) Step(bytes int64, d time.Duration) (more bool) { return v.reader.step(bytes, d) }

// Carrying returns a function that reports whether a packet carries a matching row, or is needed to decode one. It
// considers only the rows read so far. If the filter is empty, the function returns true for all packets. Carrying does
// not pause.
func (v *View) Carrying(text string) (func(frame int) bool, error) {
	for {
		j, err := v.filters.advanced(text, newLimit(nil))
		if err != nil {
			return nil, err
		}
		if j.done() {
			return carrying(j).has, nil
		}
	}
}

// State has the progress of reading and totals.
type State struct {
	Name      string           `json:"name"`
	Format    string           `json:"format"`
	Size      int64            `json:"size"`
	Read      int64            `json:"read"`
	Done      bool             `json:"done"`
	Error     string           `json:"error"` // why reading ended early; the rows read until then remain
	Start     string           `json:"start"`
	Seconds   float64          `json:"seconds"`
	Packets   int64            `json:"packets"`
	Others    int64            `json:"others"` // packets that belong to no game; set once the whole capture has been read
	Rows      int              `json:"rows"`
	Messages  int64            `json:"messages"`
	Findings  map[string]int64 `json:"findings"`
	Protocols map[string]int64 `json:"protocols"`
	Values    int              `json:"values"`
	Events    int              `json:"events"`
	Moves     int64            `json:"moves"`
	Memory    int              `json:"memory"`    // bytes used by the index
	Forgotten []string         `json:"forgotten"` // what the engine dropped, as sentences
	LeftOut   string           `json:"left_out"`  // set if the index is full
}

// State reports the progress of reading.
func (v *View) State() State {
	x, r := &v.rows, &v.reader
	s := State{
		Name: format.Unquoted(x.files.name()), Format: r.opened[0].Format(), Size: x.files.size, Read: r.read, Done: r.done,
		Packets: x.packets, Others: v.counts.counters.Other, Rows: x.len(),
		Messages: v.counts.stats.Messages, Findings: map[string]int64{},
		Protocols: x.protocols(), Values: v.values.numbers, Events: len(v.values.events), Memory: v.memory(),
		Forgotten: []string{},
	}
	if r.trouble != nil {
		s.Error = format.Unquoted(r.trouble.Error())
	}
	if x.packets > 0 {
		s.Start, s.Seconds = utc(x.first), x.seconds(x.last)
	}
	for _, k := range x.kinds {
		if k.move {
			s.Moves += k.count
		}
	}
	for i, n := range x.severities {
		s.Findings[wire.Severity(i).String()] = n
	}
	for _, f := range r.forgotten {
		s.Forgotten = append(s.Forgotten, fmt.Sprintf("%s: %d forgotten", f.Name, f.Count))
	}
	if x.dropped > 0 {
		s.LeftOut = fmt.Sprintf("%d messages and findings have no row: the index is full", x.dropped)
	}
	return s
}

// memory returns the approximate number of bytes of memory that the View uses for the capture.
func (v *View) memory() int { return v.rows.used + v.values.used }
