package bzflag

import "github.com/gamedissect/gamedissect/decode/wire"

// Split returns the length n of the message at the start of a stream's data. n may exceed len(data), and is 0 if more
// bytes are needed. ok reports whether a message can begin with such a header. Then the header has a code that is sent
// over connections and a possible length, or it is a greeting. If ok is false, n is still the length in the header, for
// callers that trust the stream. Other callers look for the next place at which two messages in a row are plausible.
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

// Next uses only the header, since the stream is in step.
func (f *Framing) Next(way wire.Direction, data []byte, _ bool, _ *wire.Progress) int {
	if HasHeader(data) {
		return HeaderSize + int(PeekHeader(data).Length)
	}
	n, _ := f.Split(way, data)
	return n
}

// Plausible accepts only a message that is exactly as the version defines it. Its code must be sent in that direction
// (in any direction, if that is unknown), and its length must be possible for the code.
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

// ProbeStream recognises one direction of a connection by its first messages. A single message is not enough, because
// it may belong to another version.
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
