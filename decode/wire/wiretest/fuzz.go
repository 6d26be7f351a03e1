package wiretest

import (
	"bytes"
	"net/netip"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Fuzz tests a protocol with random datagrams. The samples in the folder are the seeds.
func Fuzz(f *testing.F, p *wire.Protocol, dir string) {
	samples, err := Samples(dir)
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range samples {
		f.Add(flags(s), s.Src.Port(), s.Dst.Port(), uint16(s.Missing), s.Data)
	}
	f.Fuzz(func(t *testing.T, flags byte, src, dst, missing uint16, data []byte) {
		checkAny(t, p, unflag(flags, src, dst, int(missing), data))
	})
}

// Flags that represent the header of a sample. The fuzzer varies them in addition to the ports and the bytes. The
// lowest two bits are the direction.
const (
	documentFlag  = 1 << 2
	endpointsFlag = 1 << 3
	ipv6Flag      = 1 << 4
	streamFlag    = 1 << 5
)

func flags(s *Sample) byte {
	b := byte(s.Direction)
	if s.Dialect == wire.Document {
		b |= documentFlag
	}
	if s.Src.IsValid() {
		b |= endpointsFlag
	}
	if s.Transport == wire.TCP {
		b |= streamFlag
	}
	if s.Src.Addr().Is6() {
		b |= ipv6Flag
	}
	return b
}

func unflag(flags byte, src, dst uint16, missing int, data []byte) *Sample {
	s := &Sample{Name: "fuzz", Data: data, Missing: missing, Direction: wire.Direction(flags & 3)}
	if flags&streamFlag != 0 {
		s.Transport = wire.TCP
	}
	if flags&documentFlag != 0 {
		s.Dialect = wire.Document
	}
	if flags&endpointsFlag != 0 {
		addr := netip.MustParseAddr("192.0.2.1")
		if flags&ipv6Flag != 0 {
			addr = netip.MustParseAddr("2001:db8::1")
		}
		s.Src, s.Dst = netip.AddrPortFrom(addr, src), netip.AddrPortFrom(addr.Next(), dst)
	}
	return s
}

// checkAny checks properties that must hold for any bytes.
func checkAny(t reporter, p *wire.Protocol, s *Sample) {
	probe(p, s)
	checkSplit(t, p, s)
	for r := read(p, p.New(), s); r.next(); {
		part := r.layer.Core()
		if part.Message == nil || part.Body == nil {
			t.Errorf("a message without a type or a body")
			return
		}
		if joined := append(bytes.Clone(part.Contents), part.Payload...); !bytes.Equal(joined, r.rest.Payload) {
			t.Errorf("%s: contents and payload are not the datagram", r.name())
		}
		r.checkTiles(t)
		r.checkFindings(t)
		checkText(t, appendMessage(nil, r))
		switch {
		case part.Exact():
			r.checkEncoding(t, false)
			if r.session == nil { // with a session, a message may depend on earlier ones
				r.checkSecond(t, p)
			}
		case r.err == nil:
			r.checkSettles(t, p)
		}
	}
}

// checkSecond decodes the current message by itself, with another layer. The result must not depend on other messages
// of the stream, or on earlier messages of the datagram. Later messages of the datagram stay, because a finding may be
// about the size of the datagram.
func (r *reader) checkSecond(t reporter, p *wire.Protocol) {
	alone := *r.sample
	alone.Data = r.layer.Core().Contents
	if later := r.layer.Core().Payload; len(later) > 0 && r.sample.Transport == wire.UDP {
		alone.Data = slices.Concat(alone.Data, later)
	} else if len(later) > 0 {
		alone.Missing = 0 // the missing bytes belonged to later messages
	}
	again := read(p, p.New(), &alone)
	again.next()
	a, b := appendMessage(nil, r), appendMessage(nil, again)
	if !bytes.Equal(a, b) {
		t.Errorf("%s: decoded alone, the message differs\namong others\n%s\nalone\n%s", r.name(), a, b)
	}
	if diff := cmp.Diff(r.layer.Core().Body, again.layer.Core().Body, equality); diff != "" {
		t.Errorf("%s: decoded alone, the body differs (-among others +alone):\n%s", r.name(), diff)
	}
}

// checkSettles writes a message that is not Exact, reads the result, and writes it again. It reads with the same state
// as the first time. The second writing must produce the same bytes as the first.
func (r *reader) checkSettles(t reporter, p *wire.Protocol) {
	once, err := r.encode(true)
	if err != nil {
		return // the message cannot be written with correct lengths
	}
	second := reader{layer: p.New()}
	context := &second.layer.Core().Context
	*context = r.layer.Core().Context
	context.Missing = 0
	_ = wire.Recall(second.layer, once, wire.Keep(r.layer)) // an error in the message may remain
	twice, err := second.encode(true)
	if err != nil || !bytes.Equal(once, twice) {
		t.Errorf("%s: writing again produces other bytes: %x, %x, %v", r.name(), once, twice, err)
	}
}
