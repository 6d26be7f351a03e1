package wiretest

import (
	"bytes"
	"math"
	"reflect"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// checkReuse decodes the sample through a layer that decoded another sample before, for each of
// the others. Nothing of the other must remain.
func checkReuse(t reporter, p *wire.Protocol, s *Sample, others []*Sample) {
	fresh := freshly(p, s)
	for _, other := range others {
		if p.NewSession != nil && other.Src.IsValid() && !s.Src.IsValid() {
			continue // state that a session put into the layer stays until the session changes it
		}
		used := p.New()
		for r := read(p, used, other); r.next(); {
			r.tree()
		}
		again := read(p, used, s)
		for _, want := range fresh {
			if !again.next() {
				t.Errorf("after %s there is no %s", other.Name, want.name())
				return
			}
			if diff := difference(want.layer, again.layer); diff != "" {
				t.Errorf("%s: after %s the message is another (-fresh +reused):\n%s", want.name(), other.Name, diff)
				return
			}
			if text := appendMessage(nil, again); !bytes.Equal(want.text, text) {
				t.Errorf("%s: after %s the tree is another (-fresh +reused):\n%s", want.name(), other.Name,
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

// freshly reads the messages of a sample, each in a layer of its own.
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

// difference compares the messages of two layers, unexported fields included. It returns "" if they
// are equal.
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

// isList reports whether the path leads to a list. Byte slices are texts: nil is an absent text, which
// differs from an empty one.
func isList(p cmp.Path) bool {
	t := p.Last().Type()
	return t != nil && t.Kind() == reflect.Slice && t != reflect.TypeFor[[]byte]()
}

// bothEmpty reports whether neither list has elements. A reused one is empty where a fresh one is nil.
func bothEmpty(a, b any) bool {
	return reflect.ValueOf(a).Len() == 0 && reflect.ValueOf(b).Len() == 0
}
