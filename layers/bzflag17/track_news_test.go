package bzflag17_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// clientMessage is a message from or to one of several clients of a game.
type clientMessage struct {
	client int
	port   uint16 // port of the server; 0: the port that was assigned to the client
	timed
}

func by(client int, list ...timed) (all []clientMessage) {
	for _, m := range list {
		all = append(all, clientMessage{client: client, timed: m})
	}
	return all
}

// toldCase is a message and a name for its event. Messages about the same event have the same name. The name "alone"
// means that the message reports no event, "elsewhere" that another message also reports the event and must be used.
type toldCase struct {
	clientMessage
	event string
}

// toldCases returns the cases of TestTold, in order. As in 1.07e, Ann's client uses a different id for her than all
// other clients use.
func toldCases() (all []toldCase) {
	add := func(event string, list ...clientMessage) {
		for _, s := range list {
			all = append(all, toldCase{s, event})
		}
	}
	const annSees, bobSees, eveSees = 0, 1, 2
	hello := func(client int) clientMessage {
		return clientMessage{client: client, port: 5155, timed: timed{bytes: []byte("BZFS107c" + u16(uint16(6000+client)))}}
	}
	asAnn := "\xc0\x00\x02\x01\x17\x70\x00\x00" // the id that Ann's client uses for her
	player := u16(0, 1, 0, 0) + "name" + zeros(156)
	ownAnn := bySrv("ap", asAnn+player+ann)
	text := func(s string) string { return u16(0xffff) + s + "\x00" + zeros(127-len(s)) }
	chat := func(from, s string) timed { return bySrv("mg", from+zeros(8)+text(s)) }
	padded := bySrv("mg", ann+zeros(8)+text("hi")[:8]+"old"+zeros(119))
	team := bySrv("tu", u16(1, 1, 1, 0, 0))

	add("alone", hello(0), hello(1))
	add("alone", by(0, byCli("en", asAnn+u16(0, 1)+"Ann"+zeros(157)), bySrv("ac", ""))...)
	add("flag 0", by(annSees, updated(0, 1, 1, ann))...)
	add("Ann joins", by(annSees, ownAnn)...)
	add("alone", by(1, byCli("en", bob+u16(0, 2)+"Bob"+zeros(157)), bySrv("ac", ""))...)
	add("elsewhere", by(bobSees, updated(0, 1, 1, ann), added(ann, 1))...)
	add("Bob joins", append(by(annSees, added(bob, 2)), by(bobSees, added(bob, 2))...)...)
	add("elsewhere", by(bobSees, team)...)
	add("team", append(by(annSees, team.later(1000)), by(bobSees, team.later(1000))...)...)

	again := ann + u16(0, 1, 1, 0) + "name" + zeros(156)
	add("Ann again", by(bobSees, bySrv("ap", again).later(1500))...)
	add("Ann again", by(annSees, bySrv("ap", again+ann).later(1500))...)

	add("hi", by(0, byCli("mg", zeros(8)+text("hi")).later(1000))...)
	add("hi", by(annSees, chat(asAnn, "hi").later(1000))...)
	add("hi", by(bobSees, chat(ann, "hi").later(1000), padded.later(1000))...)
	add("spawn", by(0, byCli("al", place))...)
	add("spawn", by(bobSees, bySrv("al", ann+place))...)
	add("shot", by(0, byCli("sb", shotOf(ann, 0, 5)))...)
	add("shot", by(bobSees, bySrv("sb", shotOf(ann, 0, 0)))...) // the server sets the flag to 0
	add("end", by(1, byCli("se", ann+u16(0, 1)))...)
	add("end", by(annSees, bySrv("se", asAnn+u16(0, 1)))...)
	add("death", by(1, byCli("kl", ann+u16(0)))...)
	add("death", by(annSees, bySrv("kl", bob+asAnn+u16(0)))...)
	add("another", by(0, byCli("kl", ann+u16(0)))...)
	add("score", by(1, byCli("sc", u16(0, 1)))...)
	add("score", by(annSees, bySrv("sc", bob+u16(0, 1)))...)
	add("elsewhere", by(0, byCli("gf", u16(0)), byCli("df", zeros(12)), byCli("cf", u16(1)))...)
	add("grab", append(by(annSees, grabbed(asAnn, 0, 1)), by(bobSees, grabbed(ann, 0, 1))...)...)
	add("alone", by(0, bySrv("pi", u16(1)), byCli("pi", u16(1)), bySrv("kl", ann))...)

	add("alone", by(1, byCli("qp", "").later(2000), bySrv("qp", u16(5, 2)).later(2000))...)
	add("elsewhere", by(bobSees, added(ann, 1).later(2000))...)
	add("alone", by(0, byCli("ex", "").later(9000))...)
	add("alone", by(1, byCli("ex", "").later(9000))...)
	add("alone", hello(2))
	add("alone", by(2, byCli("en", eve+u16(0, 9)+"Eve"+zeros(157)).later(9000), bySrv("ac", "").later(9000))...)
	add("Bob is there", by(eveSees, bySrv("ap", bob+u16(0, 2, 7, 7)+zeros(160)).later(9000))...) // no other client was present
	return all
}

// TestTold plays the same game on several servers. It checks that messages about the same event in a game have the same
// encoded event.
func TestTold(t *testing.T) {
	const games = 3
	f := newFlood(64 << 20)
	relay := f.tracker.(wire.Relay)
	var events wiretest.Events
	for i, c := range toldCases() {
		for game := range games {
			port := c.port
			if port == 0 {
				port = uint16(6000 + c.client)
			}
			src, dst, way := wiretest.Host(20+c.client, game, 4000), wiretest.Host(11, game, port), wire.ToServer
			f.place.Conversation = (game*4+c.client)*2 + int(port&1)
			f.place.Lane = uint32(2*f.place.Conversation + 1)
			if !c.toServer {
				src, dst, way = dst, src, wire.FromServer
				f.place.Lane = wire.ReverseLane(f.place.Lane)
			}
			f.send(f.session, int64(time.Hour)+c.at*int64(time.Millisecond), src, dst, way, c.bytes)
			want := c.event
			if want != "alone" && want != "elsewhere" {
				want += " at " + strconv.Itoa(game)
			}
			t.Run(fmt.Sprint(i), func(t *testing.T) { events.Check(t, relay.Told(nil, &f.layer, &f.place), want) })
		}
	}
}
