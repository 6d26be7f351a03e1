package bzflag24_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/bzflag24"
)

func updated(number byte, kind string, status, owner byte) said {
	flag := []byte(flagOf(number, kind, owner))
	flag[5] = status
	return bySrv(message("fu", "\x00\x01"+string(flag)))
}

func stolen(by, number byte, kind string) said {
	return bySrv(message("tf", string([]byte{9, by})+flagOf(number, kind, by)))
}

// secondKilled returns a second report of a death, without a known cause.
func secondKilled(id, killer byte) said {
	return bySrv(message("kl", string([]byte{id, killer, 0, 0, 0, 1, 0, 0})))
}

func relayed(id, slot byte, flag string) said { return bySrv(shot(id, slot, flag)) }
func ended(id, slot byte) said                { return bySrv(message("se", string([]byte{id, 0, slot, 0, 0}))) }
func joinedBy(s said) said                    { s.other = true; return s }

// A trackerCase is a list of messages for a tracker, and what the tracker must report for the last one: broken rules,
// with the offset and size of each finding, and values.
type trackerCase struct {
	name string
	said []said
	want []string
}

// trackerCases returns the cases of TestTrackerFinds.
func trackerCases() []trackerCase {
	six := append(slices.Clone(joined), added(6, 1), born(6))
	settings := bySrv(message("gs", zeros(4)+"\x00\x00\x00\x00\x00\x08\x00\x05\x00\x03"+zeros(16))) // five shots and three flags
	flag512 := func(code, before string, number uint16, kind string) said {
		b := []byte(flagOf(0, kind, 6))
		if before == "\x05" {
			b = []byte(flagOf(0, kind, 5))
		}
		b[0], b[1] = byte(number>>8), byte(number)
		return bySrv(message(code, before+string(b)))
	}
	says := func(from, to byte, text string) said {
		return bySrv(message("mg", string([]byte{from, to, 0})+text+"\x00"))
	}
	chat := func(from, to byte) said { return says(from, to, "You were kicked") }
	why := []string{" players", "5 removed", "5 connected"}
	ask := func(offset byte) said { return byCli(message("gw", "\x00\x00\x00"+string([]byte{offset}))) }
	part := func(n int) said { return bySrv(message("gw", "\x00\x00\x00\x09"+zeros(n))) }
	header := byCli("BZFLAG\r\n\r\n")
	pause := byCli(message("pa", "\x01"))
	grabs := byCli(message("gf", "\x00\x00"))
	list := func(l ...any) (all []said) {
		for _, m := range l {
			switch m := m.(type) {
			case said:
				all = append(all, m)
			case []said:
				all = append(all, m...)
			}
		}
		return all
	}
	seconds := func(s said, n float64) said { return s.later(time.Duration(n * float64(time.Second))) }
	return []trackerCase{
		{"acting without a hello", list(header, enters, grabs), nil},
		{"an unreadable message", list(greets, byCli(message("gw", "\x00")), grabs), []string{"before-enter 2+2"}},
		{"the header again, at once", list(joined[:3], seconds(header, 1), seconds(shoots, 1.6)), []string{"before-enter", "5 shots"}},
		{"the header after an earlier MsgEnter", list(enters, seconds(header, 1), seconds(grabs, 1.1)), nil},
		{"the header long after a MsgEnter", list(enters, seconds(header, 1.1), seconds(grabs, 1.2)), []string{"before-enter 2+2"}},
		{"accepted with a number, but the hello had none", list(header, bySrv("BZFS0221\xff"), enters, bySrv(message("ac", "\x05"))), nil},
		{"number 244 does not belong to an observer of a replay",
			list(header, bySrv("BZFS0221\xf4"), enters, bySrv(message("ac", "\xf4")), added(6, 1), captured(6, 1)),
			[]string{"capture-without-drop 4+3", "6 captures"}},

		{"a part that ends before the requested offset", list(greets, ask(9), part(4)), []string{"world-offset"}},
		{"an empty part", list(greets, ask(0), part(4), ask(9), ask(4), part(0)), []string{"world-offset"}},
		{"a part without a request", list(greets, part(4), ask(4)), []string{"world-offset"}},

		{"flag numbers in a list", list(joined, settings, bySrv(message("fu", "\x00\x02"+flagOf(2, "GM", 6)+flagOf(3, "GM", 6)))),
			[]string{"flag-number 63+2"}},
		{"a slot that is too high", list(joined, settings, byCli(shot(5, 5, "\x00\x00"))), []string{"shot-limit 9+2", "shot-by-tcp 0+4", "acting-before-spawn", "5 shots"}},
		{"a flag carried by a number that no player has", list(six, grabbed(6, 1, "GM"), updated(1, "GM", 2, 244), grabbed(5, 1, "GM")),
			[]string{"grab-status 4+3", "5 flags"}},
		{"two flags, the first of them 0", list(six, grabbed(6, 0, "GM"), grabbed(6, 1, "GM")), []string{"grab-status 4+3", "6 flags"}},
		{"flag 0, carried by another player", list(six, grabbed(6, 0, "GM"), grabbed(5, 0, "GM")), []string{"grab-status 4+3", "5 flags"}},
		{"flag 0, carried by a player who left", list(six, grabbed(6, 0, "GM"), bySrv(message("rp", "\x06")), grabbed(5, 0, "GM")),
			[]string{"grab-not-on-ground 4+3", "5 flags"}},
		{"a theft after the drop of a flag other than Thief", list(six, grabbed(6, 1, "GM"), dropped(6, 1, "GM"), stolen(6, 2, "GM")),
			[]string{"transfer-holder 5+1"}},
		{"a theft just after the loss of a Thief flag", list(six, grabbed(6, 1, "TH"), updated(1, "TH", 1, 255), stolen(6, 2, "GM")), nil},
		{"a grab after the drop of a flag that was not carried", list(six, grabbed(6, 2, "GM"), dropped(6, 1, "GM"), grabbed(6, 3, "GM")),
			[]string{"grab-status 4+3", "6 flags"}},
		{"somebody else's drop", list(joined, born(5), seconds(grabbed(5, 1, "GM"), -10), byCli(message("df", zeros(12))), dropped(6, 1, "GM"), shoots),
			[]string{"5 shots"}},
		{"a grab just after the drop", list(six, grabbed(6, 1, "GM"), dropped(6, 1, "GM"), grabbed(5, 1, "GM")),
			[]string{"grab-not-on-ground 4+3", "5 flags"}},
		{"a grab just after the exchange for another flag", list(six, grabbed(6, 0, "GM"), updated(1, "SB", 2, 6), grabbed(5, 0, "GM")),
			[]string{"grab-not-on-ground 4+3", "5 flags"}},
		{"a number too high for the view", list(six, born(5), flag512("gf", "\x06", 512, "GM"), flag512("gf", "\x05", 512, "GM")),
			[]string{"5 flags"}},
		{"another flag of the same kind, with too high a number", list(six, flag512("gf", "\x06", 600, "GM"), flag512("fu", "\x00\x01", 601, "GM"), flag512("df", "\x06", 601, "GM")), nil},
		{"such a flag again, long after the first message", list(six, seconds(flag512("fu", "\x00\x01", 600, "GM"), -9), flag512("fu", "\x00\x01", 600, "GM"), relayed(6, 1, "SW")),
			[]string{"shot-flag 41+2", "6 shots"}},
		{"a flag whose grab is not in the capture", list(added(6, 1), relayed(6, 1, "GM")), []string{"6 shots"}},
		{"a drop in a life that was captured from its beginning", list(added(6, 1), born(6), dropped(6, 1, "GM")), []string{"drop-without-flag 4+3"}},

		{"a player who left, and whose client is not captured",
			list(joined, kicked, joinedBy(added(5, 1)), joinedBy(born(5)), joinedBy(killed(5)), joinedBy(seconds(relayed(5, 1, "\x00\x00"), 2))),
			[]string{"acting-while-dead 8+1", "5 shots"}},
		{"settings again", list(joined, settings, settings), nil},
		{"the same game time again", list(joined, gameTime(9), gameTime(9)), nil},
		{"a shot from before the replay began again",
			list(six, relayed(6, 1, "\x00\x00"), bySrv(message("rr", "\x05")), seconds(ended(6, 1), 16)), []string{"unknown-shot 4+3"}},
		{"the end of shot 0", list(added(6, 1), seconds(ended(6, 0), 16)), []string{"unknown-shot 4+3"}},
		{"an answer, without the beginning of the connection", list(lagPing(5), lagAnswer(0)), nil},
		{"an answer at once", list(joined, lagPing(5), lagAnswer(5)), []string{"5 lag", "5 pings"}},

		{"removal of a number that no player has", list(joined, bySrv(message("rp", "\xf4"))), nil},
		{"killed by a number that no player has", list(six, secondKilled(6, 244)), []string{"6 deaths"}},
		{"killed twice, the second time without a cause", list(six, killed(6), secondKilled(6, 5)),
			[]string{"killed-while-dead 4+1", "6 deaths", "5 kills"}},
		{"killed twice, by a stranger's shot", list(six, killed(6), bySrv(message("kl", "\x06\x07\x00\x01\x00\x01\x00\x00"))),
			[]string{"killed-while-dead 4+1", "6 deaths"}},
		{"an observer who lived and is killed twice", list(joined, added(6, 5), born(6), killed(6), killed(6)),
			[]string{"killed-while-dead 4+1", "6 deaths", "5 kills", "5 hits"}},
		{"an observer who never lived", list(joined, added(6, 5), killed(6), killed(6)), []string{"6 deaths", "5 kills", "5 hits"}},
		{"an observer whom the end of the game does not kill", list(joined, added(6, 5), born(6), bySrv(message("so", "\x05\x00\x01")), seconds(killed(6), 2)),
			[]string{"6 deaths", "5 kills", "5 hits"}},
		{"not yet spawned when a flag is captured",
			list(six, added(7, 1), grabbed(6, 1, "GM"), dropped(6, 1, "GM"), captured(6, 1), killed(7)),
			[]string{"killed-while-dead 4+1", "7 deaths", "5 kills", "5 hits"}},
		{"paused twice, with another player's pause between", list(six, born(5), pause, bySrv(message("pa", "\x06\x01")), pause), []string{"duplicate-pause 4+1"}},
		{"a tank whose kind the server announced", list(greets, bySrv(message("ac", "\x05")), added(5, 1), born(5), byCli(shot(5, 1, "\x00\x00"))),
			[]string{"shot-by-tcp 0+4", "5 shots"}},

		{"a removal", list(joined, kicked), why},
		{"a shutdown of the server", list(six, says(253, 254, "The server is shutting down"), kicked),
			append(why, "6 connected")},
		{"a removal among others", list(six, kicked), why},
		{"faces of a world that nobody downloaded", list(joined, bySrv(message("tp", "\x05\x00\x09\x00\x0a"))), nil},
		{"a death after the removal", list(joined, kicked, killed(7)), []string{"after-superkill 0+4"}},
		{"chat from a number that no player has", list(joined, chat(244, 5)), nil},
		{"chat from an observer of a replay", list(joined, chat(243, 5)), []string{"243 chat lines"}},
	}
}

