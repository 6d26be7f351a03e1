package wiretest

import (
	"bytes"
	"math"
	"reflect"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// checkReuse decodes the sample with a layer that has decoded another sample before, once for each other sample. The
// result must not depend on the other sample.
func checkReuse(t reporter, p *wire.Protocol, s *Sample, others []*Sample) {
	fresh := freshly(p, s)
	for _, other := range others {
		if p.NewSession != nil && other.Src.IsValid() && !s.Src.IsValid() {
			continue // the state stays in the layer until the next session changes it
		}
		used := p.New()
		for r := read(p, used, other); r.next(); {
			r.tree()
		}
		again := read(p, used, s)
		for _, want := range fresh {
			if !again.next() {
				t.Errorf("after %s, the message %s is missing", other.Name, want.name())
				return
			}
			if diff := difference(want.layer, again.layer); diff != "" {
				t.Errorf("%s: after %s, the message differs (-fresh +reused):\n%s", want.name(), other.Name, diff)
				return
			}
			if text := appendMessage(nil, again); !bytes.Equal(want.text, text) {
				t.Errorf("%s: after %s, the tree differs (-fresh +reused):\n%s", want.name(), other.Name,
					cmp.Diff(string(want.text), string(text)))
				return
			}
		}
	}
}

type freshMessage struct {
	*reader
	text []byte
}

// freshly returns the messages of a sample, each decoded with a new layer.
func freshly(p *wire.Protocol, s *Sample) (list []freshMessage) {
	for {
		r := read(p, p.New(), s)
		for range len(list) + 1 {
			if !r.next() {
				return list
			}
		}
		list = append(list, freshMessage{r, appendMessage(nil, r)})
	}
}

// difference compares two layers, including unexported fields. It returns "" if they are equal.
func difference(a, b wire.Layer) string { return cmp.Diff(a, b, equality) }

var equality = cmp.Options{
	cmp.Exporter(func(reflect.Type) bool { return true }),
	cmp.FilterPath(ownUse, cmp.Ignore()),
	cmp.Comparer(func(a, b *wire.MessageType) bool { return a == b }),
	cmp.Comparer(func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }),
	cmp.Comparer(func(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }),
	cmp.FilterPath(isList, cmp.FilterValues(bothEmpty, cmp.Comparer(bothEmpty))),
}

// ownUse reports whether the path leads to an unexported field of a Base: its cursors and caches.
func ownUse(p cmp.Path) bool {
	field, ok := p.Last().(cmp.StructField)
	base := reflect.TypeFor[wire.Base]()
	return ok && p.Index(-2).Type() == base && !base.Field(field.Index()).IsExported()
}

// isList reports whether the path leads to a slice other than []byte. A []byte is a text. A nil text is absent, which
// is not the same as empty.
func isList(p cmp.Path) bool {
	t := p.Last().Type()
	return t != nil && t.Kind() == reflect.Slice && t != reflect.TypeFor[[]byte]()
}

// bothEmpty reports whether both lists are empty. A list that is nil in a new layer may be empty in a reused one.
func bothEmpty(a, b any) bool {
	return reflect.ValueOf(a).Len() == 0 && reflect.ValueOf(b).Len() == 0
}
