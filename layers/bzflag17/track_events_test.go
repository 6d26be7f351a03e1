package bzflag17_test

import (
	"maps"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/bzflag17"
)

// eventsOf sends each message to both Ann and Bob, a minute after they have joined. It returns the reported events.
func eventsOf(list []timed) (events []string) {
	f := newFlood(64 << 20)
	f.tracker = bzflag17.Protocol.NewTracker(&wire.Reporter{Memory: f.memory, Value: func(v *wire.Value) {
		if v.Event {
			events = append(events, v.Text)
		}
	}})
	server := wiretest.Host(11, 0, 5155)
	both := func(at int64, s timed) {
		for i := range 2 {
			f.place.Conversation, f.place.Lane = i, uint32(4*i+1)
			f.send(f.session, at, server, wiretest.Host(20, i, 4000), wire.FromServer, s.bytes)
		}
	}
	name := func(id, name string, team uint16) string {
		return id + u16(0, team, 0, 0) + name + zeros(160-len(name))
	}
	for i, client := range []string{name(ann, "Ann", 1), name(bob, "Bob", 2)} {
		enters := byCli("en", client[:12]+client[16:])
		f.place.Conversation, f.place.Lane = i, uint32(4*i+2)
		f.send(f.session, 0, wiretest.Host(20, i, 4000), server, wire.ToServer, enters.bytes)
		f.place.Lane = uint32(4*i + 1)
		f.send(f.session, 0, server, wiretest.Host(20, i, 4000), wire.FromServer, bySrv("ac", "").bytes)
	}
	both(0, bySrv("ap", name(ann, "Ann", 1)))
	both(0, bySrv("ap", name(bob, "Bob", 2)))
	both(0, bySrv("ap", name(eve, "Eve", 1)))
	events = nil
	for i, s := range list {
		both(int64(time.Minute)+int64(i), s)
	}
	f.tracker.Close(int64(2 * time.Minute))
	return events
}

