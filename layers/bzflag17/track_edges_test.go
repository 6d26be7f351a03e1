package bzflag17_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/bzflag17"
)

// said is a message with its time in milliseconds.
type said struct {
	at       int64
	toServer bool
	bytes    []byte
}

func (s said) later(milliseconds int64) said { s.at += milliseconds; return s }

// Ids of players. Ann plays on the client.
const (
	ann = "\xc0\x00\x02\x01\x17\x71\x00\x00"
	bob = "\xc0\x00\x02\x01\x17\x72\x00\x00"
	eve = "\xc0\x00\x02\x01\x17\x73\x00\x00"
)

// place is the position and direction of a tank that spawns.
const place = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x3f\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

func u16(numbers ...uint16) string {
	var b []byte
	for _, n := range numbers {
		b = binary.BigEndian.AppendUint16(b, n)
	}
	return string(b)
}

func zeros(n int) string { return string(make([]byte, n)) }

func bySrv(code, body string) said { return said{bytes: message(code, []byte(body)...)} }
func byCli(code, body string) said {
	return said{bytes: message(code, []byte(body)...), toServer: true}
}

// worldOf returns the download of a world with this style, ten players, two shots and four flags.
func worldOf(style, timeout, wins uint16) []said {
	data := "st" + u16(24, style, 10, 2, 4) + zeros(8) + u16(timeout, wins) + zeros(4) + "te" + zeros(16) +
		"\x3f\x80\x00\x00\x40\xa0\x00\x00\x41\x20\x00\x00\x3f\x80\x00\x00" + "ln" + u16(0, 1) + "ln" + u16(1, 0) + "ed"
	return []said{byCli("gw", u16(0)), bySrv("gw", u16(uint16(len(data)))+data)}
}

func enter() []said {
	return []said{byCli("en", ann+u16(0, 1)+"Ann"+zeros(157)), bySrv("ac", ""), bySrv("tu", "\x00\x01"+zeros(8))}
}

func added(id string, team uint16) said { return bySrv("ap", id+u16(0, team, 0, 0)+"name"+zeros(156)) }

// flagOf returns a flag as messages contain it. Status 1 means on the ground, and 2 on a tank.
func flagOf(number, id, status uint16, owner string) string {
	kind := bzflag17.FlagID(id).Type()
	return u16(number, id, status, uint16(kind)) + owner + zeros(48)
}

func updated(number, id, status uint16, owner string) said {
	return bySrv("fu", flagOf(number, id, status, owner))
}

func asksFor(flag uint16) said                  { return byCli("gf", u16(flag)) }
func teamsAt(ms int64) said                     { return bySrv("tu", "\x00\x01"+zeros(8)).later(ms) }
func grabbed(by string, number, id uint16) said { return bySrv("gf", by+flagOf(number, id, 2, by)) }

func shotOf(id string, shot, flag uint16) string {
	return id + u16(shot) + zeros(28) + u16(flag) + zeros(4)
}

