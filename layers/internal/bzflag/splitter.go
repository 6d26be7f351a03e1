package bzflag

import "github.com/gamedissect/gamedissect/decode/wire"

// Split returns the length n of the message at the beginning of data. n may exceed len(data), and is 0 if more bytes
// are needed. ok reports whether a message can begin like this: with a greeting, or with a header that has a possible
// length and a code that is used on connections. If ok is false, n is still the length in the header, for callers that
// are certain that a message begins here.
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

// Next uses only the header. It is called only at positions where a message begins.
func (f *Framing) Next(way wire.Direction, data []byte, _ bool, _ *wire.Progress) int {
	if HasHeader(data) {
		return HeaderSize + int(PeekHeader(data).Length)
	}
	n, _ := f.Split(way, data)
	return n
}

// Plausible accepts only a message whose code is sent in that direction and whose length is possible for the code. If
// the direction is unknown, the code may be sent in either direction.
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

// Lost does nothing, because a Framing has no state.
func (f *Framing) Lost(wire.Direction) {}

// ProbeStream recognises one direction of a connection by its first messages. A single message may belong to another
// version, so it needs further evidence, such as a known server.
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
