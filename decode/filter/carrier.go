package filter

import (
	"net/netip"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// direct adds a field that no message holds.
func (s *Schema) direct(name string, k wire.Kind, values func(*Subject, []Value) []Value) *Field {
	f := &Field{Name: name, Kinds: []wire.Kind{k}, outside: values}
	s.fields[name] = f
	return f
}

func number(k wire.Kind, get func(*Subject) (n uint64, ok bool)) func(*Subject, []Value) []Value {
	return func(x *Subject, v []Value) []Value {
		if n, ok := get(x); ok {
			v = append(v, Value{Kind: k, Num: n})
		}
		return v
	}
}

func text(get func(*Subject) string) func(*Subject, []Value) []Value {
	return func(x *Subject, v []Value) []Value {
		if t := get(x); t != "" {
			v = append(v, Value{Kind: wire.String, Bytes: textBytes(t)})
		}
		return v
	}
}

// addCarriers adds what stands around messages: packets, addresses, ports.
func (s *Schema) addCarriers() {
	s.exists("frame", func(*Subject) bool { return true })
	s.direct("frame.number", wire.Uint, number(wire.Uint, func(x *Subject) (uint64, bool) { return uint64(x.Place.Frame), true }))
	s.direct("frame.time", Time, number(Time, func(x *Subject) (uint64, bool) { return uint64(x.Place.Time), true }))
	s.direct("frame.time_epoch", Duration, number(Duration, func(x *Subject) (uint64, bool) { return uint64(x.Place.Time), true }))
	s.direct("frame.time_relative", Duration, number(Duration, func(x *Subject) (uint64, bool) { return uint64(x.Place.Time - x.first), true }))
	s.direct("frame.file", wire.String, text(func(x *Subject) string { return x.Place.File }))
	s.direct("time_delta", Duration, number(Duration, func(x *Subject) (uint64, bool) { return uint64(x.delta), x.delta != unmeasured }))
	s.direct("response_time", Duration, number(Duration, func(x *Subject) (uint64, bool) { return uint64(x.response), x.response != unmeasured }))
	s.addTransport("udp", wire.UDP)
	s.addTransport("tcp", wire.TCP)
	s.addAddresses("ip", func(a netip.Addr) bool { return a.Is4() || a.Is4In6() })
	s.addAddresses("ipv6", func(a netip.Addr) bool { return a.Is6() && !a.Is4In6() })
	s.direct("stream", wire.Uint, number(wire.Uint, stream))
	s.addMessage()
}

func stream(x *Subject) (uint64, bool) {
	return uint64(x.Place.Conversation), x.Place.Conversation != decode.NoConversation && x.Place.Protocol != nil
}

func (s *Schema) addTransport(name string, t wire.Transport) {
	is := func(x *Subject) bool { return x.Place.Protocol != nil && x.Place.Transport == t }
	port := func(a netip.AddrPort) Value { return Value{Kind: wire.Uint, Num: uint64(a.Port())} }
	s.exists(name, is)
	s.direct(name+".stream", wire.Uint, number(wire.Uint, func(x *Subject) (uint64, bool) {
		n, ok := stream(x)
		return n, ok && is(x)
	}))
	s.ends(name, "port", "srcport", "dstport", wire.Uint, is, func(x *Subject, source bool) Value {
		if source {
			return port(x.Place.Src)
		}
		return port(x.Place.Dst)
	})
}

func (s *Schema) addAddresses(name string, mine func(netip.Addr) bool) {
	is := func(x *Subject) bool { return x.Place.Protocol != nil && mine(x.Place.Src.Addr()) }
	s.exists(name, is)
	s.ends(name, "addr", "src", "dst", wire.Address, is, func(x *Subject, source bool) Value {
		at, room := x.Place.Dst.Addr(), &x.dst
		if source {
			at, room = x.Place.Src.Addr(), &x.src
		}
		if at = at.Unmap(); at.Is4() {
			*(*[4]byte)(room[:]) = at.As4()
			return Value{Kind: wire.Address, Bytes: room[:4]}
		}
		*room = at.As16()
		return Value{Kind: wire.Address, Bytes: room[:]}
	})
}

// ends adds the fields of both ends, of the source and of the destination.
func (s *Schema) ends(name, both, source, destination string, k wire.Kind, is func(*Subject) bool, get func(*Subject, bool) Value) {
	s.direct(name+"."+source, k, func(x *Subject, v []Value) []Value {
		if is(x) {
			v = append(v, get(x, true))
		}
		return v
	})
	s.direct(name+"."+destination, k, func(x *Subject, v []Value) []Value {
		if is(x) {
			v = append(v, get(x, false))
		}
		return v
	})
	s.direct(name+"."+both, k, func(x *Subject, v []Value) []Value {
		if is(x) {
			v = append(v, get(x, true), get(x, false))
		}
		return v
	})
}

// addMessage adds what all messages have, as JSON calls it.
func (s *Schema) addMessage() {
	of := func(get func(*decode.Message) string) func(*Subject, []Value) []Value {
		return text(func(x *Subject) string {
			if x.Message == nil {
				return ""
			}
			return get(x.Message)
		})
	}
	message := s.direct("message", wire.String, of(func(m *decode.Message) string { return m.Name }))
	protocol := s.direct("protocol", wire.String, text(func(x *Subject) string {
		if x.Place.Protocol == nil {
			return ""
		}
		return x.Place.Protocol.Name
	}))
	for _, p := range s.protocols {
		protocol.known = append(protocol.known, p.Name)
		for _, m := range p.Messages.All() {
			message.known = append(message.known, m.Name)
		}
	}
	s.direct("code", wire.String, of(func(m *decode.Message) string { return m.Code }))
	s.direct("direction", wire.String, of(func(m *decode.Message) string { return m.Direction.String() })).known =
		[]string{wire.ToServer.String(), wire.FromServer.String(), wire.PeerToPeer.String()}
	s.direct("transport", wire.String, text(func(x *Subject) string {
		if x.Place.Protocol == nil {
			return ""
		}
		return x.Place.Transport.String()
	})).known = []string{wire.UDP.String(), wire.TCP.String()}
	s.direct("length", wire.Uint, number(wire.Uint, func(x *Subject) (uint64, bool) {
		if x.Message == nil {
			return 0, false
		}
		return uint64(x.Message.Length), true
	}))
	s.direct("info", wire.String, func(x *Subject, v []Value) []Value {
		if x.Message == nil {
			return v
		}
		x.info = format.AppendSummary(x.info[:0], x.Message.Layer)
		return append(v, Value{Kind: wire.String, Bytes: x.info})
	})
}

// addFindings adds what is known of the rules that are broken.
func (s *Schema) addFindings() {
	s.exists("finding", func(x *Subject) bool { return x.Finding != nil || len(x.findings()) > 0 })
	each := func(get func(r *wire.Rule, text string) Value) func(*Subject, []Value) []Value {
		return func(x *Subject, v []Value) []Value {
			if x.Finding != nil {
				return append(v, get(x.Finding.Rule, x.Finding.Text))
			}
			for _, f := range x.findings() {
				v = append(v, get(f.Rule, f.Text))
			}
			return v
		}
	}
	rule := s.direct("finding.rule", wire.String, each(func(r *wire.Rule, _ string) Value {
		return Value{Kind: wire.String, Bytes: textBytes(r.ID)}
	}))
	rules := decode.Rules()
	for _, p := range s.protocols {
		rules = append(rules, p.Rules...)
	}
	for _, r := range rules {
		rule.known = append(rule.known, r.ID)
	}
	s.direct("finding.severity", wire.Enum, each(func(r *wire.Rule, _ string) Value {
		return Value{Kind: wire.Enum, Num: uint64(r.Severity), Symbols: severities}
	})).Symbols = severities
	s.direct("finding.text", wire.String, each(func(_ *wire.Rule, text string) Value {
		return Value{Kind: wire.String, Bytes: textBytes(text)}
	}))
}

var severities = wire.Names(wire.Note.String(), wire.Warning.String(), wire.Error.String())

// textBytes gives a text as bytes that nobody may change, without copying it.
func textBytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// nameBytes is the name of a symbol.
func nameBytes(s wire.Symbols, v int64) []byte { return textBytes(s.Name(v)) }
