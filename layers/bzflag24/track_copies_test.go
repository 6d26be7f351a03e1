package bzflag24_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// A toldCase is a message and the name of its event. Messages about the same event have the same name. "alone" means
// that the message has no event. "elsewhere" means that another message reports the event.
type toldCase struct {
	said
	event string
}

// joining are the messages with which another client becomes player 7.
var joining = []said{
	byCli("BZFLAG\r\n\r\n"), bySrv("BZFS0221\x07"), enters, bySrv(message("ac", "\x07")),
}

// toldCases returns the cases of TestTold, in order. The capture has the connections of players 5 and 7.
func toldCases() (all []toldCase) {
	add := func(event string, list ...said) {
		for _, s := range list {
			all = append(all, toldCase{s, event})
		}
	}
	chat := func(from, to, kind byte, text string) said {
		return bySrv(message("mg", string([]byte{from, to, kind})+text+"\x00"))
	}
	chats := func(to byte, text string) said {
		return byCli(message("mg", string([]byte{to})+text+zeros(128-len(text))))
	}
	left := func(seconds byte) said { return bySrv(message("to", zeros(3)+string([]byte{seconds}))) }
	died := string([]byte{5, 0, 1, 0, 1, 0, 0}) // killed by a shot of player 5

	add("alone", joined[:4]...)
	add("flag 1", updated(1, "GM", 1, 255)) // no other client knows the flag yet
	add("5 joins", joined[4])
	for _, s := range joining {
		add("alone", joinedBy(s))
	}
	add("elsewhere", joinedBy(added(5, 1)), joinedBy(updated(1, "GM", 1, 255)))
	add("7 joins", added(7, 2), joinedBy(added(7, 2)))
	add("elsewhere", joinedBy(left(30)))
	add("time", joinedBy(left(30)).later(2e9), left(30).later(2e9))

	add("hi", joinedBy(chats(254, "hi")), chat(7, 254, 0, "hi"), joinedBy(chat(7, 254, 0, "hi")))
	add("waves", joinedBy(chats(254, "/me waves")), chat(7, 254, 1, "waves"))
	add("hi, 5", joinedBy(chats(5, "hi")), chat(7, 5, 0, "hi"))
	add("alone", joinedBy(chat(253, 7, 0, "welcome")), lagPing(1), lagAnswer(1), gameTime(1))
	add("notice", joinedBy(chat(253, 254, 0, "welcome")), chat(253, 254, 0, "welcome"))

	add("death", joinedBy(byCli(message("kl", died))), killed(7), joinedBy(killed(7)))
	add("another", byCli(message("kl", died)))
	add("elsewhere", byCli(message("gf", "\x00\x01")), spawns)
	add("grab", grabbed(5, 1, "GM"), joinedBy(grabbed(5, 1, "GM")))
	add("spawn", born(5), joinedBy(born(5)))
	moved := tcp(update(1))
	moved.toServer = false
	add("moved", update(1), joinedBy(moved))
	add("shot", shoots, joinedBy(relayed(5, 1, "\x00\x00")))
	add("alone", joinedBy(bySrv(message("kl", "\x07")))) // truncated

	add("alone", byCli(message("ex", "")), joinedBy(byCli(message("ex", ""))))
	for _, s := range joining {
		add("alone", joinedBy(s.later(4e9)))
	}
	add("5 is there", joinedBy(added(5, 3).later(4e9))) // no other client was present before
	return all
}

// TestTold passes the messages of several servers to a tracker. It checks that messages about the same event are
// recognised as copies.
func TestTold(t *testing.T) {
	const many = 3
	g := newGames(t, many)
	relay := g.tracker.(wire.Relay)
	var events wiretest.Events
	for i, c := range toldCases() {
		for game := range many {
			g.hear(game, c.said)
			want := c.event
			if want != "alone" && want != "elsewhere" {
				want += " at " + strconv.Itoa(game)
			}
			t.Run(fmt.Sprint(i), func(t *testing.T) { events.Check(t, relay.Told(nil, g.layer, &g.place), want) })
		}
	}
}

// TestSources checks that each side of a connection is one source, over UDP and TCP together.
func TestSources(t *testing.T) {
	g := newGames(t, 2)
	byUDP := tcp(update(1))
	sources := make(map[uint32]string)
	for game, name := range []string{"a", "b"} {
		for _, s := range slices.Concat(joined, []said{joinedBy(joining[0]), joinedBy(joining[1])}) {
			g.hear(game, s)
		}
		for _, c := range []toldCase{
			{update(2), "5 says"}, {byUDP, "5 says"}, {killed(5), "5 hears"}, {born(5).later(time.Hour), "5 hears"},
			{joinedBy(spawns), "7 says"}, {joinedBy(killed(5)), "7 hears"},
		} {
			g.hear(game, c.said)
			source := g.tracker.(wire.Relay).Told(nil, g.layer, &g.place).Source
			if got, known := sources[source]; known && got != name+c.event {
				t.Errorf("%s %s has the source of %s", name, c.event, got)
			}
			sources[source] = name + c.event
		}
	}
	if len(sources) != 8 {
		t.Errorf("%v", sources)
	}
}
