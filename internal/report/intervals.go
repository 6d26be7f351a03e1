package report

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// Intervals divides the time since the first packet into intervals of equal length, and counts the traffic of each
// protocol in each interval.
type Intervals struct {
	// Subject returns the current message. Measures take their fields from it. Subject may be nil if there are no
	// measures.
	Subject func() *filter.Subject

	length   int64 // nanoseconds
	texts    []string
	measures []*measure
	spans    [][]*span // by interval
	late     int64     // messages after the last possible interval, see maxIntervals
	values   []filter.Value
}

// maxIntervals is enough for a day in intervals of ten seconds.
const maxIntervals = 10_000

type span struct {
	protocol                           *wire.Protocol // nil: findings without a protocol
	frame                              int            // frame of the last message
	file                               string
	packets, messages, bytes, findings int64
	tallies                            []tally // one per measure
}

var errNoLength = errors.New("write the length of an interval in seconds, as in io,10 or io,0.5")

// ParseIntervals parses io,SECONDS,MEASURE... It returns nil if the name belongs to another table. The caller must call
// Compile.
func ParseIntervals(name string) (*Intervals, error) {
	parts := strings.Split(name, ",")
	if parts[0] != IntervalsName {
		return nil, nil //nolint:nilnil // another table: no error
	}
	if len(parts) < 2 {
		return nil, errNoLength
	}
	seconds, err := strconv.ParseFloat(parts[1], 64)
	if err != nil || !(seconds >= 1e-6 && seconds <= 1e9) {
		return nil, errNoLength
	}
	return &Intervals{length: int64(math.Round(seconds * 1e9)), texts: parts[2:]}, nil
}

// Measures reports whether there are measures.
func (t *Intervals) Measures() bool { return len(t.texts) > 0 }

// Compile resolves the names in the measures, which are fields or values of trackers.
func (t *Intervals) Compile(schema *filter.Schema, protocols []*wire.Protocol) error {
	t.measures = nil
	for _, text := range t.texts {
		m, err := parseMeasure(text, schema, protocols)
		if err != nil {
			return err
		}
		t.measures = append(t.measures, m)
	}
	return nil
}

// This method returns the span for a place. It returns nil if the place is after the last interval.
func (t *Intervals) at(p *wire.Place, first int64) *span {
	n := max(p.Time-first, 0) / t.length
	if n >= maxIntervals {
		return nil
	}
	for int64(len(t.spans)) <= n {
		t.spans = append(t.spans, nil)
	}
	for _, s := range t.spans[n] {
		if s.protocol == p.Protocol {
			return s
		}
	}
	s := &span{protocol: p.Protocol, tallies: make([]tally, len(t.measures))}
	t.spans[n] = append(t.spans[n], s)
	return s
}

// Message counts a message. first is the time of the first packet.
func (t *Intervals) Message(m *decode.Message, first int64) {
	s := t.at(&m.Place, first)
	if s == nil {
		t.late++
		return
	}
	if s.messages == 0 || s.frame != m.Frame || s.file != m.File {
		s.packets++
		s.frame, s.file = m.Frame, m.File
	}
	s.messages++
	s.bytes += int64(m.Length)
	s.findings += int64(len(m.Findings))
	for i, of := range t.measures {
		switch of.tracked {
		case m.Protocol:
			of.level.addTo(&s.tallies[i], t.begin(m.Time, first), m.Time)
		case nil:
			t.values = of.field.Values(t.Subject(), t.values[:0])
			for j := range t.values {
				s.tallies[i].addValue(&t.values[j])
			}
		}
	}
}

// begin returns the beginning of the interval that contains now.
func (t *Intervals) begin(now, first int64) int64 { return now - max(now-first, 0)%t.length }

// Finding counts a finding that belongs to no message.
func (t *Intervals) Finding(f *wire.TrafficFinding, first int64) {
	if s := t.at(&f.Place, first); s != nil {
		s.findings++
	}
}

