package wiretest

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/print"

	"github.com/google/go-cmp/cmp"
	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// checkBytes checks that the leaves of a message cover all its bytes, once and in order, and that findings point to
// bytes of the message.
func checkBytes(t reporter, p *wire.Protocol, s *Sample) {
	for r := read(p, p.New(), s); r.next(); {
		r.checkTiles(t)
		r.checkFindings(t)
	}
}

func (r *reader) checkTiles(t reporter) {
	end := 0
	for _, l := range leaves(r.tree()) {
		switch {
		case l.Computed, l.Inside:
			continue
		case int(l.Off) != end:
			t.Errorf("%s: %v does not begin at %d", r.name(), &l, end)
		case l.path == wire.Undecoded && r.err == nil:
			t.Errorf("%s: %v, although there is no error; a message must end with wire.Trailing or wire.Rest", r.name(), &l)
		}
		end = l.end()
	}
	if n := len(r.layer.Core().Contents); end != n {
		t.Errorf("%s: the fields end at %d, but the message has %d bytes", r.name(), end, n)
	}
}

func (r *reader) checkFindings(t reporter) {
	for _, f := range r.layer.Core().Findings() {
		if f.Off < 0 || f.Size < 0 || f.Off+f.Size > r.layer.Core().Size() {
			t.Errorf("%s: %s is about bytes %d to %d, but the message has %d", r.name(), f.Rule.ID, f.Off, f.Off+f.Size,
				r.layer.Core().Size())
		}
		if f.Text == "" {
			t.Errorf("%s: %s has no text", r.name(), f.Rule.ID)
		}
	}
}

func checkBreaks(t reporter, p *wire.Protocol, s *Sample) {
	found := broken(p, s)
	if diff := cmp.Diff(s.Breaks, found); diff != "" {
		what := "the sample's findings differ from its lines \"breaks:\""
		if slices.Equal(slices.Sorted(slices.Values(s.Breaks)), slices.Sorted(slices.Values(found))) {
			what = "the lines \"breaks:\" are right, but not in the order in which the message is read"
		}
		t.Errorf("%s (-stated +found):\n%s", what, diff)
	}
}

// broken returns the findings of a sample in the form of the header "breaks" (see Sample).
func broken(p *wire.Protocol, s *Sample) []string {
	var list []string
	for r := read(p, p.New(), s); r.next(); {
		list = appendBreaks(list, r.layer, r.off)
	}
	return list
}

// checkStated checks that the messages of a talk (see Talks) have exactly the findings that the talk states for them.
// It skips messages for which the talk states none.
func checkStated(t reporter, p *wire.Protocol, k *talk) {
	y := newPlayer(k, p)
	y.show(k.turns)
	for i, n := range k.turns {
		if diff := cmp.Diff(n.breaks, y.breaks[i]); n.breaks != nil && diff != "" {
			t.Errorf("the findings of message %d differ from its lines \"breaks:\" (-stated +found):\n%s", i+1, diff)
		}
	}
}

// checkRoundTrip checks that writing a message produces the bytes from which the message was read.
func checkRoundTrip(t reporter, p *wire.Protocol, s *Sample) {
	for r := read(p, p.New(), s); r.next(); {
		part := r.layer.Core()
		if part.Exact() {
			r.checkEncoding(t, false)
		}
		if part.Exact() && r.healthy() && !part.Truncated() {
			r.checkEncoding(t, true)
		}
	}
}

func (r *reader) checkEncoding(t reporter, fix bool) {
	want := r.layer.Core().Contents
	got, err := r.encode(fix)
	if err != nil {
		t.Errorf("%s: cannot be written: %v", r.name(), err)
	} else if !bytes.Equal(got, want) {
		t.Errorf("%s, lengths fixed %t: written with other bytes\nread\n%swritten\n%s", r.name(), fix, hex.Dump(want),
			hex.Dump(got))
	}
}

// checkChanged changes each byte of the sample in turn. If the changed message can be read without an error, writing it
// must produce the same bytes. This detects a Walk that reads a byte without storing it, and writes a constant.
func checkChanged(t reporter, p *wire.Protocol, s *Sample) {
	first := &counter{reporter: t}
	changed := *s
	changed.Data = bytes.Clone(s.Data)
	for i := range changed.Data {
		for _, mask := range [...]byte{0x01, 0x80} {
			changed.Data[i] ^= mask
			for r := read(p, p.New(), &changed); first.failures == 0 && r.next(); {
				if r.layer.Core().Exact() {
					r.checkEncoding(first, false)
				}
			}
			changed.Data[i] ^= mask
		}
	}
}