// TestEvents checks that each event is reported once, as a sentence.
func TestEvents(t *testing.T) {
	add := func(list ...timed) []timed { return list }
	kills := func(killer, victim string, shot uint16) timed { return bySrv("kl", victim+killer+u16(shot)) }
	says := func(from, to string, team uint16, text string) timed {
		return bySrv("mg", from+to+u16(team)+text+zeros(128-len(text)))
	}
	flag := func(code string, number, id, status uint16) timed {
		return bySrv(code, ann+flagOf(number, id, status, ann))
	}
	none, all := uint16(0xffff), zeros(8)
	teamState := func(team, wins, losses uint16) timed { return bySrv("tu", u16(team, 1, 1, wins, losses)) }
	score := bySrv("sc", ann+u16(7, 2))
	update := func(status uint16) timed { return bySrv("pu", eve+u16(status)+zeros(32)) }
	for _, c := range []struct {
		list []timed
		want []string
	}{
		{add(kills(ann, bob, 1)), []string{"Ann kills Bob with a shot"}},
		{add(bySrv("sb", shotOf(ann, 1, 10)), kills(ann, bob, 1)), []string{"Ann kills Bob with Guided Missile"}},
		{add(bySrv("sb", shotOf(ann, 1, 5)), kills(ann, bob, 1)), []string{"Ann kills Bob with a shot"}},
		{add(kills(ann, eve, 1)), []string{"Ann kills Eve with a shot, a teammate"}},
		{add(kills(ann, ann, 1)), []string{"Ann is killed by an own shot"}},
		{add(kills(ann, ann, none)), []string{"Ann self-destructs"}},
		{add(grabbed(ann, 0, 19), kills(ann, bob, none)), []string{"Ann runs over Bob"}},
		{add(grabbed(ann, 0, 22), kills(ann, bob, none)), []string{"Ann kills Bob with Genocide"}},
		{add(kills(ann, bob, none), kills(ann, bob, none)), []string{"Ann kills Bob", "Ann kills Bob"}},
		{add(kills(all, bob, none)), []string{"Bob dies"}},

		{add(flag("gf", 0, 2, 2), flag("df", 0, 2, 3)), []string{"Ann grabs Green's flag", "Ann drops Green's flag"}},
		{add(flag("gf", 0, 2, 2), bySrv("cf", ann+u16(0, 1))), []string{"Ann grabs Green's flag", "Ann captures Green's flag for Red"}},
		{add(bySrv("cf", ann+u16(0, 1))), []string{"Ann captures a flag for Red"}},
		{add(flag("gf", 0, 10, 2), flag("df", 0, 10, 3)), nil},

		{add(says(ann, all, 0, "hi"), says(ann, all, 0, "hi")), []string{"Ann: hi", "Ann: hi"}},
		{add(says(ann, all, 1, "hi")), []string{"Ann to Red: hi"}},
		{add(says(ann, bob, 0, "hi")), []string{"Ann to Bob: hi"}},
		{add(says(ann, ann, 0, "private message from the server")), nil},
		{add(says(ann, all, 0, "say /password sesame")), []string{"Ann: say /password ******"}},

		{add(bySrv("rp", eve)), []string{"Eve leaves"}},
		{add(says(eve, eve, 0, "bye"), bySrv("rp", eve)), []string{"Eve leaves"}},
		{add(bySrv("sk", "")), []string{
			"Ann is removed by the server", "the server shuts down", "Bob leaves: the server shuts down"}},
		{add(update(3), update(3), update(1), update(3), update(0)), []string{"Eve pauses", "Eve goes on", "Eve pauses"}},

		{add(teamState(1, 3, 1), teamState(2, 1, 3), score, bySrv("so", ann+u16(1)), bySrv("to", u16(0)), bySrv("to", u16(60))), []string{
			"Red wins the game: Red 3-1, Green 1-3, best player Ann 7-2", "the game begins, 60 seconds long"}},
		{add(bySrv("sc", bob+u16(1, 0)), bySrv("so", bob+u16(none))), []string{"Bob wins the game: best player Bob 1-0"}},
		{add(bySrv("so", bob+u16(none))), []string{"Bob ends the game, nobody reached the score limit"}},
		{add(grabbed(ann, 0, 1), bySrv("cf", ann+u16(0, 2))), []string{
			"Ann grabs Red's flag", "Ann carries Red's flag to Green's base, an own goal"}},
		{add(bySrv("to", u16(0))), []string{"the game is over"}},
	} {
		if got := eventsOf(c.list); !slices.Equal(got, c.want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// TestQueries sends queries, only some of which are answered, and checks the counts in the table of queries.
func TestQueries(t *testing.T) {
	f := newFlood(64 << 20)
	count := make(map[string]int)
	f.tracker = bzflag17.Protocol.NewTracker(&wire.Reporter{Memory: f.memory, Value: func(v *wire.Value) {
		if v.Table == "queries" {
			count[v.Server.String()+" "+v.Who+" "+v.What+" "+v.Text] += max(int(v.Number), 1)
		}
	}})
	client, server := wiretest.Host(20, 0, 4000), wiretest.Host(11, 0, 5155)
	group := netip.MustParseAddrPort("224.0.1.2:5155")
	for range 2 {
		f.client(client, server, "qg", "")
		f.client(client, server, "qp", "")
		f.client(client, group, "\x04\x04", u16(8))
		f.client(client, server, "\x04\x04", u16(8))
	}
	f.server(server, client, "qg", u16(0, 40, 3, 1, 2)+zeros(26))
	f.server(server, client, "qp", u16(5, 1))
	reply := "BZFS107e" + idOf(server) + "\x14\x00\x00\x00" + u16(0, 40, 3, 1, 2) + zeros(26)
	f.server(server, group, "\x03\x03", reply)
	f.tracker.Close(int64(time.Minute))
	want := map[string]int{
		"11.0.0.0:5155 20.0.0.0:4000 asked ": 6, "11.0.0.0:5155 20.0.0.0:4000 answered ": 2,
		"11.0.0.0:5155 20.0.0.0:4000 answer 3 of 40 players": 1, "11.0.0.0:5155 20.0.0.0:4000 answer 1 player": 1,
		"11.0.0.0:5155 20.0.0.0:4000 unanswered ": 4,
		"224.0.1.2:5155 20.0.0.0:4000 asked ":     2, "11.0.0.0:5155 20.0.0.0 answered ": 1,
		"11.0.0.0:5155 20.0.0.0 answer 3 of 40 players": 1,
	}
	if !maps.Equal(count, want) {
		t.Errorf("got %v, want %v", count, want)
	}
}