// TestTrackerFinds plays messages and checks all findings that the last message causes: the rules, and for findings
// about the message itself the bytes.
func TestTrackerFinds(t *testing.T) {
	const (
		team, plain, good, bad = 4, 5, 6, 31 // ids of flags of each kind
		shake, antidote        = 0x40, 0x80
	)
	spawned := byCli("al", place)
	drop, capture := byCli("df", zeros(12)), byCli("cf", u16(1))
	join := func(world []said) []said {
		return slices.Concat(world, enter(), []said{added(bob, 2), added(ann, 1)})
	}
	died, shoots := byCli("kl", bob+u16(0xffff)), byCli("sb", shotOf(ann, 0, 0))
	told := func(victim string) said { return bySrv("kl", victim+eve+u16(0xffff)) }
	ping := func(n uint16) said { return bySrv("pi", u16(n)) }
	echo := func(n uint16) said { return byCli("pi", u16(n)) }
	hello := func(letter string, port uint16) said { return said{bytes: []byte("BZFS107" + letter + u16(port))} }
	ask := func(offset uint16) said { return byCli("gw", u16(offset)) }
	part := func(remaining uint16, data string) said { return bySrv("gw", u16(remaining)+data) }
	linked := byCli("of", u16(5000))
	update := func(id string, status uint16) string { return id + u16(status) + zeros(32) }
	guided := func(id string) string { return id + u16(0) + zeros(36) }
	relay, hash := byCli("nr", ""), bySrv("wh", "t"+strings.Repeat("0", 32)+"\x00")
	joined := join(worldOf(shake, 80, 2))
	score := func(wins uint16) said { return byCli("sc", u16(wins, 0)) }
	for _, c := range []struct {
		name   string
		before []said
		then   []said
		want   []string
	}{
		{"a flag that somebody else has now", joined, []said{spawned, updated(0, plain, 2, ann), updated(0, plain, 2, bob), drop.later(2000)},
			[]string{"drop-without-flag"}},
		{"a flag that is taken from somebody who carries another", joined,
			[]said{spawned, updated(0, plain, 2, ann), updated(1, good, 2, ann), updated(0, plain, 1, ann), drop.later(2000)}, nil},
		{"just before a client has to know", joined, []said{spawned, updated(0, plain, 2, ann), updated(0, plain, 1, ann), drop.later(999)}, nil},
		{"when a client has to know", joined, []said{spawned, updated(0, plain, 2, ann), updated(0, plain, 1, ann), drop.later(1000)},
			[]string{"drop-without-flag"}},
		{"the last team's flag", joined, []said{spawned, updated(0, team, 2, ann), capture}, nil},
		{"the flag behind it", joined, []said{spawned, updated(0, plain, 2, ann), capture}, []string{"capture-without-flag"}},
		{"a flag on the ground of who comes later", joined, []said{updated(0, plain, 1, eve), added(eve, 2), bySrv("al", eve+place), bySrv("sb", shotOf(eve, 0, plain))},
			[]string{"shot-flag 42+2"}},
		{"a grab by who is not on the board, whose own messages are here", joined, []said{grabbed(ann, 0, plain)}, nil},
		{"a grab by another who is not", joined, []said{bySrv("kl", bob+ann+u16(0xffff)), grabbed(bob, 0, plain).later(2000)},
			[]string{"acting-while-dead"}},
		{"the last flag", joined, []said{spawned, byCli("gf", u16(3))}, nil},
		{"the one behind it", joined, []said{spawned, byCli("gf", u16(4))}, []string{"flag-number 4+2"}},
		{"granted, the one behind it", joined, []said{spawned, grabbed(ann, 4, plain)}, []string{"flag-number 12+2"}},

		{"a bad flag where the world is not known", join(nil), []said{spawned, grabbed(ann, 0, bad), drop}, nil},
		{"a bad flag that was not seen being taken", joined, []said{spawned, updated(0, bad, 2, ann), drop}, nil},
		{"a bad flag that an antidote ends", join(worldOf(shake|antidote, 80, 2)), []said{spawned, grabbed(ann, 0, bad), drop}, nil},
		{"a bad flag that nothing ends", join(worldOf(0, 80, 2)), []said{spawned, grabbed(ann, 0, bad), drop.later(9000)}, []string{"sticky-drop"}},
		{"a bad flag that neither time nor wins end", join(worldOf(shake, 0, 0)), []said{spawned, grabbed(ann, 0, bad), drop.later(9000)},
			[]string{"sticky-drop"}},
		{"a bad flag, in time", joined, []said{spawned, grabbed(ann, 0, bad), drop.later(7900)}, nil},
		{"a bad flag, too early", joined, []said{spawned, grabbed(ann, 0, bad), drop.later(7899)}, []string{"sticky-drop"}},
		{"one win since a bad flag was taken", joined,
			[]said{spawned, score(1), score(2), grabbed(ann, 0, bad), score(3), drop}, []string{"sticky-drop"}},
		{"two wins since", joined, []said{spawned, score(1), score(2), grabbed(ann, 0, bad), score(3), score(4), drop}, nil},
		{"fewer wins than then", joined, []said{spawned, score(1), score(2), grabbed(ann, 0, bad), score(1), drop}, []string{"sticky-drop"}},

		{"a quarter of a second behind the end", joined, []said{bySrv("sk", ""), byCli("nr", "").later(250)}, []string{"after-superkill 0+4"}},
		{"just before that", joined, []said{bySrv("sk", ""), byCli("nr", "").later(249)}, nil},
		{"alive a quarter of a second behind the game's end", joined, []said{bySrv("so", bob+u16(2)), spawned.later(250)}, []string{"after-game-over 0+4"}},
		{"a life long enough after death", joined, []said{spawned, byCli("kl", bob+u16(0xffff)), spawned.later(4900)}, nil},
		{"a life too early", joined, []said{spawned, byCli("kl", bob+u16(0xffff)), spawned.later(4899)}, []string{"alive-too-early 0+28"}},
		{"a life long enough after death that the server told", joined,
			[]said{spawned, bySrv("kl", ann+bob+u16(0xffff)), spawned.later(3900)}, nil},
		{"who left five seconds ago", joined, []said{bySrv("rp", bob), bySrv("al", bob+place).later(5000)}, []string{"unknown-player 4+8"}},
		{"who left just before", joined, []said{bySrv("rp", bob), bySrv("al", bob+place).later(4999)}, nil},
		{"who left as the first of nine", joined, slices.Concat(leave(bob, 8), []said{bySrv("al", bob+place)}), []string{"unknown-player 4+8"}},
		{"who left as the first of eight", joined, slices.Concat(leave(bob, 7), []said{bySrv("al", bob+place)}), nil},
		{"a flag of who left", joined, []said{spawned, updated(0, plain, 2, ann), bySrv("rp", bob), updated(0, plain, 1, ann), drop.later(2000)},
			[]string{"drop-without-flag"}},
		{"a shot from before the client came", joined, []said{spawned, bySrv("al", bob+place), bySrv("se", bob+u16(0, 0)).later(3599)}, nil},
		{"a shot that never began", joined, []said{spawned, bySrv("al", bob+place), bySrv("se", bob+u16(0, 0)).later(3600)},
			[]string{"unknown-shot 12+2"}},
		{"a shot without a flag that matters", joined, []said{spawned, updated(0, team, 2, ann), byCli("sb", shotOf(ann, 0, 0)).later(2000)}, nil},
		{"a shot without the flag", joined, []said{spawned, updated(0, plain, 2, ann), byCli("sb", shotOf(ann, 0, 0)).later(2000)}, []string{"shot-flag"}},
		{"the same from the server", joined, []said{bySrv("al", bob+place), updated(0, plain, 2, bob), bySrv("sb", shotOf(bob, 0, 0)).later(2000)}, nil},
		{"a shot with the last kind of flag", joined, []said{spawned, byCli("sb", shotOf(ann, 0, 33))}, []string{"shot-flag"}},
		{"what the client did before its flag was taken from it, captured in the wrong order", joined,
			[]said{spawned, drop.later(2000), updated(0, plain, 1, ann).later(1900)}, nil},
		{"what it did just then", joined, []said{spawned, drop.later(1900), byCli("nr", "").later(2000), bySrv("tu", "\x00\x01"+zeros(8)).later(1900)},
			[]string{"drop-without-flag"}},
		{"what it did before that", joined, []said{spawned, drop.later(1500), byCli("nr", "").later(2000), bySrv("tu", "\x00\x01"+zeros(8)).later(1900)},
			[]string{"drop-without-flag"}},
		{"refused ten seconds ago", []said{hello("d", 0)}, []said{byCli("gw", u16(0)).later(10000)}, nil},
		{"refused just before", []said{hello("d", 0)}, []said{byCli("gw", u16(0)).later(9999)}, []string{"reconnect-refused 0+4"}},
		{"a hello of 1.07d that nobody followed", []said{hello("d", 6000)}, []said{byCli("gw", u16(0)).later(3500)}, []string{"reconnect-unused"}},
		{"asked for the world only", []said{byCli("gw", u16(0))}, []said{bySrv("rp", bob)}, []string{"world-interrupted"}},
		{"asked for more", []said{byCli("gw", u16(0)), byCli("nr", "")}, []said{bySrv("rp", bob)}, nil},
		{"teams that nobody asked for", []said{byCli("gw", u16(0))}, []said{bySrv("tu", "\x00\x01"+zeros(8))}, []string{"world-interrupted"}},
		{"teams that somebody asked for", []said{byCli("gw", u16(0)), byCli("qp", "")}, []said{bySrv("tu", "\x00\x01"+zeros(8))}, nil},
		{"somebody told behind the client itself", slices.Concat(worldOf(shake, 80, 2), enter(), []said{added(ann, 1)}), []said{added(eve, 2).later(499)},
			[]string{"own-add-player-early"}},
		{"somebody who came later", slices.Concat(worldOf(shake, 80, 2), enter(), []said{added(ann, 1)}), []said{added(eve, 2).later(500)}, nil},
		{"somebody told behind the end of the list", slices.Concat(worldOf(shake, 80, 2), enter(), []said{added(ann, 1)}),
			[]said{bySrv("tu", "\x00\x01"+zeros(8)), added(eve, 2)}, nil},

		{"grabs that the server ignores", joined, []said{spawned, asksFor(3).later(2000), asksFor(3).later(2100), asksFor(3).later(2200), teamsAt(9000)},
			[]string{"unrelayed"}},
		{"two of them", joined, []said{spawned, asksFor(3).later(2000), asksFor(3).later(2100), teamsAt(9000)}, nil},
		{"grabs of a flag that another gets", joined, []said{spawned, asksFor(3).later(2000), asksFor(3).later(2100), asksFor(3).later(2200),
			grabbed(bob, 3, plain).later(2300), teamsAt(9000)}, nil},
		{"grabs, and the capture ends", joined, []said{spawned, asksFor(3).later(2000), asksFor(3).later(2100), asksFor(3).later(2200), teamsAt(3200)}, []string{"unrelayed"}},
		{"grabs, and it ends sooner", joined, []said{spawned, asksFor(3).later(2000), asksFor(3).later(2100), asksFor(3).later(2200), teamsAt(3199)}, nil},
		{"dead, though its life is told late", joined, []said{spawned, died, bySrv("al", ann+place), shoots.later(2000)}, []string{"acting-while-dead"}},
		{"alive again when its death is told late", joined, []said{spawned, died, spawned.later(1000), told(ann).later(4899), shoots.later(7000)}, nil},
		{"killed again", joined, []said{spawned, died, spawned.later(1000), told(ann).later(4900), shoots.later(7000)}, []string{"acting-while-dead"}},
		{"another one who is killed", joined, []said{spawned, died, told(bob).later(100), bySrv("sb", shotOf(bob, 0, 0)).later(2000)}, []string{"acting-while-dead", "unrelayed"}},
		{"dead by its own word", joined, []said{spawned, died, shoots.later(500)}, []string{"acting-while-dead"}},
		{"dead just now", joined, []said{told(bob), bySrv("sb", shotOf(bob, 0, 0)).later(999)}, nil},
		{"dead for a second", joined, []said{told(bob), bySrv("sb", shotOf(bob, 0, 0)).later(1000)}, []string{"acting-while-dead"}},
		{"killed by a shot that never began", joined, []said{spawned, bySrv("kl", bob+ann+u16(5)).later(4000)}, []string{"unknown-shot 20+2"}},
		{"the end of a shot, as a client told it", joined, []said{spawned, byCli("se", bob+u16(0, 0)).later(4000), bySrv("se", bob+u16(0, 0)).later(4999)},
			[]string{"unknown-shot"}},
		{"the end of a shot, long after a client told it", joined, []said{spawned, byCli("se", bob+u16(0, 0)).later(4000), bySrv("se", bob+u16(0, 0)).later(5000)},
			[]string{"unknown-shot 12+2", "unknown-shot"}},

		{"after the end of the world", nil, []said{ask(0), part(4, "abcd"), ask(4), part(0, ""), ask(5)},
			[]string{"world-offset 4+2: offset 5, the world has 4 bytes"}},
		{"behind the end of a world that was to be larger", nil, []said{ask(0), part(4, "abcdef"), ask(6), part(0, ""), ask(7)},
			[]string{"world-offset 4+2: offset 7, the world has 6 bytes"}},
		{"behind nothing", nil, []said{ask(0), part(0, ""), ask(1)}, []string{"world-offset 4+2: offset 1, the next one is 0"}},
		{"behind a part that may be the last one or not", nil, []said{ask(0), part(4, "abcd"), ask(9)},
			[]string{"world-offset 4+2: offset 9, the next one is 4"}},
		{"through a teleporter", joined, []said{spawned, byCli("tp", u16(0, 1))}, nil},
		{"into a teleporter that is none", joined, []said{spawned, byCli("tp", u16(0, 2))},
			[]string{"teleport-face 4+4"}},
		{"from a teleporter that is none", joined, []said{spawned, byCli("tp", u16(2, 0))}, []string{"teleport-face 4+4"}},
		{"between faces that no link joins", joined, []said{spawned, byCli("tp", u16(0, 0))}, []string{"teleport-face 4+4"}},
		{"the client's own way, passed on", joined, []said{spawned, bySrv("tp", ann+u16(0, 2))}, nil},
		{"another's way", joined, []said{bySrv("tp", bob+u16(0, 2))}, []string{"teleport-face 12+4"}},

		{"an update that nobody ordered", joined, []said{spawned, byCli("pu", update(ann, 1))}, []string{"update-without-relay"}},
		{"an update that the server passes on, and nobody ordered", joined, []said{byCli("nr", ""), bySrv("pu", update(bob, 0))}, nil},
		{"two of them", joined, []said{spawned, byCli("pu", update(ann, 1)), bySrv("pu", update(bob, 0))},
			[]string{"update-without-relay", "update-without-relay"}},
		{"the same twice", joined, []said{spawned, byCli("pu", update(ann, 1)), byCli("pu", update(ann, 1))}, []string{"update-without-relay"}},
		{"an update of the dead", joined, []said{relay, byCli("pu", update(ann, 1))}, []string{"acting-while-dead"}},
		{"an update of who is dead and says so", joined, []said{relay, byCli("pu", update(ann, 0))}, nil},
		{"an update of another who is dead and says so", joined, []said{relay, told(bob), bySrv("pu", update(bob, 0)).later(2000)}, nil},
		{"the client's own, passed on", joined, []said{relay, bySrv("pu", update(ann, 1))}, nil},
		{"steered, though the server takes the flag away", joined,
			[]said{relay, spawned, byCli("sb", shotOf(ann, 0, 10)), bySrv("sb", shotOf(ann, 0, 0)).later(9999), byCli("gm", guided(ann)).later(9999)}, nil},
		{"steered, when the slot has another shot", joined,
			[]said{relay, spawned, byCli("sb", shotOf(ann, 0, 10)), bySrv("sb", shotOf(ann, 0, 0)).later(10000), byCli("gm", guided(ann)).later(10000)},
			[]string{"not-guided 12+2"}},
		{"steered, a plain shot", joined, []said{relay, spawned, byCli("sb", shotOf(ann, 0, 0)), byCli("gm", guided(ann))}, []string{"not-guided 12+2"}},
		{"steered, another's plain shot", joined,
			[]said{relay, bySrv("al", bob+place), bySrv("sb", shotOf(bob, 0, 10)), bySrv("sb", shotOf(bob, 0, 0)), bySrv("gm", guided(bob))}, []string{"not-guided 12+2"}},

		{"an update of an observer", slices.Concat(worldOf(shake, 80, 2), enter(), []said{bySrv("ap", ann+u16(0, 1, 0, 0)+"@ann"+zeros(156))}),
			[]said{relay, byCli("pu", update(ann, 1))}, nil},
		{"the end of no shot", joined, []said{spawned, bySrv("se", bob+u16(0xffff, 0)).later(4000)}, nil},
		{"a sum that somebody asked for", []said{byCli("gw", u16(0)), byCli("wh", "")}, []said{hash}, nil},
		{"a sum that nobody asked for", []said{byCli("gw", u16(0))}, []said{hash}, []string{"world-interrupted"}},

		{"a shot with a link, long before the life", joined, []said{linked, shoots, spawned.later(100)}, []string{"acting-while-dead"}},
		{"a shot with a link, just before the life", joined, []said{linked, shoots, spawned.later(99)}, nil},
		{"more doubts than there is room for", joined, append(slices.Repeat([]said{drop.later(2000)}, 70), spawned.later(2000)),
			slices.Repeat([]string{"drop-without-flag"}, 64)},

		{"a ping that was left out", joined, []said{ping(1), echo(1), ping(3), echo(3)}, nil},
		{"a ping behind one that was left out", joined, []said{ping(1), echo(1), ping(3)}, []string{"lag-ping 4+2", "lag-ping"}},
		{"a ping whose echo was captured before it", joined, []said{ping(1), echo(1), echo(2), ping(2)}, nil},
		{"an echo of one ahead", joined, []said{ping(1), echo(1), echo(3)}, []string{"lag-ping 4+2"}},
		{"an echo of the next one while one is open", joined, []said{ping(1), echo(2)}, []string{"lag-ping 4+2", "lag-ping"}},
		{"an echo twice", joined, []said{ping(1), echo(1), echo(1)}, nil},
	} {
		found := played(slices.Concat(c.before, c.then), func(k wire.Tracker, _ int64) {
			k.Time(math.MaxInt64 / 2)
			k.Close(math.MaxInt64 / 2)
		})
		if !slices.Equal(found, c.want) {
			t.Errorf("%s: found are %q, want %q", c.name, found, c.want)
		}
	}
	// In these cases, the capture ends a number of milliseconds after the last message.
	for _, c := range []struct {
		name string
		said []said
		end  int64
		want []string
	}{
		{"without a flag", append(slices.Clone(joined), spawned, drop.later(2000)), 0, []string{"drop-without-flag"}},
		{"dead, with a link, for long enough", append(slices.Clone(joined), spawned, linked, died, shoots.later(2000)), 100, []string{"acting-while-dead"}},
		{"dead, with a link", append(slices.Clone(joined), spawned, linked, died, shoots.later(2000)), 99, nil},
		{"a hello of 1.07d", []said{hello("d", 6000), byCli("gw", u16(0)).later(3500)}, 0, []string{"reconnect-unused"}},
		{"a hello of 1.07e", []said{hello("e", 6000), byCli("gw", u16(0)).later(3500)}, 0, nil},
		{"a bad flag", append(slices.Clone(joined), spawned, grabbed(ann, 0, bad), drop), 0, nil},
	} {
		found := played(c.said, func(k wire.Tracker, now int64) { k.Close(now + c.end*int64(time.Millisecond)) })
		if !slices.Equal(found, c.want) {
			t.Errorf("%s at the end: found are %q, want %q", c.name, found, c.want)
		}
	}
}

