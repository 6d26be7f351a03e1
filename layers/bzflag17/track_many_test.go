package bzflag17_test

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/bzflag17"
)

// spoken is what one of a game's clients says or is told.
type spoken struct {
	client int
	port   uint16 // of the server; 0: the one that was announced to the client
	said
}

func by(client int, list ...said) (all []spoken) {
	for _, m := range list {
		all = append(all, spoken{client: client, said: m})
	}
	return all
}

// aGame is one with Ann and Bob, and with somebody whom the server refuses. Much is wrong in it.
func aGame() []spoken {
	const plain = 5
	const annSees, bobSees = 0, 1
	hello := func(client int, port uint16) []spoken {
		return []spoken{{client: client, port: 5155, said: said{bytes: []byte("BZFS107c" + u16(port))}}}
	}
	shot, death := shotOf(ann, 0, 0), ann+u16(0)
	return slices.Concat(
		hello(0, 6000), hello(1, 6001), hello(2, 6002), hello(3, 6003), // nobody follows the last one
		by(0, worldOf(0x40, 80, 2)...), by(1, worldOf(0x40, 80, 2)...),
		by(0, enter()...), by(annSees, added(ann, 1)),
		by(1, byCli("en", bob+u16(0, 2)+"Bob"+zeros(157)), bySrv("ac", ""), bySrv("tu", "\x00\x01"+zeros(8))),
		by(bobSees, added(ann, 1), added(bob, 2)), by(annSees, added(bob, 2)),
		by(2, byCli("en", eve+u16(0, 9)+"Eve"+zeros(157)), bySrv("rj", u16(1))),
		by(0, byCli("al", place)), by(bobSees, bySrv("al", ann+place).later(1)),
		by(1, byCli("al", place)), by(annSees, bySrv("al", bob+place).later(1)),
		by(0, byCli("sb", shot).later(5000)), by(bobSees, bySrv("sb", shot).later(5001)),
		by(1, byCli("se", ann+u16(0, 1)).later(5100)), by(annSees, bySrv("se", ann+u16(0, 1)).later(5101)),
		by(1, byCli("kl", death).later(5200)), by(annSees, bySrv("kl", bob+death).later(5201)),
		by(0, byCli("sc", u16(1, 0)).later(5300)), by(bobSees, bySrv("sc", ann+u16(7, 0)).later(5301)),
		by(1, byCli("sb", shotOf(bob, 0, 0)).later(6500)), by(annSees, bySrv("sb", shotOf(bob, 0, 0)).later(6501)), // dead
		by(annSees, bySrv("se", bob+u16(77, 1)).later(6600)), // never began
		by(annSees, grabbed(ann, 0, plain).later(7000)), by(bobSees, grabbed(ann, 0, plain).later(7000)),
		by(1, byCli("df", zeros(12)).later(7100)), // has none
		by(annSees, bySrv("pi", u16(1)).later(8000)), by(0, byCli("pi", u16(1)).later(8050)),
		by(bobSees, bySrv("pi", u16(1)).later(8000)), // without an echo
		by(0, byCli("al", place).later(8500)),        // again
		by(annSees, bySrv("mg", ann+zeros(8)+u16(0)+"hi"+zeros(126)).later(8600)),
		by(bobSees, bySrv("mg", ann+zeros(8)+u16(0)+"hi"+zeros(126)).later(8600)),
		by(0, byCli("ex", "").later(9000)), by(bobSees, bySrv("rp", ann).later(9001)),
		by(bobSees, bySrv("kl", bob+eve+u16(0xffff)).later(20_000)), // nobody knows Eve
	)
}

// playGames plays a game at so many servers at once, one message after the other at all of them, and tells what is
// found and measured at each.
func playGames(t *testing.T, servers int) [][]string {
	found := make([][]string, servers)
	// tell takes down something at the server of which one of two addresses is.
	tell := func(a, b netip.AddrPort, text string) {
		for _, at := range []netip.AddrPort{a, b} {
			if ip := at.Addr().As4(); ip[0] == 11 {
				i := int(ip[2])<<8 | int(ip[3])
				found[i] = append(found[i], text)
				return
			}
		}
	}
	f := newFlood(64 << 20)
	f.tracker = bzflag17.Protocol.NewTracker(&wire.Reporter{
		Memory:  f.memory,
		Finding: func(r *wire.TrafficFinding) { tell(r.Src, r.Dst, fmt.Sprintf("%d %s %s", r.Time, r.Rule.ID, r.Text)) },
		Value: func(v *wire.Value) {
			if v.Server.Port() != 5155 {
				t.Errorf("a value of %s names the server %s, not the one that said hello", v.What, v.Server)
			}
			host := v.Server.Addr().As4()
			i := int(host[2])<<8 | int(host[3])
			text := fmt.Sprintf("%d %s %q > %q %s %v%s %q", v.Time, v.Table, v.Who, v.Whom, v.What, v.Number, v.Unit, v.Text)
			for client := range 3 { // each server has others
				text = strings.ReplaceAll(text, stranger(20+client, i, 0).Addr().String(), "client"+fmt.Sprint(client))
			}
			tell(v.Server, v.Server, text)
		},
	})
	for _, m := range aGame() {
		f.now = int64(time.Hour) + m.at*int64(time.Millisecond)
		port := m.port
		if port == 0 {
			port = uint16(6000 + m.client)
		}
		for i := range servers {
			src, dst, way := stranger(20+m.client, i, 4000), stranger(11, i, port), wire.ToServer
			f.place.Conversation = (i*4+m.client)*2 + int(port&1)
			f.place.Lane = uint32(2*f.place.Conversation + 1)
			if !m.toServer {
				src, dst, way = dst, src, wire.FromServer
				f.place.Lane = wire.ReverseLane(f.place.Lane)
			}
			f.sayIn(f.session, f.now, src, dst, way, m.bytes)
			for _, r := range f.layer.Findings() {
				tell(src, dst, fmt.Sprintf("%d %s %s", f.now, r.Rule.ID, r.Text))
			}
		}
	}
	f.tracker.Close(f.now)
	return found
}

// TestManyGames plays games at many servers at once. At each of them the same is found as if it were alone: in all so
// many times as much.
func TestManyGames(t *testing.T) {
	alone := playGames(t, 1)[0]
	if len(alone) < 20 {
		t.Fatalf("there is too little to compare:\n%s", strings.Join(alone, "\n"))
	}
	for i, got := range playGames(t, 300) {
		if !slices.Equal(got, alone) {
			t.Fatalf("at server %d of 300 are found\n%s\nalone:\n%s", i, strings.Join(got, "\n"), strings.Join(alone, "\n"))
		}
	}
}
