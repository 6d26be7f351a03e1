package bzflag

import "github.com/gamedissect/gamedissect/decode/wire"

// Split reports where the message at the start of a stream's data ends. n is its length, which may exceed len(data), or
// 0 if more bytes are needed. ok reports whether a message can begin with such a header: a code that travels over
// connections with a possible length, or a greeting. If not, n is still the length in the header, for callers that
// trust the stream; others look for the next place where two messages in a row are plausible.
func (f *Framing) Split(way wire.Direction, data []byte) (n int, ok bool) {
	if len(data) < HeaderSize {
		return 0, true
	}
	if n := f.GreetingLength(way, data); n > 0 {
		return n, true
	}
	h := PeekHeader(data)
	ok = h.Length <= MaxBody && f.Table.Get(h.Code) != nil && !h.Code.Ping() && h.Code != CodeNull
	return HeaderSize + int(h.Length), ok
}

// Next uses only the header: the stream is in step.
func (f *Framing) Next(way wire.Direction, data []byte, _ bool, _ *wire.Progress) int {
	if HasHeader(data) {
		return HeaderSize + int(PeekHeader(data).Length)
	}
	n, _ := f.Split(way, data)
	return n
}

// Plausible accepts a message exactly as the version defines it: a code that travels in that direction (any, if the
// direction is unknown) and a length that this code has.
func (f *Framing) Plausible(way wire.Direction, data []byte, _ *wire.Progress) int {
	n, ok := f.Split(way, data)
	if n != wire.NeedMore && (!ok || !f.LengthFits(way, data)) {
		return wire.NoMessage
	}
	return n
}

func (f *Framing) Seek(data []byte) int {
	at := 0
	for ; at+HeaderSize <= len(data); at++ {
		switch x := data[at]; {
		case x > MaxBody>>8 && x != Magic[0]:
		case x == Magic[0], f.Table.Get(PeekHeader(data[at:]).Code) != nil:
			return at
		}
	}
	return at
}

// Lost does nothing: a Framing has no state.
func (f *Framing) Lost(wire.Direction) {}

// ProbeStream recognises one direction of a connection by its first messages. A single message may belong to another
// version too.
func (f *Framing) ProbeStream(p *wire.Probe) wire.Verdict {
	messages, broken := wire.CountPlausible(f, wire.Unknown, p.Payload)
	switch {
	case messages >= 2, messages >= 1 && (p.Known || p.ToExpected || p.FromExpected):
		return wire.Verdict{Confidence: wire.Likely, Direction: p.PortDirection()}
	case !broken:
		return wire.Verdict{Confidence: wire.Maybe}
	}
	return wire.Verdict{}
}
