package bzflag24_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/bzflag24"
)

// said is a message, by default from the server to the client over TCP.
type said struct {
	at       time.Duration
	message  string
	toServer bool
	udp      bool
	other    bool // to or from the second client
}

func bySrv(message string) said { return said{message: message} }
func byCli(message string) said { return said{message: message, toServer: true} }

// later returns the message with its time delayed by d.
func (s said) later(d time.Duration) said { s.at += d; return s }

// overUDP returns the message with UDP as its transport.
func (s said) overUDP() said { s.udp = true; return s }

// listener plays messages to a tracker. It records findings, as rule IDs without the protocol's name, and values.
type listener struct {
	*tracked
	found []string
}

func newListener() *listener {
	k := &listener{tracked: &tracked{layer: bzflag24.Protocol.New().(*bzflag24.Layer)}}
	k.tracker = bzflag24.Protocol.NewTracker(&wire.Reporter{
		Finding: func(f *wire.TrafficFinding) { k.note(f.Rule) },
		Value:   func(v *wire.Value) { k.found = append(k.found, "value "+v.What) },
	})
	return k
}

func (k *listener) note(r *wire.Rule) {
	k.found = append(k.found, strings.TrimPrefix(r.ID, "bzflag24."))
}

// hear plays a message. Times are counted from one hour after the epoch.
func (k *listener) hear(s said) {
	p := wire.Place{Time: int64(time.Hour + s.at), Transport: wire.TCP, Src: server, Dst: client}
	if s.udp {
		p.Transport = wire.UDP
	}
	if s.other {
		p.Dst, p.Conversation = other, 1
	}
	way := wire.FromServer
	if s.toServer {
		way = wire.ToServer
	}
	k.says(way, p, []byte(s.message))
	for _, f := range k.layer.Findings() {
		k.note(f.Rule)
	}
}

func zeros(n int) string { return string(make([]byte, n)) }

// These functions return messages about players. The client is player 5.
func added(id, team byte) said {
	return bySrv(message("ap", string([]byte{id, 0, 0, 0, team})+zeros(166)))
}
func born(id byte) said   { return bySrv(message("al", string([]byte{id})+zeros(16))) }
func killed(id byte) said { return bySrv(message("kl", string([]byte{id, 5, 0, 1, 0, 1, 0, 0}))) }
func shot(id, slot byte, flag string) string {
	return message("sb", zeros(4)+string([]byte{id, 0, slot})+zeros(30)+flag+zeros(4))
}

func flagOf(number byte, kind string, owner byte) string {
	return string([]byte{0, number}) + kind + "\x00\x02\x00\x00" + string([]byte{owner}) + zeros(48)
}

func grabbed(id, number byte, kind string) said {
	return bySrv(message("gf", string([]byte{id})+flagOf(number, kind, id)))
}

func dropped(id, number byte, kind string) said {
	return bySrv(message("df", string([]byte{id})+flagOf(number, kind, id)))
}

func paused(on byte) said { return bySrv(message("pa", string([]byte{5, on}))) }

// ago returns the messages with times that are ten seconds earlier.
func ago(before []said, more ...said) (list []said) {
	for _, s := range slices.Concat(before, more) {
		list = append(list, s.later(-10*time.Second))
	}
	return list
}

func captured(id, number byte) said { return bySrv(message("cf", string([]byte{id, 0, number, 0, 1}))) }
func gameTime(us byte) said         { return bySrv(message("gt", zeros(7)+string([]byte{us}))) }
func lagPing(n int) said            { return bySrv(message("pi", string([]byte{byte(n >> 8), byte(n)}))) }
func lagAnswer(n int) said          { return byCli(message("pi", string([]byte{byte(n >> 8), byte(n)}))) }

func update(order byte) said {
	return byCli(message("ps", zeros(4)+"\x05"+zeros(3)+string([]byte{order})+zeros(18))).overUDP()
}

var (
	enters = byCli(message("en", zeros(247)))
	greets = []said{byCli("BZFLAG\r\n\r\n"), bySrv("BZFS0221\x05")}
	joined = append(slices.Clone(greets), enters, bySrv(message("ac", "\x05")), added(5, 1))
	spawns = byCli(message("al", ""))
	shoots = byCli(shot(5, 1, "\x00\x00")).overUDP()
	kicked = bySrv(message("sk", ""))
)

