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
	"github.com/gamedissect/gamedissect/internal/other"
)

// Subjects makes the subject of each message and finding, from which filters and sinks read fields. The methods of a
// nil Subjects do nothing.
type Subjects struct {
	schema  *filter.Schema
	copies  *decode.Deduplicator // nil: nothing reads the field "copy"
	history *filter.History
	current *filter.Subject
	packets bool // fields of packets are read, not only fields of messages
}

// NewSubjects returns the Subjects for a schema.
func NewSubjects(s *filter.Schema) *Subjects { return &Subjects{schema: s} }

// Current returns the subject of the current message or finding. It is valid only during the call of a sink that does
// not set Later.
func (s *Subjects) Current() *filter.Subject { return s.current }

// ReadsOthers reports whether the filter or a field selects packets of no game.
func (s *Subjects) ReadsOthers() bool { return s != nil && s.schema.AskedOf(other.Protocol.Name) }

func (s *Subjects) reads(field string) bool { return s != nil && s.schema.Asked(field) }

// begin prepares for the messages of an engine. It must be called after all fields have been resolved.
func (s *Subjects) begin(e *decode.Engine) {
	if s == nil {
		return
	}
	if s.reads("copy") {
		s.copies = e.Deduplicator()
	}
	var before *bounded.Budget
	if s.reads("time_delta") || s.reads("response_time") {
		before = e.Part()
	}
	s.history = filter.NewHistory(before)
	s.packets = s.schema.AsksPackets()
	if s.reads(filter.Who) {
		s.history.FollowPeople(e.Part())
	}
}

// packet processes a packet before the packet's messages.
func (s *Subjects) packet(f *decode.Frame) {
	if s == nil {
		return
	}
	s.history.Packet(f.Time)
	if s.packets {
		s.history.Frame(f)
	}
}

// byPacket reports whether filters or sinks need a packet together with the packet's messages.
func (s *Subjects) byPacket() bool { return s != nil && s.schema.AsksPackets() }

func (s *Subjects) value(v *wire.Value) {
	if s != nil {
		s.history.Value(v)
	}
}

func (s *Subjects) message(m *decode.Message) {
	if s == nil {
		return
	}
	if s.copies != nil {
		s.copies.Copy(m)
	}
	s.current = s.history.Message(m)
}

func (s *Subjects) finding(f *wire.TrafficFinding) {
	if s != nil {
		s.current = s.history.Finding(f)
	}
}

// end drops the references to messages.
func (s *Subjects) end() {
	if s != nil {
		s.current, s.history, s.copies = nil, nil, nil
	}
}

// NewFilter compiles the value of -Y. For an empty value it returns nil, which selects everything.
func NewFilter(s *filter.Schema, text string) (*filter.Filter, error) {
	if text == "" {
		return nil, nil //nolint:nilnil // empty value: no filter
	}
	f, err := s.Compile(text, nil)
	if err != nil {
		if bad, ok := errors.AsType[*filter.Error](err); ok && isCaptureFilter(text) {
			bad.Nearest = append(bad.Nearest, "-f '"+text+"'")
		}
		return nil, fmt.Errorf("-Y: %w", err)
	}
	return f, nil
}

// allNames returns the schema of all protocols. Making it is slow.
var allNames = sync.OnceValue(func() *filter.Schema {
	return filter.NewSchema(append(slices.Clone(option.Protocols()), other.Protocol))
})

// NewSchema returns a schema of all protocols in which no name has been resolved.
func NewSchema() *filter.Schema { return allNames().Fresh() }

// CompleteNames completes the name of a field up to the next dot.
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
