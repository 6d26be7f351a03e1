package filter

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// addCarriers adds the fields of the packets, addresses and ports that carry messages.
func (s *catalogue) addCarriers() {
	s.addPresence("frame", func(*Subject) bool { return true })
	s.addSubjectField("frame.file", wire.String, textOf(func(x *Subject) string { return x.Place.File }))
	s.addNumber("frame.number", wire.Uint, func(x *Subject) (int64, bool) { return int64(x.Place.Frame), true })
	s.addNumber("frame.time", Time, func(x *Subject) (int64, bool) { return x.Place.Time, true })
	s.addNumber("frame.time_epoch", Duration, func(x *Subject) (int64, bool) { return x.Place.Time, true })
	s.addNumber("frame.time_relative", Duration, func(x *Subject) (int64, bool) { return x.Place.Time - x.first, true })
	s.addNumber("time_delta", Duration, func(x *Subject) (int64, bool) { return x.delta, x.delta != unmeasured })
	s.addNumber("response_time", Duration, func(x *Subject) (int64, bool) { return x.response, x.response != unmeasured })
	s.addTransport("udp", wire.UDP)
	s.addTransport("tcp", wire.TCP)
	s.addAddresses("ip", 32, func(a netip.Addr) bool { return a.Is4() || a.Is4In6() })
	s.addAddresses("ipv6", 128, func(a netip.Addr) bool { return a.Is6() && !a.Is4In6() })
	s.addNumber("stream", wire.Uint, conversation)
	s.addSubjectField("communityid", wire.String, func(x *Subject, v []Value) []Value {
		if _, ok := conversation(x); ok {
			v = append(v, Value{Kind: wire.String, Bytes: x.Place.AppendCommunityID(x.community[:0])})
		}
		return v
	})
	s.addMessage()
}

// conversation returns the stream number that users see.
func conversation(x *Subject) (int64, bool) {
	return int64(x.Place.Conversation), x.Place.Conversation != decode.NoConversation && x.Place.Protocol != nil
}

func (s *catalogue) addTransport(name string, t wire.Transport) {
	is := func(x *Subject) bool { return x.Place.Protocol != nil && x.Place.Transport == t }
	s.addPresence(name, is)
	s.addNumber(name+".stream", wire.Uint, func(x *Subject) (int64, bool) {
		n, ok := conversation(x)
		return n, ok && is(x)
	})
	port := func(a netip.AddrPort) Value { return Value{Kind: wire.Uint, Num: uint64(a.Port())} }
	s.addEnds(name+".srcport", name+".dstport", name+".port", wire.Uint, is,
		func(x *Subject) Value { return port(x.Place.Src) },
		func(x *Subject) Value { return port(x.Place.Dst) })
	for _, end := range []string{".srcport", ".dstport", ".port"} {
		s.fields[name+end].bits = 16
	}
}

func (s *catalogue) addAddresses(name string, bits int, has func(netip.Addr) bool) {
	is := func(x *Subject) bool { return x.Place.Protocol != nil && has(x.Place.Src.Addr()) }
	s.addPresence(name, is)
	address := func(a netip.AddrPort, room *[16]byte) Value {
		at := a.Addr().Unmap()
		if at.Is4() {
			*(*[4]byte)(room[:]) = at.As4()
			return Value{Kind: wire.Address, Bytes: room[:4]}
		}
		*room = at.As16()
		return Value{Kind: wire.Address, Bytes: room[:]}
	}
	s.addEnds(name+".src", name+".dst", name+".addr", wire.Address, is,
		func(x *Subject) Value { return address(x.Place.Src, &x.src) },
		func(x *Subject) Value { return address(x.Place.Dst, &x.dst) })
	for _, end := range []string{".src", ".dst", ".addr"} {
		s.fields[name+end].addressBits = bits
	}
}

// addEnds adds fields for the source, the destination, and both. A field has values only for
// subjects that have the ends, see has.
func (s *catalogue) addEnds(
	source, destination, both string, kind wire.Kind, has func(*Subject) bool, src, dst func(*Subject) Value,
) {
	add := func(name string, ends ...func(*Subject) Value) {
		s.addSubjectField(name, kind, func(x *Subject, v []Value) []Value {
			if has(x) {
				for _, end := range ends {
					v = append(v, end(x))
				}
			}
			return v
		})
	}
	add(source, src)
	add(destination, dst)
	add(both, src, dst)
}

// addMessage adds the fields that every message has, under their JSON names.
func (s *catalogue) addMessage() {
	of := func(get func(*decode.Message) string) source {
		return textOf(func(x *Subject) string {
			if x.Message == nil {
				return ""
			}
			return get(x.Message)
		})
	}
	message := s.addSubjectField("message", wire.String, of(func(m *decode.Message) string { return m.Name }))
	protocol := s.addSubjectField("protocol", wire.String, textOf(func(x *Subject) string {
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
	s.addSubjectField("code", wire.String, of(func(m *decode.Message) string { return m.Code }))
	direction := of(func(m *decode.Message) string { return m.Direction.String() })
	s.addSubjectField("direction", wire.String, direction).known =
		[]string{wire.ToServer.String(), wire.FromServer.String(), wire.PeerToPeer.String()}
	s.addSubjectField("transport", wire.String, textOf(func(x *Subject) string {
		if x.Place.Protocol == nil {
			return ""
		}
		return x.Place.Transport.String()
	})).known = []string{wire.UDP.String(), wire.TCP.String()}
	s.addNumber("length", wire.Uint, func(x *Subject) (int64, bool) {
		if x.Message == nil {
			return 0, false
		}
		return int64(x.Message.Length), true
	})
	s.addWho()
	s.addPresence("copy", func(x *Subject) bool { return x.Message != nil && x.Message.Copy })
	s.addSubjectField("info", wire.String, func(x *Subject, v []Value) []Value {
		if x.Message == nil {
			return v
		}
		x.info = format.AppendSummary(x.info[:0], x.Message.Layer)
		return append(v, Value{Kind: wire.String, Bytes: x.info})
	})
}

func (s *catalogue) addFindings() {
	s.addPresence("finding", func(x *Subject) bool { return x.Finding != nil || len(x.findings()) > 0 })
	each := func(get func(r *wire.Rule, text string) Value) source {
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
	rule := s.addSubjectField("finding.rule", wire.String, each(func(r *wire.Rule, _ string) Value {
		return Value{Kind: wire.String, Bytes: textBytes(r.ID)}
	}))
	rules := decode.Rules()
	for _, p := range s.protocols {
		rules = append(rules, p.Rules...)
	}
	for _, r := range rules {
		rule.known = append(rule.known, r.ID)
	}
	s.addSubjectField("finding.severity", wire.Enum, each(func(r *wire.Rule, _ string) Value {
		return Value{Kind: wire.Enum, Num: uint64(r.Severity), Symbols: severities}
	})).Symbols = severities
	s.addSubjectField("finding.text", wire.String, each(func(_ *wire.Rule, text string) Value {
		return Value{Kind: wire.String, Bytes: textBytes(text)}
	}))
}

var severities = wire.Names(wire.Note.String(), wire.Warning.String(), wire.Error.String())
