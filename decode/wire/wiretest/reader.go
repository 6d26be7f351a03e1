package wiretest

import (
	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// A reader decodes the messages of a sample one after the other, as the engine does.
type reader struct {
	sample  *Sample
	layer   wire.Layer
	session wire.Session // nil if the sample has no endpoints
	rest    wire.Datagram
	begun   bool

	off int   // offset of the current message in its datagram
	err error // error of decoding the current message
}

// read returns a reader for a sample, with a new session.
func read(p *wire.Protocol, l wire.Layer, s *Sample) *reader {
	r := &reader{sample: s, layer: l}
	r.rest = wire.Datagram{Src: s.Src, Dst: s.Dst, Payload: s.Data, Missing: s.Missing}
	if p.NewSession != nil && (s.Src.IsValid() || hasState(l)) {
		r.session = p.NewSession(nil)
	}
	r.after(s.after)
	return r
}

// hasState reports whether a layer embeds a wire.State. Its session needs no endpoints.
func hasState(l wire.Layer) bool {
	_, keeps := l.(interface{ Keep() any })
	_, keeper := l.(wire.Keeper) // needs its own session
	return keeps && !keeper
}

// after passes the messages of an earlier sample to the session.
func (r *reader) after(s *Sample) {
	if s == nil {
		return
	}
	r.after(s.after)
	earlier := &reader{sample: s, layer: r.layer, session: r.session}
	earlier.rest = wire.Datagram{Src: s.Src, Dst: s.Dst, Payload: s.Data, Missing: s.Missing}
	for earlier.next() {
	}
}

// next decodes the next message and reports whether there is one. It also decodes an empty datagram, since users of
// gopacket may do so.
func (r *reader) next() bool {
	part := r.layer.Core()
	if r.begun {
		if len(part.Contents) == 0 {
			return false
		}
		r.off += len(part.Contents)
		r.rest.Payload = part.Payload
		if len(r.rest.Payload) == 0 {
			return false
		}
	}
	r.begun = true
	addr := r.rest.Src.Addr()
	part.Context = wire.Context{
		Direction: r.sample.Direction, Dialect: r.sample.Dialect, Missing: r.rest.Missing,
		IPv6: addr.Is6() && !addr.Is4In6(), Transport: r.sample.Transport,
	}
	if r.session != nil {
		r.session.Before(r.layer, &r.rest)
	}
	r.err = r.layer.DecodeFromBytes(r.rest.Payload, gopacket.NilDecodeFeedback)
	if r.session != nil {
		r.session.After(r.layer, &r.rest)
	}
	return true
}

// tree annotates the current message.
func (r *reader) tree() *wire.Tree {
	t := new(wire.Tree)
	r.layer.Core().Annotate(r.layer, t)
	return t
}

// healthy reports whether the current message has no error and no finding.
func (r *reader) healthy() bool {
	return r.err == nil && len(r.layer.Core().Findings()) == 0
}

func (r *reader) encode(fix bool) ([]byte, error) {
	buf := gopacket.NewSerializeBuffer()
	err := r.layer.SerializeTo(buf, gopacket.SerializeOptions{FixLengths: fix})
	return buf.Bytes(), err
}

func (r *reader) name() string { return r.layer.Core().Message.Name }