// Value counts a tracker's value if a measure uses it.
func (t *Intervals) Value(v *wire.Value, first int64) {
	for i, of := range t.measures {
		if of.tracked == nil || of.tracked != v.Protocol || of.what != v.What || of.table != "" && of.table != v.Table {
			continue
		}
		s := t.at(&v.Place, first)
		switch {
		case s == nil:
		case v.State:
			of.level.addTo(&s.tallies[i], t.begin(v.Time, first), v.Time)
			of.level.set(v)
			s.tallies[i].count++
			of.level.addTo(&s.tallies[i], v.Time, v.Time)
		default:
			s.tallies[i].add(v.Number)
			s.tallies[i].seconds = v.Unit == "s"
		}
	}
}

const maxBar = 16 // columns

// Table returns a table with a row for each protocol in each interval. An interval without messages and findings has
// one row.
func (t *Intervals) Table() *Table {
	show := &Table{Name: IntervalsName, Title: "Intervals", Columns: t.columns()}
	most := 0.0
	for _, of := range t.spans {
		for _, s := range of {
			most = max(most, t.drawn(s))
		}
	}
	for n, of := range t.spans {
		if len(of) == 0 {
			of = []*span{{tallies: make([]tally, len(t.measures))}}
		}
		slices.SortFunc(of, func(a, b *span) int { return strings.Compare(a.name(), b.name()) })
		for _, s := range of {
			row := []Cell{t.edge(n), t.edge(n + 1), s.name()}
			for i, m := range t.measures {
				row = append(row, m.cell(&s.tallies[i]))
			}
			bar := ""
			if n := t.drawn(s); n > 0 {
				bar = strings.Repeat("#", int(math.Ceil(n*maxBar/most)))
			}
			show.add(append(row, s.packets, s.messages, s.bytes, s.findings, Shown{Text: bar})...)
		}
	}
	if t.late > 0 {
		row := make([]Cell, len(show.Columns))
		row[0], row[2], row[len(row)-4] = t.edge(maxIntervals), others, t.late // columns from, protocol and messages
		show.add(row...)
	}
	return show
}

// drawn returns the value that the bar shows. That is the first measure or, if there are no measures, the number of
// messages.
func (t *Intervals) drawn(s *span) float64 {
	if len(t.measures) == 0 {
		return float64(s.messages)
	}
	if n, ok := t.measures[0].number(&s.tallies[0]); ok && !math.IsInf(n, 0) && !math.IsNaN(n) {
		return n
	}
	return 0
}

func (t *Intervals) columns() []Column {
	list := []Column{{Name: "from", Kind: Seconds, Unit: "s"}, {Name: "to", Kind: Seconds, Unit: "s", Only: Programs},
		{Name: "protocol", Kind: Word, Only: t.protocolReaders()}}
	for _, m := range t.measures { // a narrow table wraps the heading at the space
		list = append(list, Column{Name: strings.Replace(m.name, "(", " (", 1), Key: m.name, Kind: Figures})
	}
	return append(slices.Concat(list, columns(Count, "packets", "messages"), sized("bytes"), columns(Count, "findings")),
		Column{Name: "bar", Kind: Word, Only: People, Whole: true})
}

// edge returns the time at which interval n begins.
func (t *Intervals) edge(n int) Cell {
	at := int64(n) * t.length
	return Shown{exactSeconds(at), at}
}

// Late returns a text with the number of messages after the last interval, or "" if there are none.
func (t *Intervals) Late() string {
	if t.late == 0 {
		return ""
	}
	return fmt.Sprintf("%s came after %s intervals, which is the maximum; choose longer intervals",
		Plural(t.late, "message"), FormatCount(maxIntervals))
}

// name returns the name of the protocol, or "" for findings without a protocol.
func (s *span) name() string {
	if s.protocol == nil {
		return ""
	}
	return s.protocol.Name
}

// protocolReaders returns who gets the column for protocols. People get it only if there are several protocols.
func (t *Intervals) protocolReaders() Readers {
	var first *wire.Protocol
	for _, of := range t.spans {
		for _, s := range of {
			if first == nil {
				first = s.protocol
			}
			if s.protocol != nil && s.protocol != first {
				return Everybody
			}
		}
	}
	return Programs
}
