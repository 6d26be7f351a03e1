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

// timed is a message with its time in milliseconds.
type timed struct {
	at       int64
	toServer bool
	bytes    []byte
}

func (s timed) later(milliseconds int64) timed { s.at += milliseconds; return s }

// Player ids. Ann is the client's own player.
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

func bySrv(code, body string) timed { return timed{bytes: message(code, []byte(body)...)} }
func byCli(code, body string) timed {
	return timed{bytes: message(code, []byte(body)...), toServer: true}
}

// worldOf returns the messages with which a client downloads a world. The world has two shots and four flags.
func worldOf(style, timeout, wins uint16) []timed {
	data := "st" + u16(24, style, 10, 2, 4) + zeros(8) + u16(timeout, wins) + zeros(4) + "te" + zeros(16) +
		"\x3f\x80\x00\x00\x40\xa0\x00\x00\x41\x20\x00\x00\x3f\x80\x00\x00" + "ln" + u16(0, 1) + "ln" + u16(1, 0) + "ed"
	return []timed{byCli("gw", u16(0)), bySrv("gw", u16(uint16(len(data)))+data)}
}

func enter() []timed {
	return []timed{byCli("en", ann+u16(0, 1)+"Ann"+zeros(157)), bySrv("ac", ""), bySrv("tu", "\x00\x01"+zeros(8))}
}

func added(id string, team uint16) timed { return bySrv("ap", id+u16(0, team, 0, 0)+"name"+zeros(156)) }

// flagOf returns a flag as messages contain it. Status 1 is OnGround, and 2 is OnTank.
func flagOf(number, id, status uint16, owner string) string {
	kind := bzflag17.FlagID(id).Type()
	return u16(number, id, status, uint16(kind)) + owner + zeros(48)
}

func updated(number, id, status uint16, owner string) timed {
	return bySrv("fu", flagOf(number, id, status, owner))
}

func requested(flag uint16) timed                { return byCli("gf", u16(flag)) }
func teamsAt(ms int64) timed                     { return bySrv("tu", "\x00\x01"+zeros(8)).later(ms) }
func grabbed(by string, number, id uint16) timed { return bySrv("gf", by+flagOf(number, id, 2, by)) }

func shotOf(id string, shot, flag uint16) string {
	return id + u16(shot) + zeros(28) + u16(flag) + zeros(4)
}

