package message

import (
	"net/netip"
	"testing"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/bzflag24"
	"github.com/gamedissect/gamedissect/layers/tribes"
)

// The text of a place is correct even if another text is cached for the place's lane.
func TestJSONPlaces(t *testing.T) {
	first := wire.Place{Lane: 7, Conversation: 3, Src: netip.MustParseAddrPort("10.0.0.1:5154"), Dst: netip.MustParseAddrPort("10.0.0.2:4000"),
		Protocol: tribes.Protocol}
	fresh := func(p *wire.Place) string { return string(new(jsonPlaces).append(nil, p)) }
	var j jsonPlaces
	const want = `,"transport":"udp","stream":3,"community_id":"1:FZoMVVzJQ0nwOg5NvxBqayqLSLQ=","src":"10.0.0.1:5154","dst":"10.0.0.2:4000","protocol":"tribes"`
	if got := string(j.append(nil, &first)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, change := range []func(*wire.Place){
		func(p *wire.Place) { p.Src, p.Dst = p.Dst, p.Src },
		func(p *wire.Place) { p.Src, p.Dst, p.Lane = p.Dst, p.Src, wire.ReverseLane(p.Lane) },
		func(p *wire.Place) {
			p.Src, p.Dst, p.Lane, p.Transport = p.Dst, p.Src, wire.ReverseLane(p.Lane), wire.TCP
		},
		func(p *wire.Place) { p.Lane = wire.ReverseLane(p.Lane) },
		func(p *wire.Place) { p.Lane = 0 },
		func(p *wire.Place) { p.Src = netip.MustParseAddrPort("10.0.0.3:5154") },
		func(p *wire.Place) { p.Dst = netip.MustParseAddrPort("10.0.0.2:4001") },
		func(p *wire.Place) { p.Transport = wire.TCP },
		func(p *wire.Place) { p.Conversation = 4 },
		func(p *wire.Place) { p.Conversation = decode.NoConversation },
		func(p *wire.Place) { p.Protocol = bzflag24.Protocol },
		func(p *wire.Place) { p.Lane += placeSlots; p.Conversation = 9 },
		func(p *wire.Place) { p.Frame, p.Time = 2, 5 },
	} {
		second := first
		change(&second)
		for _, p := range []*wire.Place{&first, &second, &second, &first} {
			if got, want := string(j.append(nil, p)), fresh(p); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
	}
	var buf []byte
	if n := testing.AllocsPerRun(100, func() { buf = j.append(buf[:0], &first) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