// checkAnnotate checks that annotating a message does not change it.
func checkAnnotate(t reporter, p *wire.Protocol, s *Sample) {
	plain, annotated := read(p, p.New(), s), read(p, p.New(), s)
	for plain.next() && annotated.next() {
		annotated.tree()
		if diff := difference(plain.layer, annotated.layer); diff != "" {
			t.Errorf("%s: making the tree changes the message (-before +after):\n%s", plain.name(), diff)
		}
	}
}

// checkFolded checks that the printer shows the same text for the folded and for the whole tree. The printer folds long
// lists of a whole tree itself.
func (r *reader) checkFolded(t reporter) {
	part := r.layer.Core()
	var folded wire.Tree
	part.AnnotateFolded(r.layer, &folded, part.Findings())
	var printer print.Printer
	got := printer.Append(nil, &folded, part.Contents, part.Findings())
	want := printer.Append(nil, r.tree(), part.Contents, part.Findings())
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s: the folded tree prints differently (-whole +folded):\n%s", r.name(), diff)
	}
}

// checkSchema checks that Describe lists all fields of a message.
func checkSchema(t reporter, p *wire.Protocol, s *Sample) {
	for r := read(p, p.New(), s); r.next(); {
		fields := make(map[string]wire.Field)
		for _, f := range p.Describe(r.layer.Core().Message) {
			fields[f.Name] = f
		}
		for _, l := range leaves(r.tree()) {
			f, ok := fields[l.field]
			first, _, _ := strings.Cut(l.field, ".")
			switch {
			case l.path == wire.Undecoded, fields[first].Open:
			case !ok:
				t.Errorf("%s: the description lacks %s", r.name(), l.field)
			case f.Kind != l.Kind || f.Computed != l.Computed:
				t.Errorf("%s: %s is %v, but described as %v", r.name(), l.field, l.Kind, f.Kind)
			case !slices.Equal(f.Around, l.around):
				t.Errorf("%s: %s is within %v, but described as within %v", r.name(), l.field, l.around, f.Around)
			}
		}
	}
}

// checkAllocations checks that neither decoding nor annotating with a reused tree allocates memory. It skips messages
// with errors or findings, messages inside others, and messages that change the state of a connection. Parsed JSON
// texts may allocate memory for the tree.
func checkAllocations(t reporter, p *wire.Protocol, s *Sample) {
	var tree wire.Tree
	for r := read(p, p.New(), s); r.next(); {
		state, _ := r.layer.(interface{ Changes() bool })
		if !r.healthy() || r.layer.Core().Inside() > 0 || state != nil && state.Changes() {
			continue
		}
		data := r.rest.Payload
		const runs = 10
		if n := testing.AllocsPerRun(runs, func() { _ = r.layer.DecodeFromBytes(data, gopacket.NilDecodeFeedback) }); n > 0 {
			t.Errorf("%s: decoding allocates %v times", r.name(), n)
		}
		parses := func(n wire.Node) bool { return n.Parsed } // Cursor.JSON allocates; few messages use it
		n := testing.AllocsPerRun(runs, func() { r.layer.Core().Annotate(r.layer, &tree) })
		if n > 0 && !slices.ContainsFunc(tree.Nodes, parses) {
			t.Errorf("%s: annotating allocates %v times; functions for Cursor.Computed must append to their argument",
				r.name(), n)
		}
	}
}

func checkNamed(t reporter, p *wire.Protocol, k *talk) {
	y := newPlayer(k, p)
	y.track(&wire.Reporter{Memory: y.memory, Value: func(v *wire.Value) {
		table := p.Table(v.Table)
		switch {
		case v.Event && (v.Table != "" || !slices.Contains(p.Events, v.What)):
			t.Errorf("event %q of table %q: Protocol.Events must list the event, and events have no table",
				v.What, v.Table)
		case !v.Event && (table == nil || !slices.Contains(slices.Concat(table.Columns, table.Steps), v.What)):
			t.Errorf("value %q of table %q: Protocol.Tables must list the value among the table's columns or steps",
				v.What, v.Table)
		}
	}})
	y.show(k.turns)
	y.tracker.Close(y.now)
}
