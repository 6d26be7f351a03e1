package iceball_test

import (
	"fmt"
	"math"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/iceball"
)

// timed is a message with its time, counted from the capture's start.
type timed struct {
	at       time.Duration
	src, dst netip.AddrPort
	toServer bool
	overTCP  bool
	text     string

	connection int // number of the connection
	missing    int // number of bytes after text that the snap length cut off
}

// after returns a message that is sent s seconds after the capture's start.
func after(s float64, m timed) timed {
	m.at = time.Duration(math.Round(s * float64(time.Second)))
	return m
}

var (
	edgeGame    = netip.MustParseAddrPort("192.0.2.1:4000")
	edgeServer  = netip.MustParseAddrPort("192.0.2.9:27790")
	edgeServer2 = netip.MustParseAddrPort("192.0.2.10:27790")
	edgeClient  = netip.MustParseAddrPort("192.0.2.7:5000")
)

func toServer(text string) timed {
	return timed{src: edgeGame, dst: edgeServer, toServer: true, text: text}
}

func toGame(text string) timed { return timed{src: edgeServer, dst: edgeGame, text: text} }

// announced returns an announce with the given number of players.
func announced(players byte) timed {
	return toServer("1CEB\x02\x00\x25\x80\x80\x00\x51\x01" + string([]byte{players}) + "\x00\x40\x00" +
		fixed("srv", 30) + fixed("ctf", 10) + fixed("mesa.vxl", 30))
}

func fixed(s string, n int) string { return s + string(make([]byte, n-len(s))) }

// verified returns an announce, its MSOK and its HSHK.
func verified(s float64, players byte, cookie string) []timed {
	return []timed{after(s, announced(players)), after(s, toGame("MSOK"+cookie)), after(s, toServer("HSHK"+cookie))}
}

// at changes the addresses of the game and the server in messages, and returns the messages.
func at(game, server netip.AddrPort, list []timed) []timed {
	for i := range list {
		if m := &list[i]; m.toServer {
			m.src, m.dst = game, server
		} else {
			m.src, m.dst = server, game
		}
	}
	return list
}