// played plays messages. It returns all findings that the last message and the end cause.
func played(list []said, end func(wire.Tracker, int64)) (found []string) {
	client, server := netip.MustParseAddrPort("192.0.2.10:4000"), netip.MustParseAddrPort("192.0.2.1:6001")
	s := newStage()
	s.tracker = bzflag17.Protocol.NewTracker(&wire.Reporter{
		Finding: func(f *wire.TrafficFinding) { found = append(found, strings.TrimPrefix(f.Rule.ID, "bzflag17.")) },
		Value:   func(*wire.Value) {},
	})
	session := bzflag17.Protocol.NewSession(nil)
	now := int64(0)
	for _, m := range list {
		found = nil
		src, dst, way := client, server, wire.ToServer
		if !m.toServer {
			src, dst, way = server, client, wire.FromServer
		}
		now = int64(time.Hour) + m.at*int64(time.Millisecond)
		s.sayIn(session, now, src, dst, way, m.bytes)
		for _, f := range s.layer.Findings() {
			found = append(found, fmt.Sprintf("%s %d+%d", strings.TrimPrefix(f.Rule.ID, "bzflag17."), f.Off, f.Size))
			if f.Rule.ID == "bzflag17.world-offset" {
				found[len(found)-1] += ": " + f.Text
			}
		}
	}
	end(s.tracker, now)
	return found
}

// leave returns messages with which one player leaves, and then a number of others.
func leave(first string, others int) []said {
	list := []said{bySrv("rp", first)}
	for i := range others {
		id := ann[:6] + u16(uint16(i+1))
		list = append(list, added(id, 1), bySrv("rp", id))
	}
	return list
}