// TestTrackerFinds passes messages to a tracker, and checks all findings that the last message causes. For findings
// about the last message itself, it also checks the offset and the size.
func TestTrackerFinds(t *testing.T) {
	const (
		team, plain, good, bad = 4, 5, 6, 31 // ids of flags of each kind
		shake, antidote        = 0x40, 0x80
	)
	spawned := byCli("al", place)
	drop, capture := byCli("df", zeros(12)), byCli("cf", u16(1))
	join := func(world []timed) []timed {
		return slices.Concat(world, enter(), []timed{added(bob, 2), added(ann, 1)})
	}
	died, shot := byCli("kl", bob+u16(0xffff)), byCli("sb", shotOf(ann, 0, 0))
	killed := func(victim string) timed { return bySrv("kl", victim+eve+u16(0xffff)) }
	ping := func(n uint16) timed { return bySrv("pi", u16(n)) }
	echo := func(n uint16) timed { return byCli("pi", u16(n)) }
	hello := func(letter string, port uint16) timed { return timed{bytes: []byte("BZFS107" + letter + u16(port))} }
	ask := func(offset uint16) timed { return byCli("gw", u16(offset)) }
	part := func(remaining uint16, data string) timed { return bySrv("gw", u16(remaining)+data) }
	linked := byCli("of", u16(5000))
	update := func(id string, status uint16) string { return id + u16(status) + zeros(32) }
	guided := func(id string) string { return id + u16(0) + zeros(36) }
	relay, hash := byCli("nr", ""), bySrv("wh", "t"+strings.Repeat("0", 32)+"\x00")
	joined := join(worldOf(shake, 80, 2))
	score := func(wins uint16) timed { return byCli("sc", u16(wins, 0)) }
	for _, c := range []struct {
		name   string
		before []timed
		then   []timed
		want   []string
	}{
		{"drop of a flag that another player has now", joined, []timed{spawned, updated(0, plain, 2, ann),
			updated(0, plain, 2, bob), drop.later(2000)},
			[]string{"drop-without-flag"}},
		{"drop of the second flag after the first was taken away", joined,
			[]timed{spawned, updated(0, plain, 2, ann), updated(1, good, 2, ann), updated(0, plain, 1, ann), drop.later(2000)}, nil},
		{"drop just before the client must know that its flag is gone", joined, []timed{spawned, updated(0, plain, 2, ann),
			updated(0, plain, 1, ann), drop.later(999)}, nil},
		{"drop when the client must know that its flag is gone", joined, []timed{spawned, updated(0, plain, 2, ann),
			updated(0, plain, 1, ann), drop.later(1000)},
			[]string{"drop-without-flag"}},
		{"capture with the last team flag", joined, []timed{spawned, updated(0, team, 2, ann), capture}, nil},
		{"capture with a flag that is not a team flag", joined, []timed{spawned, updated(0, plain, 2, ann), capture},
			[]string{"capture-without-flag"}},
		{"shot with a flag on the ground, by a player who joined later", joined, []timed{updated(0, plain, 1, eve),
			added(eve, 2), bySrv("al", eve+place), bySrv("sb", shotOf(eve, 0, plain))},
			[]string{"shot-flag 42+2"}},
		{"grab that the server grants to the client, whose tank is not on the board", joined, []timed{grabbed(ann, 0, plain)}, nil},
		{"grab by another player, whose tank is not on the board", joined, []timed{bySrv("kl", bob+ann+u16(0xffff)),
			grabbed(bob, 0, plain).later(2000)},
			[]string{"acting-while-dead"}},
		{"request for the last flag", joined, []timed{spawned, byCli("gf", u16(3))}, nil},
		{"request for a flag after the last one", joined, []timed{spawned, byCli("gf", u16(4))}, []string{"flag-number 4+2"}},
		{"grab of a flag after the last one", joined, []timed{spawned, grabbed(ann, 4, plain)}, []string{"flag-number 12+2"}},

		{"drop of a bad flag, world not known", join(nil), []timed{spawned, grabbed(ann, 0, bad), drop}, nil},
		{"drop of a bad flag, grab not captured", joined, []timed{spawned, updated(0, bad, 2, ann), drop}, nil},
		{"drop of a bad flag in a game with antidotes", join(worldOf(shake|antidote, 80, 2)), []timed{spawned,
			grabbed(ann, 0, bad), drop}, nil},
		{"drop of a bad flag that cannot be shaken off", join(worldOf(0, 80, 2)), []timed{spawned, grabbed(ann, 0, bad),
			drop.later(9000)}, []string{"sticky-drop"}},
		{"drop of a bad flag in a game without limits of time and wins", join(worldOf(shake, 0, 0)), []timed{spawned,
			grabbed(ann, 0, bad), drop.later(9000)},
			[]string{"sticky-drop"}},
		{"drop of a bad flag after the timeout", joined, []timed{spawned, grabbed(ann, 0, bad), drop.later(7900)}, nil},
		{"drop of a bad flag before the timeout", joined, []timed{spawned, grabbed(ann, 0, bad), drop.later(7899)},
			[]string{"sticky-drop"}},
		{"drop of a bad flag after one win", joined,
			[]timed{spawned, score(1), score(2), grabbed(ann, 0, bad), score(3), drop}, []string{"sticky-drop"}},
		{"drop of a bad flag after two wins", joined, []timed{spawned, score(1), score(2), grabbed(ann, 0, bad), score(3),
			score(4), drop}, nil},
		{"drop of a bad flag after the wins decreased", joined, []timed{spawned, score(1), score(2), grabbed(ann, 0, bad),
			score(1), drop}, []string{"sticky-drop"}},

		{"a message 250 ms after MsgSuperKill", joined, []timed{bySrv("sk", ""), byCli("nr", "").later(250)},
			[]string{"after-superkill 0+4"}},
		{"a message 249 ms after MsgSuperKill", joined, []timed{bySrv("sk", ""), byCli("nr", "").later(249)}, nil},
		{"spawn 250 ms after the end of the game", joined, []timed{bySrv("so", bob+u16(2)), spawned.later(250)},
			[]string{"after-game-over 0+4"}},
		{"spawn after the explosion", joined, []timed{spawned, byCli("kl", bob+u16(0xffff)), spawned.later(4900)}, nil},
		{"spawn before the end of the explosion", joined, []timed{spawned, byCli("kl", bob+u16(0xffff)), spawned.later(4899)},
			[]string{"alive-too-early 0+28"}},
		{"spawn after a death that only the server reported", joined,
			[]timed{spawned, bySrv("kl", ann+bob+u16(0xffff)), spawned.later(3900)}, nil},
		{"player who left five seconds ago", joined, []timed{bySrv("rp", bob), bySrv("al", bob+place).later(5000)},
			[]string{"unknown-player 4+8"}},
		{"player who left less than five seconds ago", joined, []timed{bySrv("rp", bob), bySrv("al", bob+place).later(4999)},
			nil},
		{"player who left, and then eight others", joined, slices.Concat(leave(bob, 8), []timed{bySrv("al", bob+place)}),
			[]string{"unknown-player 4+8"}},
		{"player who left, and then seven others", joined, slices.Concat(leave(bob, 7), []timed{bySrv("al", bob+place)}),
			nil},
		{"flag of a player who left", joined, []timed{spawned, updated(0, plain, 2, ann), bySrv("rp", bob),
			updated(0, plain, 1, ann), drop.later(2000)},
			[]string{"drop-without-flag"}},
		{"end of a shot that may have begun before the client joined", joined, []timed{spawned, bySrv("al", bob+place),
			bySrv("se", bob+u16(0, 0)).later(3599)}, nil},
		{"end of a shot that never began", joined, []timed{spawned, bySrv("al", bob+place),
			bySrv("se", bob+u16(0, 0)).later(3600)},
			[]string{"unknown-shot 12+2"}},
		{"plain shot by a player with a team flag", joined, []timed{spawned, updated(0, team, 2, ann),
			byCli("sb", shotOf(ann, 0, 0)).later(2000)}, nil},
		{"plain shot by a player with another flag", joined, []timed{spawned, updated(0, plain, 2, ann),
			byCli("sb", shotOf(ann, 0, 0)).later(2000)}, []string{"shot-flag"}},
		{"the same, relayed by the server", joined, []timed{bySrv("al", bob+place), updated(0, plain, 2, bob),
			bySrv("sb", shotOf(bob, 0, 0)).later(2000)}, nil},
		{"shot with the last kind of flag", joined, []timed{spawned, byCli("sb", shotOf(ann, 0, 33))}, []string{"shot-flag"}},
		{"drop after the time of a server message that is captured later", joined,
			[]timed{spawned, drop.later(2000), updated(0, plain, 1, ann).later(1900)}, nil},
		{"drop at the time of a server message that is captured later", joined, []timed{spawned, drop.later(1900), byCli("nr", "").later(2000),
			bySrv("tu", "\x00\x01"+zeros(8)).later(1900)},
			[]string{"drop-without-flag"}},
		{"drop before the time of a server message that is captured later", joined, []timed{spawned, drop.later(1500), byCli("nr", "").later(2000),
			bySrv("tu", "\x00\x01"+zeros(8)).later(1900)},
			[]string{"drop-without-flag"}},
		{"connection ten seconds after a refusal", []timed{hello("d", 0)}, []timed{byCli("gw", u16(0)).later(10000)}, nil},
		{"connection less than ten seconds after a refusal", []timed{hello("d", 0)}, []timed{byCli("gw", u16(0)).later(9999)},
			[]string{"reconnect-refused 0+4"}},
		{"hello of 1.07d without a connection", []timed{hello("d", 6000)}, []timed{byCli("gw", u16(0)).later(3500)},
			[]string{"reconnect-unused"}},
		{"unrequested message to a client that requested only the world", []timed{byCli("gw", u16(0))},
			[]timed{bySrv("rp", bob)}, []string{"world-interrupted"}},
		{"unrequested message to a client that requested more", []timed{byCli("gw", u16(0)), byCli("nr", "")},
			[]timed{bySrv("rp", bob)}, nil},
		{"MsgTeamUpdate without MsgQueryPlayers", []timed{byCli("gw", u16(0))}, []timed{bySrv("tu", "\x00\x01"+zeros(8))},
			[]string{"world-interrupted"}},
		{"MsgTeamUpdate after MsgQueryPlayers", []timed{byCli("gw", u16(0)), byCli("qp", "")},
			[]timed{bySrv("tu", "\x00\x01"+zeros(8))}, nil},
		{"another player 499 ms after the client's own MsgAddPlayer", slices.Concat(worldOf(shake, 80, 2), enter(),
			[]timed{added(ann, 1)}), []timed{added(eve, 2).later(499)},
			[]string{"own-add-player-early"}},
		{"another player 500 ms after the client's own MsgAddPlayer", slices.Concat(worldOf(shake, 80, 2), enter(),
			[]timed{added(ann, 1)}), []timed{added(eve, 2).later(500)}, nil},
		{"another player after the end of the list", slices.Concat(worldOf(shake, 80, 2), enter(), []timed{added(ann, 1)}),
			[]timed{bySrv("tu", "\x00\x01"+zeros(8)), added(eve, 2)}, nil},

		{"three ignored requests for a flag", joined, []timed{spawned, requested(3).later(2000),
			requested(3).later(2100), requested(3).later(2200), teamsAt(9000)},
			[]string{"unrelayed"}},
		{"two ignored requests for a flag", joined, []timed{spawned, requested(3).later(2000),
			requested(3).later(2100), teamsAt(9000)}, nil},
		{"requests for a flag that another player gets", joined, []timed{spawned, requested(3).later(2000),
			requested(3).later(2100), requested(3).later(2200),
			grabbed(bob, 3, plain).later(2300), teamsAt(9000)}, nil},
		{"ignored requests, and the capture ends one second later", joined, []timed{spawned, requested(3).later(2000),
			requested(3).later(2100), requested(3).later(2200), teamsAt(3200)}, []string{"unrelayed"}},
		{"ignored requests, and the capture ends sooner", joined, []timed{spawned, requested(3).later(2000),
			requested(3).later(2100), requested(3).later(2200), teamsAt(3199)}, nil},
		{"shot by a dead player whose spawn is relayed late", joined, []timed{spawned, died, bySrv("al", ann+place),
			shot.later(2000)}, []string{"acting-while-dead"}},
		{"shot by a player whose death is relayed after the next spawn", joined, []timed{spawned, died, spawned.later(1000),
			killed(ann).later(4899), shot.later(7000)}, nil},
		{"shot by a player who was killed again", joined, []timed{spawned, died, spawned.later(1000), killed(ann).later(4900),
			shot.later(7000)}, []string{"acting-while-dead"}},
		{"shot by another player who was killed", joined, []timed{spawned, died, killed(bob).later(100),
			bySrv("sb", shotOf(bob, 0, 0)).later(2000)}, []string{"acting-while-dead", "unrelayed"}},
		{"shot after the client's own MsgKilled", joined, []timed{spawned, died, shot.later(500)},
			[]string{"acting-while-dead"}},
		{"shot less than a second after the death", joined, []timed{killed(bob), bySrv("sb", shotOf(bob, 0, 0)).later(999)},
			nil},
		{"shot a second after the death", joined, []timed{killed(bob), bySrv("sb", shotOf(bob, 0, 0)).later(1000)},
			[]string{"acting-while-dead"}},
		{"death by a shot that never began", joined, []timed{spawned, bySrv("kl", bob+ann+u16(5)).later(4000)},
			[]string{"unknown-shot 20+2"}},
		{"relayed end of an unknown shot", joined, []timed{spawned, byCli("se", bob+u16(0, 0)).later(4000),
			bySrv("se", bob+u16(0, 0)).later(4999)},
			[]string{"unknown-shot"}},
		{"end of an unknown shot, a second after a client's report", joined, []timed{spawned,
			byCli("se", bob+u16(0, 0)).later(4000), bySrv("se", bob+u16(0, 0)).later(5000)},
			[]string{"unknown-shot 12+2", "unknown-shot"}},

		{"request after the end of the world", nil, []timed{ask(0), part(4, "abcd"), ask(4), part(0, ""), ask(5)},
			[]string{"world-offset 4+2: offset 5, the world has 4 bytes"}},
		{"request after the end of a world that is smaller than announced", nil, []timed{ask(0), part(4, "abcdef"), ask(6),
			part(0, ""), ask(7)},
			[]string{"world-offset 4+2: offset 7, the world has 6 bytes"}},
		{"request after an empty world", nil, []timed{ask(0), part(0, ""), ask(1)},
			[]string{"world-offset 4+2: offset 1, the next one is 0"}},
		{"request after a part that may be the last", nil, []timed{ask(0), part(4, "abcd"), ask(9)},
			[]string{"world-offset 4+2: offset 9, the next one is 4"}},
		{"teleport through a link", joined, []timed{spawned, byCli("tp", u16(0, 1))}, nil},
		{"teleport to an unknown face", joined, []timed{spawned, byCli("tp", u16(0, 2))},
			[]string{"teleport-face 4+4"}},
		{"teleport from an unknown face", joined, []timed{spawned, byCli("tp", u16(2, 0))}, []string{"teleport-face 4+4"}},
		{"teleport between faces without a link", joined, []timed{spawned, byCli("tp", u16(0, 0))},
			[]string{"teleport-face 4+4"}},
		{"relay of the client's own teleport", joined, []timed{spawned, bySrv("tp", ann+u16(0, 2))}, nil},
		{"relay of another player's teleport", joined, []timed{bySrv("tp", bob+u16(0, 2))}, []string{"teleport-face 12+4"}},

		{"update without MsgNetworkRelay", joined, []timed{spawned, byCli("pu", update(ann, 1))},
			[]string{"update-without-relay"}},
		{"relayed update after MsgNetworkRelay", joined, []timed{byCli("nr", ""), bySrv("pu", update(bob, 0))}, nil},
		{"updates in both directions without MsgNetworkRelay", joined, []timed{spawned, byCli("pu", update(ann, 1)),
			bySrv("pu", update(bob, 0))},
			[]string{"update-without-relay", "update-without-relay"}},
		{"two updates without MsgNetworkRelay", joined, []timed{spawned, byCli("pu", update(ann, 1)),
			byCli("pu", update(ann, 1))}, []string{"update-without-relay"}},
		{"update from a dead player with the Alive bit set", joined, []timed{relay, byCli("pu", update(ann, 1))},
			[]string{"acting-while-dead"}},
		{"update from a dead player with the Alive bit clear", joined, []timed{relay, byCli("pu", update(ann, 0))}, nil},
		{"update from another dead player with the Alive bit clear", joined, []timed{relay, killed(bob),
			bySrv("pu", update(bob, 0)).later(2000)}, nil},
		{"relay of the client's own update", joined, []timed{relay, bySrv("pu", update(ann, 1))}, nil},
		{"missile whose flag the server clears in its relay", joined,
			[]timed{relay, spawned, byCli("sb", shotOf(ann, 0, 10)), bySrv("sb", shotOf(ann, 0, 0)).later(9999), byCli("gm", guided(ann)).later(9999)}, nil},
		{"steered shot whose slot has a new shot without the flag", joined,
			[]timed{relay, spawned, byCli("sb", shotOf(ann, 0, 10)), bySrv("sb", shotOf(ann, 0, 0)).later(10000), byCli("gm", guided(ann)).later(10000)},
			[]string{"not-guided 12+2"}},
		{"steered plain shot", joined, []timed{relay, spawned, byCli("sb", shotOf(ann, 0, 0)), byCli("gm", guided(ann))},
			[]string{"not-guided 12+2"}},
		{"steered plain shot of another player", joined,
			[]timed{relay, bySrv("al", bob+place), bySrv("sb", shotOf(bob, 0, 10)), bySrv("sb", shotOf(bob, 0, 0)), bySrv("gm", guided(bob))}, []string{"not-guided 12+2"}},

		{"update from an observer", slices.Concat(worldOf(shake, 80, 2), enter(),
			[]timed{bySrv("ap", ann+u16(0, 1, 0, 0)+"@ann"+zeros(156))}),
			[]timed{relay, byCli("pu", update(ann, 1))}, nil},
		{"MsgShotEnd without a shot", joined, []timed{spawned, bySrv("se", bob+u16(0xffff, 0)).later(4000)}, nil},
		{"requested world hash", []timed{byCli("gw", u16(0)), byCli("wh", "")}, []timed{hash}, nil},
		{"unrequested world hash", []timed{byCli("gw", u16(0))}, []timed{hash}, []string{"world-interrupted"}},

		{"shot over a link, 100 ms before the spawn", joined, []timed{linked, shot, spawned.later(100)},
			[]string{"acting-while-dead"}},
		{"shot over a link, 99 ms before the spawn", joined, []timed{linked, shot, spawned.later(99)}, nil},
		{"more pending findings than the maximum", joined, append(slices.Repeat([]timed{drop.later(2000)}, 70),
			spawned.later(2000)),
			slices.Repeat([]string{"drop-without-flag"}, 64)},

		{"ping after one that was not captured", joined, []timed{ping(1), echo(1), ping(3), echo(3)}, nil},
		{"ping without an echo, after one that was not captured", joined, []timed{ping(1), echo(1), ping(3)},
			[]string{"lag-ping 4+2", "lag-ping"}},
		{"ping whose echo was captured before it", joined, []timed{ping(1), echo(1), echo(2), ping(2)}, nil},
		{"echo of a ping that was not sent", joined, []timed{ping(1), echo(1), echo(3)}, []string{"lag-ping 4+2"}},
		{"echo of the next ping instead of the open one", joined, []timed{ping(1), echo(2)}, []string{"lag-ping 4+2",
			"lag-ping"}},
		{"echo sent twice", joined, []timed{ping(1), echo(1), echo(1)}, nil},
	} {
		found := played(slices.Concat(c.before, c.then), func(k wire.Tracker, _ int64) {
			k.Time(math.MaxInt64 / 2)
			k.Close(math.MaxInt64 / 2)
		})
		if !slices.Equal(found, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, found, c.want)
		}
	}
	// In these cases, the capture ends c.end milliseconds after the last message.
	for _, c := range []struct {
		name string
		list []timed
		end  int64
		want []string
	}{
		{"drop without a flag", append(slices.Clone(joined), spawned, drop.later(2000)), 0, []string{"drop-without-flag"}},
		{"shot by a dead player over a link, 100 ms before the end", append(slices.Clone(joined), spawned, linked, died,
			shot.later(2000)), 100, []string{"acting-while-dead"}},
		{"shot by a dead player over a link, 99 ms before the end", append(slices.Clone(joined), spawned, linked, died,
			shot.later(2000)), 99, nil},
		{"hello of 1.07d without a connection", []timed{hello("d", 6000), byCli("gw", u16(0)).later(3500)}, 0,
			[]string{"reconnect-unused"}},
		{"hello of 1.07e without a connection", []timed{hello("e", 6000), byCli("gw", u16(0)).later(3500)}, 0, nil},
		{"drop of a bad flag", append(slices.Clone(joined), spawned, grabbed(ann, 0, bad), drop), 0, nil},
	} {
		found := played(c.list, func(k wire.Tracker, now int64) { k.Close(now + c.end*int64(time.Millisecond)) })
		if !slices.Equal(found, c.want) {
			t.Errorf("%s, then the end: got %q, want %q", c.name, found, c.want)
		}
	}
}

// played passes messages to a tracker, and then calls end. It returns all findings that result from the last message or
// from the call of end.
func played(list []timed, end func(wire.Tracker, int64)) (found []string) {
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
		s.send(session, now, src, dst, way, m.bytes)
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

// leave returns messages with which one player leaves, and then others join and leave.
func leave(first string, others int) []timed {
	list := []timed{bySrv("rp", first)}
	for i := range others {
		id := ann[:6] + u16(uint16(i+1))
		list = append(list, added(id, 1), bySrv("rp", id))
	}
	return list
}