// listed returns a request for the list, and an answer with this body.
func listed(s float64, body string) []timed {
	ask := timed{src: edgeClient, dst: edgeServer, toServer: true, overTCP: true, text: "GET /master.json HTTP/1.1\r\n\r\n"}
	answer := timed{src: edgeServer, dst: edgeClient, overTCP: true,
		text: fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %03d\r\n\r\n%s", len(body), body)}
	return []timed{after(s, ask), after(s, answer)}
}

func listOf(entries ...string) string {
	return `{"version": 2, "servers": [` + strings.Join(entries, ",") + "]}"
}

func entryOf(address string, port, players int, name string) string {
	return fmt.Sprintf(`{"address": %q, "port": %d, "players_current": %d, "players_max": 64, "name": %q, "mode": "ctf", `+
		`"map": "mesa.vxl", "version": "0.2.1-37"}`, address, port, players, name)
}

// TestTrackerFinds passes messages to a tracker, and compares all findings and values that the last message causes. For
// findings about the last message itself, it also compares the offset and the size.
func TestTrackerFinds(t *testing.T) {
	const here = 337 // the port in the announces
	early := []timed{after(0, timed{src: edgeClient, dst: edgeServer, toServer: true, text: "HSHKx"})}
	bytes10 := toServer(announced(0).text[:10])
	other := announced(0)
	other.dst = edgeServer2
	fromOther := func(s float64, text string) timed {
		return after(s, timed{src: edgeServer2, dst: edgeGame, text: text})
	}
	toOther := func(s float64, text string) timed {
		return after(s, timed{src: edgeGame, dst: edgeServer2, toServer: true, text: text})
	}
	unknown := func(s float64) timed { return after(s, announced(0)) }
	long := announced(0)
	long.text += "x"
	nine := listed(1, listOf())
	var entries []string
	for i := range byte(9) {
		m := after(2, announced(0))
		m.src = netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, 20 + i}), 4000)
		nine = append(nine, m, after(2.9, m))
		entries = append(entries, entryOf(m.src.Addr().String(), here, 0, "srv"))
	}
	local := slices.Concat(verified(5, 0, "b"), verified(10, 0, "c"))
	at(netip.MustParseAddrPort("127.0.0.1:4000"), edgeServer, local)
	secondGame, thirdGame := netip.MustParseAddrPort("192.0.2.30:4000"), netip.MustParseAddrPort("192.0.2.31:4000")
	second := func(s float64) []timed { return at(secondGame, edgeServer, verified(s, 0, "d")) }
	third := func(s float64) []timed { return at(thirdGame, edgeServer, verified(s, 0, "e")) }
	otherPort := func(s float64) []timed {
		return at(edgeGame, netip.AddrPortFrom(edgeServer.Addr(), 27791), verified(s, 0, fmt.Sprint("d", s)))
	}
	missing := slices.Concat(early, verified(4, 0, "b"), listed(7, listOf()))
	const bad = "iceball.master-json"
	style := listed(3, "body {}")
	style[0].text = "GET /style.css HTTP/1.1\r\n\r\n"
	elsewhere := listed(3, listOf())
	elsewhere[0].dst, elsewhere[1].src = edgeServer2, edgeServer2
	again := slices.Clone(style)
	for i := range again {
		again[i].connection = 1
	}
	cut := after(2.1, toGame("MSOKab"))
	cut.missing = 2
	bursts := func(at ...float64) (list []timed) {
		for _, s := range at {
			for i := range 5 {
				list = append(list, unknown(s+float64(i)))
			}
		}
		return list
	}
	three := func(s, first, second, third float64) []timed {
		return slices.Concat(verified(s+first, 0, fmt.Sprint("c", s)), verified(s+second, 0, fmt.Sprint("d", s)),
			verified(s+third, 0, fmt.Sprint("e", s)))
	}
	for _, c := range []struct {
		name string
		list [][]timed
		want []string
	}{
		{"HSHK from the server", [][]timed{early, {after(1, toGame("HSHKc"))}}, []string{"wrong-direction 0+4"}},
		{"HSHK after one from the server", [][]timed{early, {after(1, toGame("HSHKc")), after(2, toServer("HSHKc"))}},
			[]string{"handshake-unasked 0+4"}},
		{"another cookie", [][]timed{early, verified(2, 0, "abc"), {after(3, toServer("HSHKdef"))}},
			[]string{"handshake-unasked 0+4"}},
		{"a cookie that differs in one byte", [][]timed{early, verified(2, 0, "aaab"), {after(3, toServer("HSHKaaac"))}},
			[]string{"handshake-unasked 0+4"}},
		{"a cookie that the snap length cut", [][]timed{early, {unknown(2), cut}, verified(3, 0, "efgh"),
			{after(4, toServer("HSHKabcd"))}},
			[]string{"handshake-unasked 0+4"}},
		{"two bytes of the cookie", [][]timed{early, verified(2, 0, "abcd"), {after(3, toServer("HSHKab"))}},
			[]string{"handshake-wrong-cookie 4+2"}},
		{"one byte of the cookie", [][]timed{early, verified(2, 0, "abcd"), {after(3, toServer("HSHKa"))}},
			[]string{"handshake-unasked 0+4"}},
		{"no cookie", [][]timed{early, verified(2, 0, "abcd"), {after(3, toServer("HSHK"))}},
			[]string{"handshake-wrong-cookie 4+0"}},
		{"the cookie and another byte", [][]timed{early, verified(2, 0, "ab"), {after(3, toServer("HSHKabc"))}},
			[]string{"handshake-wrong-cookie 4+3"}},
		{"a cookie of one byte and other bytes", [][]timed{early, verified(2, 0, "a"), {after(3, toServer("HSHKabc"))}},
			[]string{"handshake-unasked 0+4"}},
		{"the cookie with its bytes reversed", [][]timed{early, verified(2, 0, "abcd"), {after(3, toServer("HSHKdcba"))}},
			[]string{"handshake-wrong-cookie 4+4"}},
		{"a long cookie with its first bytes reversed", [][]timed{early, verified(2, 0, "abcdefghijklmnop1"),
			{after(3, toServer("HSHKponmlkjihgfedcba1"))}},
			[]string{"handshake-unasked 0+4"}},
		{"a part of an older cookie", [][]timed{early, verified(2, 0, "abcd"), verified(3, 0, "efgh"),
			{after(4, toServer("HSHKabc"))}},
			[]string{"handshake-wrong-cookie 4+3"}},
		{"the cookie to another server address", [][]timed{early,
			{unknown(2), after(2.1, toGame("MSOKc")), toOther(2.2, "HSHKc")}},
			[]string{"time to HSHK 0.1"}},
		{"the same cookie of two servers, to the second", [][]timed{early,
			{unknown(2), after(2, other), after(2.1, toGame("MSOKc")), fromOther(2.3, "MSOKc"), toOther(2.4, "HSHKc")}},
			[]string{"time to HSHK 0.1"}},
		{"the same cookie of two servers, to the first", [][]timed{early,
			{unknown(2), after(2, other), after(2.1, toGame("MSOKc")), fromOther(2.3, "MSOKc"), after(2.4, toServer("HSHKc"))}},
			[]string{"time to HSHK 0.3"}},
		{"the answer to an earlier request for the list, on the same connection", [][]timed{early, listed(2, "")[:1], style},
			[]string{"master-json 40+7: no JSON, from byte 1 of the body on"}},
		{"an earlier request for the list, on another connection of the same ports", [][]timed{early, listed(2, "")[:1],
			again}, nil},
		{"MSOK at once", [][]timed{early, {unknown(2), after(2, toGame("MSOKc"))}}, []string{"time to MSOK 0"}},
		{"two MSOKs without HSHK", [][]timed{early,
			{unknown(2), after(2, toGame("MSOKc")), unknown(3), after(3, toGame("MSOKd"))}},
			[]string{"accept-unanswered", "time to MSOK 0"}},
		{"MSOK and a copy of it", [][]timed{early, {unknown(2), after(2, toGame("MSOKc")), after(3, toGame("MSOKc"))}}, nil},
		{"two MSOKs, and HSHK with an unknown cookie", [][]timed{early,
			{unknown(2), after(2, toGame("MSOKc")), unknown(3), after(3, toGame("MSOKd")), after(4, toServer("HSHKxyz"))}},
			[]string{"handshake-unasked 0+4"}},

		{"BADV to an announce that ends after its versions", [][]timed{early,
			{after(2, bytes10), after(2.01, toGame("BADV\x02\x00\x25\x80\x80\x00"))}},
			[]string{"badv-same-version 4+6"}},
		{"BADV with another version of the protocol", [][]timed{early,
			{unknown(2), after(2.01, toGame("BADV\x01\x00\x25\x80\x80\x00"))}}, nil},
		{"BADV to an announce that was already refused", [][]timed{early,
			{unknown(2), after(2.01, toGame("BADV\x01\x00\x25\x80\x80\x00")), after(2.02, toGame("BADV\x02\x00\x25\x80\x80\x00"))}}, nil},
		{"six announces, the first refused", [][]timed{early,
			{unknown(2), after(2, toGame("BADF")), after(3, announced(0)), after(4, announced(0)), after(5, announced(0)), after(6, announced(0)), after(7, announced(0))}},
			[]string{"data-after-badf 0+4", "announce gap 1"}},

		{"a late announce", [][]timed{early, {unknown(2), unknown(3.5), unknown(4), unknown(5)}}, []string{"announce gap 1"}},
		{"three late announces", [][]timed{early, {unknown(2), unknown(3.351), unknown(4.702), unknown(6.053)}},
			[]string{"burst-spacing 0+4", "announce gap 1.351"}},
		{"three announces that are late, but within the tolerance", [][]timed{early,
			{unknown(2), unknown(3.35), unknown(4.7), unknown(6.05)}},
			[]string{"announce gap 1.35"}},
		{"three early announces", [][]timed{early, {unknown(2), unknown(2.649), unknown(3.298), unknown(3.947)}},
			[]string{"burst-spacing 0+4", "announce gap 0.649"}},
		{"three announces that are early, but within the tolerance", [][]timed{early,
			{unknown(2), unknown(2.65), unknown(3.3), unknown(3.95)}},
			[]string{"announce gap 0.65"}},
		{"a clock set within a burst", [][]timed{early, {unknown(2), unknown(3), unknown(3.5), unknown(4.5), unknown(5.5)}},
			[]string{"announce gap 1"}},
		{"an additional announce", [][]timed{early, {unknown(2), unknown(2.5), unknown(3), unknown(4)}},
			[]string{"announce gap 1"}},
		{"four announces at once", [][]timed{early, {unknown(2), unknown(2), unknown(2), unknown(2)}},
			[]string{"burst-spacing 0+4", "announce gap 0"}},
		{"five seconds between announces", [][]timed{early, {unknown(2), unknown(7)}}, []string{"announce gap 5"}},
		{"late bursts without an answer", [][]timed{early, bursts(10, 70), {unknown(130)}},
			[]string{"burst-period 0+4", "burst period 60", "burst size 5", "bursts 1"}},
		{"late bursts, each with all announces at once", [][]timed{early, slices.Repeat([]timed{unknown(10)}, 5),
			slices.Repeat([]timed{unknown(52)}, 5), {unknown(94)}},
			[]string{"burst-period 0+4", "burst period 42", "burst size 5", "bursts 1"}},
		{"early bursts", [][]timed{early, bursts(10, 48.9), {unknown(87.8)}},
			[]string{"burst-period 0+4", "burst period 38.9", "burst size 5", "bursts 1"}},
		{"early bursts, the first may have begun before the capture", [][]timed{early, bursts(10)[:3], bursts(48.9),
			{unknown(87.8)}},
			[]string{"burst period 38.9", "burst size 5", "bursts 1"}},
		{"the same three announces in each burst", [][]timed{early, three(10, 0, 1, 2), three(50, 0, 1, 2),
			three(90, 0, 1, 2), {unknown(130)}},
			[]string{"burst-size 0+4", "burst period 40", "burst size 3", "bursts 1"}},
		{"bursts without an announce from the middle", [][]timed{early, three(10, 0, 1, 3), three(50, 0, 1, 3),
			three(90, 0, 1, 3), {unknown(130)}},
			[]string{"burst-short 0+4", "burst period 40", "burst size 3", "bursts 1"}},
		{"a burst with a lost announce", [][]timed{early,
			{unknown(100), unknown(101), unknown(102), unknown(104), unknown(140)}},
			[]string{"burst period 40", "burst size 4", "bursts 1"}},

		{"an announce with an additional byte, not listed", [][]timed{early,
			{after(2, long), after(2, toGame("MSOKc")), after(2, toServer("HSHKc"))}, listed(5, listOf())}, nil},
		{"an entry with old values, two seconds after the handshake", [][]timed{early, verified(2, 1, "c"),
			verified(10, 2, "d"),
			listed(12, listOf(entryOf("192.0.2.1", here, 1, "srv")))}, []string{"listed yes"}},
		{"entries with old values, after two handshakes", [][]timed{early, verified(2, 1, "c"), verified(10, 2, "d"),
			listed(12, listOf(entryOf("192.0.2.1", here, 1, "srv"))),
			verified(13, 2, "e"), listed(13, listOf(entryOf("192.0.2.1", here, 1, "srv")))}, []string{"master-json-stale 40+179"}},
		{"two entries with old values, after one handshake", [][]timed{early, verified(2, 1, "c"), verified(10, 2, "d"),
			listed(12, listOf(entryOf("192.0.2.1", here, 1, "srv"))),
			listed(13, listOf(entryOf("192.0.2.1", here, 1, "srv")))}, nil},
		{"an entry with new values between two with old values", [][]timed{early, verified(2, 1, "c"), verified(10, 2, "d"),
			listed(12, listOf(entryOf("192.0.2.1", here, 1, "srv"))),
			verified(13, 2, "e"), listed(13, listOf(entryOf("192.0.2.1", here, 2, "srv"))), listed(14, listOf(entryOf("192.0.2.1", here, 1, "srv")))}, nil},
		{"an entry with old values, less than two seconds after the handshake", [][]timed{early, verified(2, 1, "c"),
			verified(10, 2, "d"),
			listed(11.999, listOf(entryOf("192.0.2.1", here, 1, "srv"))), verified(13, 2, "e"), listed(13, listOf(entryOf("192.0.2.1", here, 1, "srv")))}, nil},
		{"values of lost announces, whose MSOKs follow earlier announces", [][]timed{early,
			{after(2, announced(1)), after(3.05, toGame("MSOKc")), after(3.06, toServer("HSHKc"))}, listed(6, listOf(entryOf("192.0.2.1", here, 2, "srv"))),
			{after(42, announced(1)), after(43.05, toGame("MSOKd")), after(43.06, toServer("HSHKd"))}, listed(46, listOf(entryOf("192.0.2.1", here, 2, "srv")))}, nil},
		{"other values, after repeated MSOKs", [][]timed{early, verified(2, 1, "c"), verified(3, 1, "c")[1:],
			listed(6, listOf(entryOf("192.0.2.1", here, 2, "srv"))), verified(7, 1, "d"), verified(8, 1, "d")[1:],
			listed(9, listOf(entryOf("192.0.2.1", here, 2, "srv")))}, []string{"master-json-stale 40+179"}},
		{"values of a newer announce", [][]timed{early, verified(2, 1, "c"),
			listed(5, listOf(entryOf("192.0.2.1", here, 2, "srv"))), verified(6, 1, "d"),
			{after(7, announced(2))}, listed(9, listOf(entryOf("192.0.2.1", here, 2, "srv")))}, nil},
		{"values of no announce", [][]timed{early, verified(2, 1, "c"), verified(10, 2, "d"),
			listed(11, listOf(entryOf("192.0.2.1", here, 3, "srv"))),
			verified(11, 2, "e"), listed(11.1, listOf(entryOf("192.0.2.1", here, 3, "srv")))}, []string{"master-json-stale 40+179"}},
		{"values of no announce, soon after two handshakes", [][]timed{early, verified(9, 1, "c"), verified(10, 2, "d"),
			listed(11, listOf(entryOf("192.0.2.1", here, 3, "srv"))),
			verified(11, 2, "e"), listed(11.1, listOf(entryOf("192.0.2.1", here, 3, "srv")))}, []string{"master-json-stale 40+179"}},
		{"other values a second after the first handshake", [][]timed{early, verified(10, 1, "c"),
			listed(11, listOf(entryOf("192.0.2.1", here, 3, "srv")))}, []string{"listed yes"}},
		{"missing in one list", [][]timed{missing}, nil},
		{"missing in two lists", [][]timed{missing, verified(10, 0, "c"), listed(11, listOf())},
			[]string{"unlisted-too-early 40+29"}},
		{"missing in two lists, after one handshake", [][]timed{missing, listed(11, listOf())}, nil},
		{"missing less than two seconds after the first handshake", [][]timed{early, verified(4, 0, "b"),
			listed(5.999, listOf()), verified(10, 0, "c"),
			listed(11, listOf())}, nil},
		{"missing two seconds after the first handshake", [][]timed{early, verified(4, 0, "b"), listed(6, listOf()),
			verified(10, 0, "c"), listed(11, listOf())},
			[]string{"unlisted-too-early 40+29"}},
		{"missing just before the entry expires", [][]timed{missing, verified(10, 0, "c"), listed(128.999, listOf())},
			[]string{"unlisted-too-early 40+29"}},
		{"missing when the entry expires", [][]timed{missing, verified(10, 0, "c"), listed(129, listOf())}, nil},
		{"missing, another server has the same port", [][]timed{missing, verified(10, 0, "c"),
			listed(13, listOf(entryOf("192.0.2.2", here, 0, "b")))},
			[]string{"unlisted-too-early 40+177", "listed yes"}},
		{"three servers missing", [][]timed{early, verified(4, 0, "c"), second(4), third(4), listed(7, listOf()),
			verified(10, 0, "f"), second(10), third(10),
			listed(13, listOf())}, slices.Repeat([]string{"unlisted-too-early 40+29"}, 3)},
		{"missing, announced from a loopback address", [][]timed{early, local[:3], listed(8, listOf()), local[3:],
			listed(13, listOf())}, nil},
		{"nine servers without a handshake", [][]timed{nine, listed(3, listOf(entries...))}, append(
			slices.Repeat([]string{"listed-without-handshake 41+1396"}, 8), slices.Repeat([]string{"listed yes"}, 9)...)},

		{"listed after one announce, without a handshake", [][]timed{early, {unknown(2)}, listed(3, listOf()),
			listed(4, listOf(entryOf("192.0.2.1", here, 0, "srv")))}, []string{"listed yes"}},
		{"listed after one MSOK, without a handshake", [][]timed{early, {unknown(1), after(1.1, toGame("MSOKc")), unknown(2)},
			listed(3, listOf()),
			listed(4, listOf(entryOf("192.0.2.1", here, 0, "srv")))}, []string{"listed yes"}},
		{"listed after it was missing, without a handshake", [][]timed{early, {unknown(1), unknown(2)}, listed(3, listOf()),
			listed(4, listOf(entryOf("192.0.2.1", here, 0, "srv")))}, []string{"listed-without-handshake 40+179", "listed yes"}},
		{"missing, with handshakes at two servers of a host", [][]timed{early, verified(4, 0, "c"), otherPort(5),
			listed(7, listOf()),
			verified(10, 0, "f"), otherPort(11), listed(13, listOf())},
			slices.Repeat([]string{"unlisted-too-early 40+29"}, 2)},
		{"listed by one heartbeat server, not by another", [][]timed{early, {unknown(2)}, elsewhere,
			listed(4, listOf(entryOf("192.0.2.1", here, 0, "srv")))}, []string{"listed yes"}},

		{"port 0", [][]timed{listed(1, listOf(entryOf("192.0.2.1", 0, 0, "a")))}, []string{"listed yes"}},
		{"port 65535", [][]timed{listed(1, listOf(entryOf("192.0.2.1", 65535, 0, "a")))}, []string{"listed yes"}},
		{"port 65536", [][]timed{listed(1, listOf(entryOf("192.0.2.1", 65536, 0, "a")))}, nil},
		{"a negative port", [][]timed{listed(1, listOf(entryOf("192.0.2.1", -1, 0, "a")))}, nil},
		{"null", [][]timed{listed(1, "null")}, []string{bad[8:] + " 40+4: no JSON object"}},
		{"servers is null", [][]timed{listed(1, `{"version": 2, "servers": null}`)},
			[]string{bad[8:] + " 40+31: servers is no list"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var found, values []string
			tracker := iceball.Protocol.NewTracker(&wire.Reporter{
				Finding: func(f *wire.TrafficFinding) { found = append(found, strings.TrimPrefix(f.Rule.ID, "iceball.")) },
				Value: func(v *wire.Value) {
					if v.Event || v.Table == "listing" { // TestTalks checks these
						return
					}
					if v.State {
						values = append(values, v.What+" "+v.Text)
					} else {
						values = append(values, fmt.Sprint(v.What, " ", v.Number))
					}
				},
			})
			var layer iceball.Layer
			now := int64(0)
			for _, m := range slices.Concat(c.list...) {
				found, values = nil, nil
				layer.Context = wire.Context{Direction: wire.FromServer, Transport: wire.UDP, Missing: m.missing}
				if m.toServer {
					layer.Context.Direction = wire.ToServer
				}
				if m.overTCP {
					layer.Context.Transport = wire.TCP
				}
				_ = layer.DecodeFromBytes([]byte(m.text), gopacket.NilDecodeFeedback)
				now = int64(m.at)
				tracker.Time(now)
				tracker.Message(&layer, &wire.Place{Time: now, Src: m.src, Dst: m.dst, Transport: layer.Context.Transport,
					Conversation: m.connection})
				for _, f := range layer.Findings() {
					found = append(found, fmt.Sprintf("%s %d+%d", strings.TrimPrefix(f.Rule.ID, "iceball."), f.Off, f.Size))
					if f.Rule.ID == bad {
						found[len(found)-1] += ": " + f.Text
					}
				}
			}
			tracker.Close(now + int64(time.Second))
			if found = append(found, values...); !slices.Equal(found, c.want) {
				t.Errorf("got %q, want %q", found, c.want)
			}
		})
	}
}