// TestTrackerLimits plays messages exactly at the time limit of a rule, and a nanosecond later. The finding or value is
// expected only after the limit.
func TestTrackerLimits(t *testing.T) {
	seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	add := func(before []said, more ...said) []said { return slices.Concat(before, more) }
	for _, c := range []struct {
		name   string
		before []said
		last   said
		limit  time.Duration
		found  string
	}{
		{"request to spawn", add(joined, born(5)), spawns, seconds(1), "alive-while-alive"},
		{"shot of a dead player", add(joined, born(5), killed(5)), shoots, seconds(1), "acting-while-dead"},
		{"shot of a paused player", add(joined, born(5), paused(1)), shoots, seconds(1), "acting-while-paused"},
		{"shot of a dead player, relayed", add(joined, added(6, 1), born(6), killed(6)), bySrv(shot(6, 1, "\x00\x00")), seconds(1.5), "acting-while-dead"},
		{"entering again", add(greets, bySrv(message("ac", "\x05"))), enters, seconds(0.5), "second-enter"},
		{"before MsgEnter", greets, shoots, seconds(0.5), "before-enter"},
		{"after the removal", add(joined, kicked), gameTime(1).overUDP(), seconds(0.5), "after-superkill"},
		{"refused", add(greets, enters, bySrv(message("rj", zeros(130)))), kicked, seconds(0.5), "reject-without-superkill"},
		{"shot with a flag", add(joined, born(5), grabbed(5, 1, "GM")), shoots, seconds(1), "shot-flag"},
		{"shot after a drop", add(joined, born(5), grabbed(5, 1, "GM").later(-seconds(10)), byCli(message("df", zeros(12)))), shoots, seconds(1), "shot-flag"},
		{"end of a shot", []said{born(6)}, bySrv(message("se", "\x06\x00\x01\x00\x00")), seconds(15), "unknown-shot"},
		{"time", add(joined, gameTime(9)), gameTime(8).overUDP(), seconds(0.5), "game-time-back"},
		{"update before the newest", add(joined, update(10), update(20)), update(15), seconds(1), "update-order"},
		{"update repeated after a newer one", add(joined, update(10), update(20).later(seconds(0.9))), update(10), seconds(1), "update-order"},
		{"update before one that came twice", add(joined, update(10), update(20), update(20).later(seconds(0.9))), update(15), seconds(1), "update-order"},
		{"lag ping", add(joined, lagPing(7)), lagPing(7).overUDP(), seconds(0.5), "lag-ping"},
		{"death after the end of the game", add(joined, added(6, 1), born(6), bySrv(message("so", "\x05\x00\x01"))), killed(6), seconds(1), "killed-while-dead"},
		{"theft", add(joined, added(6, 1), grabbed(6, 1, "TH").later(-seconds(9)), dropped(6, 1, "TH")), bySrv(message("tf", "\x05\x06"+flagOf(2, "GM", 6))), seconds(1), "transfer-holder"},
		{"capture", add(joined, added(6, 1), grabbed(6, 1, "R*"), dropped(6, 1, "R*")), captured(6, 1), seconds(1), "capture-without-drop"},
		{"capture of a flag in the middle of a game", []said{added(6, 1)}, captured(6, 1), seconds(1), "capture-without-drop"},
		{"spawn after a shot", add(ago(joined, born(5), killed(5)), shoots), born(5), seconds(0.05), "acting-while-dead"},
		{"spawn after a relayed shot", add(ago(joined, added(6, 1), born(6), killed(6)), bySrv(shot(6, 1, "\x00\x00")).overUDP()), born(6), seconds(0.5), "acting-while-dead"},
		{"end of a pause after a shot", add(ago(joined, born(5), paused(1)), shoots), paused(0), seconds(0.05), "acting-while-paused"},
		{"MsgEnter after a shot", add(ago(greets), shoots), enters, seconds(0.05), "before-enter"},
		{"MsgAccept after a grab", add(ago(greets, enters), byCli(message("gf", "\x00\x00"))), bySrv(message("ac", "\x05")), seconds(0.05), "acting-before-spawn"},
		{"copy", []said{killed(7)}, said{message: killed(7).message, other: true}, seconds(10), "value deaths"},
	} {
		for _, beyond := range []bool{false, true} {
			k := newListener()
			for _, s := range c.before {
				k.hear(s)
			}
			k.found = nil
			last := c.last.later(c.limit)
			if beyond {
				last.at++
			}
			k.hear(last)
			k.tracker.Close(math.MaxInt64)
			if found := slices.Contains(k.found, c.found); found != beyond {
				t.Errorf("%s, beyond the limit: %t: found %q", c.name, beyond, k.found)
			}
		}
	}
}

