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
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// Display applies the display filter. The zero display shows everything.
type Display struct {
	schema  *filter.Schema       // nil: neither the filter nor a sink asks for fields
	copies  *decode.Deduplicator // nil: neither asks for the field "copy"
	history *filter.History      // nil: there is no schema
	filter  *filter.Filter       // nil: shows everything
	now     *filter.Subject      // the current message or finding
	held    []wire.Value         // measured at a message that the engine has not given yet
}

// NewDisplay compiles the value of -Y. An empty one shows everything; sinks can still read fields by the schema.
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

// asksCopies reports whether the filter or a sink asks for the field "copy".
func (d *Display) asksCopies() bool { return d.schema != nil && d.schema.Asked("copy") }

// AskCopies makes the display find copies, as if a sink had asked for the field "copy".
func (d *Display) AskCopies() error {
	_, err := d.schema.Resolve("copy", nil)
	return err
}

// begin prepares for the messages of an engine. All fields must have been resolved before.
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

// allNames returns the schema of all protocols. Making it takes long.
var allNames = sync.OnceValue(func() *filter.Schema { return filter.NewSchema(option.Protocols()) })

// NewSchema returns a schema of all protocols in which no name has been resolved.
func NewSchema() *filter.Schema { return allNames().Fresh() }

// Subject returns the current message or finding with what came before it. It is valid during the call of the sink.
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

// asksValues reports whether the filter or a sink asks for a measured field.
func (d *Display) asksValues() bool { return d.schema != nil && d.schema.Asked("response_time") }

// value passes a measured value to give. With a filter it holds the value until the filter has decided about the
// message at the same place.
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

// release gives the held values: those of the message m if m is shown, others if the filter matches their place.
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

// end drops the references to messages, so that the engine's memory can be freed.
func (d *Display) end() { d.now, d.history, d.copies, d.held = nil, nil, nil, nil }

// CompleteNames completes the name of a field up to its next dot.
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
