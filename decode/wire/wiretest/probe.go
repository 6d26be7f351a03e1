package wiretest

import (
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// checkProbe checks that the protocol recognises each sample that uses one of the protocol's ports and has no findings.
func checkProbe(t reporter, p *wire.Protocol, s *Sample) {
	if p.Probe == nil && s.Transport == wire.UDP || p.ProbeStream == nil && s.Transport == wire.TCP {
		return
	}
	way, healthy := wire.Unknown, true
	for r := read(p, p.New(), s); r.next(); {
		if r.begun && r.off == 0 {
			way = r.layer.Core().Direction
		}
		healthy = healthy && r.healthy()
	}
	if !healthy {
		return
	}
	d := &wire.Datagram{Src: s.Src, Dst: s.Dst, Payload: s.Data, Missing: s.Missing}
	checkDirection(t, p, s.Transport, d, way)
	known, onPort := s.recognised(p)
	if !onPort {
		return
	}
	switch {
	case !known && s.Unrecognised == "":
		t.Errorf("the sample has no findings, but it is not recognised")
	case known && s.Unrecognised != "":
		t.Errorf("the header \"unrecognised\" is not needed")
	}
}

// recognised probes the sample as the engine probes a new conversation.
func (s *Sample) recognised(p *wire.Protocol) (known, onPort bool) {
	ports := p.UDP
	if s.Transport == wire.TCP {
		ports = p.TCP
	}
	to, from := slices.Contains(ports, s.Dst.Port()), slices.Contains(ports, s.Src.Port())
	judge := p.Probe
	if s.Transport == wire.TCP {
		judge = p.ProbeStream
	}
	d := &wire.Datagram{Src: s.Src, Dst: s.Dst, Payload: s.Data, Missing: s.Missing}
	v := judge(&wire.Probe{Datagram: d, ToPort: to, FromPort: from})
	return v.Confidence > wire.No, to || from
}

// checkDirection checks that probing a datagram, or the beginning of a connection, does not return the wrong direction.
func checkDirection(t reporter, p *wire.Protocol, transport wire.Transport, d *wire.Datagram, way wire.Direction) {
	judge := p.Probe
	if transport == wire.TCP {
		judge = p.ProbeStream
	}
	if judge == nil || way != wire.ToServer && way != wire.FromServer {
		return
	}
	to := way == wire.ToServer
	for _, probe := range []*wire.Probe{
		{Datagram: d},
		{Datagram: d, ToPort: to, FromPort: !to},
		{Datagram: d, ToExpected: to, FromExpected: !to, Known: true},
	} {
		v := judge(probe)
		if v.Confidence > wire.No && v.Direction != wire.Unknown && v.Direction != wire.PeerToPeer && v.Direction != way {
			t.Errorf("the direction is %s, but it is recognised as %s (to the port %t, expected %t)", way, v.Direction,
				probe.ToPort,
				probe.ToExpected)
		}
	}
}

func checkDirections(t reporter, p *wire.Protocol, k *talk) {
	for i := range k.turns {
		n := &k.turns[i]
		transport := wire.UDP
		if n.what == "tcp" {
			transport = wire.TCP
		}
		if len(n.data) > 0 {
			checkDirection(t, p, transport, &wire.Datagram{Src: n.src, Dst: n.dst, Payload: n.data}, k.direction(n))
		}
	}
}

func probe(p *wire.Protocol, s *Sample) {
	if p.Probe != nil && s.Transport == wire.UDP || p.ProbeStream != nil && s.Transport == wire.TCP {
		s.recognised(p) // must not panic
	}
}