// TestTrackerNumbers tests, for several kinds of numbers, the last valid number and the first invalid one.
func TestTrackerNumbers(t *testing.T) {
	settings := bySrv(message("gs", zeros(4)+"\x00\x00\x00\x00\x00\x08\x00\x05\x00\x03"+zeros(16))) // five shots and three flags
	ask := func(flag byte) said { return byCli(message("gf", string([]byte{0, flag}))) }
	pinged := append(slices.Clone(joined), lagPing(5))
	for _, c := range []struct {
		name      string
		before    []said
		good, bad said
		rule      string
	}{
		{"flags", append(slices.Clone(joined), settings), ask(2), ask(3), "flag-number"},
		{"slots", append(slices.Clone(joined), settings), byCli(shot(5, 4, "\x00\x00")), byCli(shot(5, 5, "\x00\x00")), "shot-limit"},
		{"lag pings", append(slices.Clone(joined), lagPing(0)), lagPing(5000), lagPing(5001), "lag-ping"},
		{"an answer before the first ping", pinged, lagAnswer(1), lagAnswer(0), "lag-ping"},
		{"an answer to a later ping", pinged, lagAnswer(5004), lagAnswer(5005), "lag-ping"},
		{"an update by TCP", append(slices.Clone(joined), tcp(update(7))), tcp(update(8)), tcp(update(7)), "update-order"},
	} {
		for _, s := range []said{c.good, c.bad} {
			k := newListener()
			for _, b := range c.before {
				k.hear(b)
			}
			k.found = nil
			k.hear(s)
			if found := slices.Contains(k.found, c.rule); found != (s == c.bad) {
				t.Errorf("%s, invalid: %t: found %q", c.name, s == c.bad, k.found)
			}
		}
	}
}

func tcp(s said) said { s.udp = false; return s }

// TestTrackerClose checks which pending findings are reported at the end of a capture. A finding about a MsgReject is
// reported only if a tenth of a second has passed and the stream has continued. The others are reported at any time.
func TestTrackerClose(t *testing.T) {
	ask := byCli(message("gw", "\x00\x00\x00\x09"))
	reject, next := bySrv(message("rj", zeros(130))), bySrv(message("gt", zeros(8))).later(1)
	for _, c := range []struct {
		name string
		last []said
		wait time.Duration
		rule string
		want bool
	}{
		{"a part of the world", []said{ask}, 0, "world-offset", true},
		{"enough time for a MsgSuperKill", []said{reject, next}, 100 * time.Millisecond, "reject-without-superkill", true},
		{"too little time for a MsgSuperKill", []said{reject, next}, 100*time.Millisecond - 1, "reject-without-superkill", false},
		{"no further byte of the stream", []said{reject}, 100 * time.Millisecond, "reject-without-superkill", false},
	} {
		k := newListener()
		for _, s := range slices.Concat(greets, c.last) {
			k.hear(s)
		}
		k.tracker.Close(int64(time.Hour + c.wait))
		if found := slices.Contains(k.found, c.rule); found != c.want {
			t.Errorf("%s: found %q", c.name, k.found)
		}
	}
}

// TestTrackerPending checks that at most 256 findings are pending per connection.
func TestTrackerPending(t *testing.T) {
	k := newListener()
	for _, s := range greets {
		k.hear(s)
		k.hear(joinedBy(s))
	}
	k.found = nil // drops the finding about the server's version
	for range 300 {
		k.hear(byCli(message("gw", "\x00\x00\x00\x09")))
		k.hear(joinedBy(byCli(message("gw", "\x00\x00\x00\x09"))))
	}
	k.tracker.Time(int64(time.Hour + 5*time.Second - 1))
	if n := offsets(k); n > 0 {
		t.Fatalf("%d findings too early", n)
	}
	k.tracker.Time(int64(time.Hour + 5*time.Second))
	if n := offsets(k); n != 2*256 {
		t.Errorf("%d findings", n)
	}
	k.found = nil
	for range 100 {
		k.hear(byCli(message("gw", "\x00\x00\x00\x09")).later(5 * time.Second))
	}
	k.tracker.Close(math.MaxInt64)
	if n := offsets(k); n != 100 {
		t.Errorf("%d findings later", n)
	}
}

// offsets returns the number of findings about world offsets.
func offsets(k *listener) (n int) {
	for _, id := range k.found {
		if id == "world-offset" {
			n++
		}
	}
	return n
}

// TestTrackerPendingEnd plays a shot of a dead tank. The messages after it decide whether the tracker reports the shot.
func TestTrackerPendingEnd(t *testing.T) {
	dead := ago(joined, born(5), killed(5))
	again := bySrv("BZFS0221\x05")
	for _, c := range []struct {
		name string
		then []said
		want bool
	}{
		{"nothing", nil, true},
		{"a spawn", []said{born(5)}, false},
		{"a spawn, and then another connection", []said{born(5), again}, false},
		{"another connection, and then a spawn", []said{again, bySrv(message("ac", "\x05")), born(5)}, true},
		{"accepted again", []said{bySrv(message("ac", "\x05"))}, false},
		{"a replay begins again", []said{bySrv(message("rr", "\x05"))}, false},
		{"the shooter leaves, and spawns", []said{bySrv(message("rp", "\x05")), born(5)}, true},
	} {
		k := newListener()
		for _, s := range slices.Concat(dead, []said{shoots}, c.then) {
			k.hear(s)
		}
		k.found = nil
		k.tracker.Close(math.MaxInt64)
		if found := slices.Contains(k.found, "acting-while-dead"); found != c.want {
			t.Errorf("%s: found %q", c.name, k.found)
		}
	}
}
