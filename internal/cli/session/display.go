package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/internal/cli/known"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// A Selection says which messages and findings the sinks of a run see.
type Selection struct {
	Rules   *RuleSet               // by rules
	Display *Display               // by a filter
	Only    func(*wire.Place) bool // by where they are
	single  bool                   // copies are not shown
	once    *decode.Deduplicator   // of those that the others let through; nil: copies are shown as well
}

// Everywhere is a Selection's condition that holds for all places.
func Everywhere(*wire.Place) bool { return true }

// NewSelection makes a Selection that lets all through that a display does.
func NewSelection(d *Display) Selection {
	return Selection{Rules: new(RuleSet), Display: d, Only: Everywhere}
}

// message reports whether a message is shown.
func (g *Selection) message(m *decode.Message) bool { return g.Display.message(m) && g.Only(&m.Place) }

// copy reports whether a message that is shown otherwise is a copy that is not. What is new in one that is not are
// findings that nobody told, which are given away.
func (g *Selection) copy(m *decode.Message, news func(*wire.TrafficFinding)) bool {
	if g.once == nil {
		return false
	}
	is := g.once.Copy(m)
	for i := range m.Findings {
		if f := &m.Findings[i]; !g.once.Finding(m, f) && is {
			news(&wire.TrafficFinding{Place: m.Place, Rule: f.Rule, Text: f.Text})
		}
	}
	return is
}

// finding reports whether a finding is shown that no message carries.
func (g *Selection) finding(f *wire.TrafficFinding) bool {
	return g.Only(&f.Place) && !g.Rules.hidden[f.Rule] && g.Display.finding(f)
}

// Display applies the display filter. The zero display shows everything.
type Display struct {
	schema  *filter.Schema       // nil: nobody asks for fields
	copies  *decode.Deduplicator // nil: nobody asks which messages are copies
	history *filter.History      // nil: there is no schema
	filter  *filter.Filter       // nil: everything
	now     *filter.Subject
	held    []wire.Value // measured at a message that is yet to come
}

// NewDisplay reads -Y. Its subjects are there even if that is empty.
func NewDisplay(s *filter.Schema, text string) (*Display, error) {
	d := &Display{schema: s}
	if text == "" {
		return d, nil
	}
	var err error
	if d.filter, err = s.Compile(text, nil); err != nil {
		if bad, ok := errors.AsType[*filter.Error](err); ok && isCaptureFilter(text) {
			bad.Nearest = append(bad.Nearest, "-f '"+text+"'")
		}
		return nil, fmt.Errorf("-Y: %w", err)
	}
	return d, nil
}

// asksCopies reports whether somebody asks which messages are copies.
func (d *Display) asksCopies() bool { return d.schema != nil && d.schema.Asked("copy") }

// AskCopies has every message say whether it is a copy.
func (d *Display) AskCopies() error {
	_, err := d.schema.Resolve("copy", nil)
	return err
}

// begin gets ready for the first message of an engine, when all is known that is asked.
func (d *Display) begin(e *decode.Engine) {
	if d.schema == nil {
		return
	}
	if d.asksCopies() {
		d.copies = e.Deduplicator()
	}
	var before *bounded.Budget
	if d.schema.Asked("time_delta") || d.schema.Asked("response_time") {
		before = e.Part()
	}
	d.history = filter.NewHistory(before)
}

// allNames is the schema of all protocols, which takes long to make.
var allNames = sync.OnceValue(func() *filter.Schema { return filter.NewSchema(known.Protocols()) })

// NewSchema returns the schema of all protocols, of which no name has been resolved.
func NewSchema() *filter.Schema { return allNames().Fresh() }

// Subject is the message or finding at hand with what came before it. It is valid while a sink takes that.
func (d *Display) Subject() *filter.Subject { return d.now }

func (d *Display) packet(time int64) {
	if d.history != nil {
		d.history.Packet(time)
	}
}

func (d *Display) message(m *decode.Message) bool {
	if d.history == nil {
		return true
	}
	if d.copies != nil {
		d.copies.Copy(m)
	}
	d.now = d.history.Message(m)
	return d.match()
}

func (d *Display) finding(f *wire.TrafficFinding) bool {
	if d.history == nil {
		return true
	}
	d.now = d.history.Finding(f)
	return d.match()
}

func (d *Display) match() bool { return d.filter == nil || d.filter.Match(d.now) }

// asksValues reports whether what is shown may depend on what was measured.
func (d *Display) asksValues() bool { return d.schema != nil && d.schema.Asked("response_time") }

// value holds what was measured until the message that showed it is judged.
func (d *Display) value(v *wire.Value, give func(*wire.Value)) {
	if d.history != nil {
		d.history.Value(v)
	}
	if d.filter == nil {
		give(v)
		return
	}
	if len(d.held) > 0 && d.held[0].Place != v.Place {
		d.release(nil, false, give)
	}
	d.held = append(d.held, *v)
}

// release gives what was held: what the message showed if that is shown, the rest by its place.
func (d *Display) release(m *decode.Message, shown bool, give func(*wire.Value)) {
	if len(d.held) == 0 {
		return
	}
	for i := range d.held {
		v := &d.held[i]
		if m == nil || v.Place != m.Place {
			shown = d.filter.Match(d.history.Place(&v.Place))
		}
		if shown {
			give(v)
		}
	}
	d.held = d.held[:0]
}

// end lets go of what came before, when nothing more comes. It would keep what the engine remembered of it.
func (d *Display) end() { d.now, d.history, d.copies, d.held = nil, nil, nil, nil }

// CompleteNames completes a field's name, up to the next dot.
func CompleteNames(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	var found []string
	directive := cobra.ShellCompDirectiveNoFileComp
	for _, name := range NewSchema().Names() {
		if !strings.HasPrefix(name, begun) {
			continue
		}
		if dot := strings.IndexByte(name[len(begun):], '.'); dot >= 0 {
			name, directive = name[:len(begun)+dot+1], directive|cobra.ShellCompDirectiveNoSpace
		}
		if !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	return found, directive
}