// TestTrackerFinds plays messages and checks all findings and values that the last message causes.
func TestTrackerFinds(t *testing.T) {
	for _, c := range trackerCases() {
		t.Run(c.name, func(t *testing.T) {
			var found []string
			k := newListener()
			k.tracker = bzflag24.Protocol.NewTracker(&wire.Reporter{
				Finding: func(f *wire.TrafficFinding) { found = append(found, f.Rule.ID[len("bzflag24."):]) },
				Value: func(v *wire.Value) {
					if !v.Event && v.Table != "kills" && v.Table != "joins" && v.What != "played" { // other tests check these
						found = append(found, v.Who+" "+v.What)
					}
				},
			})
			for _, s := range c.said {
				found = nil
				k.hear(s)
				for _, f := range k.layer.Findings() {
					found = append(found, fmt.Sprintf("%s %d+%d", f.Rule.ID[len("bzflag24."):], f.Off, f.Size))
				}
			}
			k.tracker.Close(math.MaxInt64)
			slices.SortStableFunc(found, func(a, b string) int { return isValue(a) - isValue(b) })
			if !slices.Equal(found, c.want) {
				t.Errorf("found %q, want %q", found, c.want)
			}
		})
	}
}

// isValue returns 1 for a value and 0 for a finding. The text of a value begins with a player's number.
func isValue(s string) int {
	if s[0] >= '0' && s[0] <= '9' {
		return 1
	}
	return 0
}
