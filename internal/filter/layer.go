package filter

import (
	"slices"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// A carrier finds the bytes of a field in a packet or a message. A nil function finds none.
type carrier struct {
	message bool        // the bytes are in the message, not in the packet
	span    source      // for a protocol: its header, or all of it
	whole   source      // for a protocol: header and payload; nil: same as span
	layers  layerSource // for a field: its values in some layers of the packet
}

// A layerSource appends the values of a field in the given layers of a packet or, if raw is true, the field's bytes.
type layerSource func(x *Subject, layers []span, raw bool, v []Value) []Value

// everyLayer selects all layers of a packet.
var everyLayer = []span{{0, -1}}

// askPackets records that a filter needs the packets that carry messages.
func (p *parser) askPackets(at token) {
	if !p.schema.packets {
		panic(p.errorAt(at, "filters cannot use the bytes of packets here"))
	}
	p.schema.asked[packetsAsked] = true
}

// packetsAsked is the entry in Schema.asked for all fields that need packets.
const packetsAsked = "frame bytes"

// AsksPackets reports whether a compiled filter, or a call of Resolve, needs the packets that carry messages. If so,
// the caller must pass the packets to History.Frame.
func (s *Schema) AsksPackets() bool { return s.asked[packetsAsked] }

// parseLayer parses #2 or #[1-3], which restricts a field to some layers of the packet. raw says that an @ precedes the
// field, which selects the field's bytes.
func (p *parser) parseLayer(o operand, first token, raw bool) operand {
	layers := everyLayer
	if p.takes("#") {
		layers = p.parseLayers()
	}
	f, ok := o.(*fieldOperand)
	if !ok {
		panic(p.errorAt(first, "@ and # need a field"))
	}
	target := *f.target
	if len(target.locations) == 0 {
		p.askPackets(first)
	}
	switch {
	case target.carrier.layers != nil:
		target.fromSubject = func(x *Subject, v []Value) []Value { return f.target.carrier.layers(x, layers, raw, v) }
	case len(target.locations) > 0:
		p.restrict(&target, layers, raw)
	case raw && target.carrier.span != nil:
		return p.withContent(o, false)
	case raw:
		panic(p.errorAt(first, "%s has no bytes of its own", f.target.Name))
	default:
		inner := target.fromSubject
		target.fromSubject = func(x *Subject, v []Value) []Value { return onlyFirst(layers, inner, x, v) }
	}
	if raw {
		target.Kinds, target.Symbols, target.named, target.known, target.bits = []wire.Kind{wire.Bytes}, nil, false, nil, 0
	}
	return &fieldOperand{&target}
}

// parseLayers parses the number of a layer, or a list of ranges as in a slice. The first layer is 1.
func (p *parser) parseLayers() []span {
	var spans []span
	if t := p.peek(); !p.takes("[") {
		n, err := strconv.ParseUint(t.text, 10, 15)
		if t.kind != word || err != nil || n == 0 {
			panic(p.errorAt(t, "the number of a layer must follow, counting from 1, or a range: #[2-4]"))
		}
		p.take()
		return []span{{int(n) - 1, 1}}
	}
	spans = p.parseSpans()
	for i := range spans {
		if spans[i].from > 0 {
			spans[i].from--
		}
	}
	return spans
}

// restrict restricts a field of messages to layers. A message counts as a single layer.
func (p *parser) restrict(f *Field, layers []span, raw bool) {
	if !inLayers(layers, 0, 1) {
		f.locations = nil
		return
	}
	if !raw {
		return
	}
	of := f.locations
	f.locations = make(map[*wire.MessageType][]location, len(of))
	for m, list := range of {
		for _, l := range list {
			f.locations[m] = append(f.locations[m], location{l.path, partRaw})
		}
	}
}

// onlyFirst appends the values if the layers include the first one, because a message has only one layer.
func onlyFirst(layers []span, values source, x *Subject, v []Value) []Value {
	if !inLayers(layers, 0, 1) {
		return v
	}
	return values(x, v)
}

// inLayers reports whether the layers include layer n of a packet with count layers.
func inLayers(layers []span, n, count int) bool {
	return slices.ContainsFunc(layers, func(s span) bool {
		from := s.from
		if from < 0 {
			from += count
		}
		return n >= from && (s.length < 0 || n < from+s.length)
	})
}

// cutRaw replaces positions in a message with the bytes at these positions.
func cutRaw(v []Value, from int, data []byte) []Value {
	kept := v[:from]
	for _, x := range v[from:] {
		off, size := int(x.Num>>32), int(uint32(x.Num))
		if off+size <= len(data) {
			kept = append(kept, Value{Kind: wire.Bytes, Bytes: data[off : off+size]})
		}
	}
	return kept
}
