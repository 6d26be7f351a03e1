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

// said is a message with its time, counted from the capture's start.
type said struct {
	at       time.Duration
	src, dst netip.AddrPort
	toServer bool
	overTCP  bool
	text     string

	connection int // its number
	missing    int // number of bytes after it that the snap length cut off
}

// after returns the message with its time set to s seconds after the capture's start.
func after(s float64, m said) said {
	m.at = time.Duration(math.Round(s * float64(time.Second)))
	return m
}

var (
	edgeGame    = netip.MustParseAddrPort("192.0.2.1:4000")
	edgeServer  = netip.MustParseAddrPort("192.0.2.9:27790")
	edgeServer2 = netip.MustParseAddrPort("192.0.2.10:27790")
	edgeClient  = netip.MustParseAddrPort("192.0.2.7:5000")
)

func toServer(text string) said {
	return said{src: edgeGame, dst: edgeServer, toServer: true, text: text}
}

func toGame(text string) said { return said{src: edgeServer, dst: edgeGame, text: text} }

// announced returns an announce with this number of players.
func announced(players byte) said {
	return toServer("1CEB\x02\x00\x25\x80\x80\x00\x51\x01" + string([]byte{players}) + "\x00\x40\x00" +
		fixed("srv", 30) + fixed("ctf", 10) + fixed("mesa.vxl", 30))
}

func fixed(s string, n int) string { return s + string(make([]byte, n-len(s))) }

// verified returns an announce, its MSOK and its HSHK.
func verified(s float64, players byte, cookie string) []said {
	return []said{after(s, announced(players)), after(s, toGame("MSOK"+cookie)), after(s, toServer("HSHK"+cookie))}
}

// at returns the messages with other addresses for the game and the server.
func at(game, server netip.AddrPort, list []said) []said {
	for i := range list {
		if m := &list[i]; m.toServer {
			m.src, m.dst = game, server
		} else {
			m.src, m.dst = server, game
		}
	}
	return list
}

// listed returns a request for the list and the answer, with a body or with entries.
func listed(s float64, body string) []said {
	ask := said{src: edgeClient, dst: edgeServer, toServer: true, overTCP: true, text: "GET /master.json HTTP/1.1\r\n\r\n"}
	answer := said{src: edgeServer, dst: edgeClient, overTCP: true,
		text: fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %03d\r\n\r\n%s", len(body), body)}
	return []said{after(s, ask), after(s, answer)}
}

func listOf(entries ...string) string {
	return `{"version": 2, "servers": [` + strings.Join(entries, ",") + "]}"
}

func entryOf(address string, port, players int, name string) string {
	return fmt.Sprintf(`{"address": %q, "port": %d, "players_current": %d, "players_max": 64, "name": %q, "mode": "ctf", `+
		`"map": "mesa.vxl", "version": "0.2.1-37"}`, address, port, players, name)
}

// TestTrackerFinds plays messages and compares the results for the last message: all rules, the bytes of findings about
// a message, and measured values.
func TestTrackerFinds(t *testing.T) {
	const here = 337 // the port in the announces
	early := []said{after(0, said{src: edgeClient, dst: edgeServer, toServer: true, text: "HSHKx"})}
	bytes10 := toServer(announced(0).text[:10])
	other := announced(0)
	other.dst = edgeServer2
	fromOther := func(s float64, text string) said { return after(s, said{src: edgeServer2, dst: edgeGame, text: text}) }
	toOther := func(s float64, text string) said {
		return after(s, said{src: edgeGame, dst: edgeServer2, toServer: true, text: text})
	}
	unknown := func(s float64) said { return after(s, announced(0)) }
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
	second := func(s float64) []said { return at(secondGame, edgeServer, verified(s, 0, "d")) }
	third := func(s float64) []said { return at(thirdGame, edgeServer, verified(s, 0, "e")) }
	otherPort := func(s float64) []said {
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
	bursts := func(at ...float64) (list []said) {
		for _, s := range at {
			for i := range 5 {
				list = append(list, unknown(s+float64(i)))
			}
		}
		return list
	}
	three := func(s, first, second, third float64) []said {
		return slices.Concat(verified(s+first, 0, fmt.Sprint("c", s)), verified(s+second, 0, fmt.Sprint("d", s)),
			verified(s+third, 0, fmt.Sprint("e", s)))
	}
	for _, c := range []struct {
		name string
		said [][]said
		want []string
	}{
		{"a handshake of a server", [][]said{early, {after(1, toGame("HSHKc"))}}, []string{"wrong-direction 0+4"}},
		{"a handshake behind that of a server", [][]said{early, {after(1, toGame("HSHKc")), after(2, toServer("HSHKc"))}},
			[]string{"handshake-unasked 0+4"}},
		{"another cookie", [][]said{early, verified(2, 0, "abc"), {after(3, toServer("HSHKdef"))}}, []string{"handshake-unasked 0+4"}},
		{"the next cookie of a server that counts", [][]said{early, verified(2, 0, "aaab"), {after(3, toServer("HSHKaaac"))}},
			[]string{"handshake-unasked 0+4"}},
		{"one that the snap length cut", [][]said{early, {unknown(2), cut}, verified(3, 0, "efgh"), {after(4, toServer("HSHKabcd"))}},
			[]string{"handshake-unasked 0+4"}},
		{"two bytes of a cookie", [][]said{early, verified(2, 0, "abcd"), {after(3, toServer("HSHKab"))}}, []string{"handshake-wrong-cookie 4+2"}},
		{"one byte of it", [][]said{early, verified(2, 0, "abcd"), {after(3, toServer("HSHKa"))}}, []string{"handshake-unasked 0+4"}},
		{"none of it", [][]said{early, verified(2, 0, "abcd"), {after(3, toServer("HSHK"))}}, []string{"handshake-wrong-cookie 4+0"}},
		{"more than it", [][]said{early, verified(2, 0, "ab"), {after(3, toServer("HSHKabc"))}}, []string{"handshake-wrong-cookie 4+3"}},
		{"more than one byte", [][]said{early, verified(2, 0, "a"), {after(3, toServer("HSHKabc"))}}, []string{"handshake-unasked 0+4"}},
		{"it backwards", [][]said{early, verified(2, 0, "abcd"), {after(3, toServer("HSHKdcba"))}}, []string{"handshake-wrong-cookie 4+4"}},
		{"a long one, begun backwards", [][]said{early, verified(2, 0, "abcdefghijklmnop1"), {after(3, toServer("HSHKponmlkjihgfedcba1"))}},
			[]string{"handshake-unasked 0+4"}},
		{"an older one, cut", [][]said{early, verified(2, 0, "abcd"), verified(3, 0, "efgh"), {after(4, toServer("HSHKabc"))}},
			[]string{"handshake-wrong-cookie 4+3"}},
		{"the cookie to another address", [][]said{early, {unknown(2), after(2.1, toGame("MSOKc")), toOther(2.2, "HSHKc")}},
			[]string{"time to HSHK 0.1"}},
		{"one cookie of two servers, to the second", [][]said{early,
			{unknown(2), after(2, other), after(2.1, toGame("MSOKc")), fromOther(2.3, "MSOKc"), toOther(2.4, "HSHKc")}},
			[]string{"time to HSHK 0.1"}},
		{"one cookie of two servers, to the first", [][]said{early,
			{unknown(2), after(2, other), after(2.1, toGame("MSOKc")), fromOther(2.3, "MSOKc"), after(2.4, toServer("HSHKc"))}},
			[]string{"time to HSHK 0.3"}},
		{"what was asked for before, on the connection", [][]said{early, listed(2, "")[:1], style},
			[]string{"master-json 40+7: no JSON, from byte 1 of the body on"}},
		{"what was asked for before, on another of the same ports", [][]said{early, listed(2, "")[:1], again}, nil},
		{"accepted at once", [][]said{early, {unknown(2), after(2, toGame("MSOKc"))}}, []string{"time to MSOK 0"}},
		{"accepted twice", [][]said{early, {unknown(2), after(2, toGame("MSOKc")), unknown(3), after(3, toGame("MSOKd"))}},
			[]string{"accept-unanswered", "time to MSOK 0"}},
		{"accepted twice, the second with a copy", [][]said{early, {unknown(2), after(2, toGame("MSOKc")), after(3, toGame("MSOKc"))}}, nil},
		{"accepted twice, one of the answers is unknown", [][]said{early,
			{unknown(2), after(2, toGame("MSOKc")), unknown(3), after(3, toGame("MSOKd")), after(4, toServer("HSHKxyz"))}},
			[]string{"handshake-unasked 0+4"}},

		{"a bad version for what has only its versions", [][]said{early, {after(2, bytes10), after(2.01, toGame("BADV\x02\x00\x25\x80\x80\x00"))}},
			[]string{"badv-same-version 4+6"}},
		{"a bad version, another number of the protocol", [][]said{early, {unknown(2), after(2.01, toGame("BADV\x01\x00\x25\x80\x80\x00"))}}, nil},
		{"a bad version that answers nothing any more", [][]said{early,
			{unknown(2), after(2.01, toGame("BADV\x01\x00\x25\x80\x80\x00")), after(2.02, toGame("BADV\x02\x00\x25\x80\x80\x00"))}}, nil},
		{"six announces, refused when they began", [][]said{early,
			{unknown(2), after(2, toGame("BADF")), after(3, announced(0)), after(4, announced(0)), after(5, announced(0)), after(6, announced(0)), after(7, announced(0))}},
			[]string{"data-after-badf 0+4", "announce gap 1"}},

		{"an announce that is late", [][]said{early, {unknown(2), unknown(3.5), unknown(4), unknown(5)}}, []string{"announce gap 1"}},
		{"three announces that are late", [][]said{early, {unknown(2), unknown(3.351), unknown(4.702), unknown(6.053)}},
			[]string{"burst-spacing 0+4", "announce gap 1.351"}},
		{"three announces that are hardly late", [][]said{early, {unknown(2), unknown(3.35), unknown(4.7), unknown(6.05)}},
			[]string{"announce gap 1.35"}},
		{"three announces that are early", [][]said{early, {unknown(2), unknown(2.649), unknown(3.298), unknown(3.947)}},
			[]string{"burst-spacing 0+4", "announce gap 0.649"}},
		{"three announces that are hardly early", [][]said{early, {unknown(2), unknown(2.65), unknown(3.3), unknown(3.95)}},
			[]string{"announce gap 0.65"}},
		{"a clock that was set within a burst", [][]said{early, {unknown(2), unknown(3), unknown(3.5), unknown(4.5), unknown(5.5)}},
			[]string{"announce gap 1"}},
		{"one announce too many", [][]said{early, {unknown(2), unknown(2.5), unknown(3), unknown(4)}}, []string{"announce gap 1"}},
		{"four announces at once", [][]said{early, {unknown(2), unknown(2), unknown(2), unknown(2)}}, []string{"burst-spacing 0+4", "announce gap 0"}},
		{"five seconds between announces", [][]said{early, {unknown(2), unknown(7)}}, []string{"announce gap 5"}},
		{"late bursts without an answer", [][]said{early, bursts(10, 70), {unknown(130)}},
			[]string{"burst-period 0+4", "burst period 60", "burst size 5", "bursts 1"}},
		{"late bursts, all at once", [][]said{early, slices.Repeat([]said{unknown(10)}, 5), slices.Repeat([]said{unknown(52)}, 5), {unknown(94)}},
			[]string{"burst-period 0+4", "burst period 42", "burst size 5", "bursts 1"}},
		{"early bursts", [][]said{early, bursts(10, 48.9), {unknown(87.8)}},
			[]string{"burst-period 0+4", "burst period 38.9", "burst size 5", "bursts 1"}},
		{"early bursts, the first one may have begun before", [][]said{early, bursts(10)[:3], bursts(48.9), {unknown(87.8)}},
			[]string{"burst period 38.9", "burst size 5", "bursts 1"}},
		{"the same three of each burst", [][]said{early, three(10, 0, 1, 2), three(50, 0, 1, 2), three(90, 0, 1, 2), {unknown(130)}},
			[]string{"burst-size 0+4", "burst period 40", "burst size 3", "bursts 1"}},
		{"three that were lost from the middle", [][]said{early, three(10, 0, 1, 3), three(50, 0, 1, 3), three(90, 0, 1, 3), {unknown(130)}},
			[]string{"burst-short 0+4", "burst period 40", "burst size 3", "bursts 1"}},
		{"a burst that lost one", [][]said{early, {unknown(100), unknown(101), unknown(102), unknown(104), unknown(140)}},
			[]string{"burst period 40", "burst size 4", "bursts 1"}},

		{"announced with a byte too much and not listed", [][]said{early,
			{after(2, long), after(2, toGame("MSOKc")), after(2, toServer("HSHKc"))}, listed(5, listOf())}, nil},
		{"the old values two seconds after the new ones", [][]said{early, verified(2, 1, "c"), verified(10, 2, "d"),
			listed(12, listOf(entryOf("192.0.2.1", here, 1, "srv")))}, []string{"listed yes"}},
		{"and after another handshake", [][]said{early, verified(2, 1, "c"), verified(10, 2, "d"), listed(12, listOf(entryOf("192.0.2.1", here, 1, "srv"))),
			verified(13, 2, "e"), listed(13, listOf(entryOf("192.0.2.1", here, 1, "srv")))}, []string{"master-json-stale 40+179"}},
		{"without another handshake", [][]said{early, verified(2, 1, "c"), verified(10, 2, "d"), listed(12, listOf(entryOf("192.0.2.1", here, 1, "srv"))),
			listed(13, listOf(entryOf("192.0.2.1", here, 1, "srv")))}, nil},
		{"the new values in between", [][]said{early, verified(2, 1, "c"), verified(10, 2, "d"), listed(12, listOf(entryOf("192.0.2.1", here, 1, "srv"))),
			verified(13, 2, "e"), listed(13, listOf(entryOf("192.0.2.1", here, 2, "srv"))), listed(14, listOf(entryOf("192.0.2.1", here, 1, "srv")))}, nil},
		{"the old values just before two seconds", [][]said{early, verified(2, 1, "c"), verified(10, 2, "d"),
			listed(11.999, listOf(entryOf("192.0.2.1", here, 1, "srv"))), verified(13, 2, "e"), listed(13, listOf(entryOf("192.0.2.1", here, 1, "srv")))}, nil},
		{"the values of announces that were lost, accepted as if they were those before", [][]said{early,
			{after(2, announced(1)), after(3.05, toGame("MSOKc")), after(3.06, toServer("HSHKc"))}, listed(6, listOf(entryOf("192.0.2.1", here, 2, "srv"))),
			{after(42, announced(1)), after(43.05, toGame("MSOKd")), after(43.06, toServer("HSHKd"))}, listed(46, listOf(entryOf("192.0.2.1", here, 2, "srv")))}, nil},
		{"other values after handshakes that were sent twice", [][]said{early, verified(2, 1, "c"), verified(3, 1, "c")[1:],
			listed(6, listOf(entryOf("192.0.2.1", here, 2, "srv"))), verified(7, 1, "d"), verified(8, 1, "d")[1:],
			listed(9, listOf(entryOf("192.0.2.1", here, 2, "srv")))}, []string{"master-json-stale 40+179"}},
		{"values of a newer announce", [][]said{early, verified(2, 1, "c"), listed(5, listOf(entryOf("192.0.2.1", here, 2, "srv"))), verified(6, 1, "d"),
			{after(7, announced(2))}, listed(9, listOf(entryOf("192.0.2.1", here, 2, "srv")))}, nil},
		{"values of neither", [][]said{early, verified(2, 1, "c"), verified(10, 2, "d"), listed(11, listOf(entryOf("192.0.2.1", here, 3, "srv"))),
			verified(11, 2, "e"), listed(11.1, listOf(entryOf("192.0.2.1", here, 3, "srv")))}, []string{"master-json-stale 40+179"}},
		{"values of neither, two seconds after the first", [][]said{early, verified(9, 1, "c"), verified(10, 2, "d"), listed(11, listOf(entryOf("192.0.2.1", here, 3, "srv"))),
			verified(11, 2, "e"), listed(11.1, listOf(entryOf("192.0.2.1", here, 3, "srv")))}, []string{"master-json-stale 40+179"}},
		{"other values a second after the first handshake", [][]said{early, verified(10, 1, "c"),
			listed(11, listOf(entryOf("192.0.2.1", here, 3, "srv")))}, []string{"listed yes"}},
		{"missing once", [][]said{missing}, nil},
		{"missing again", [][]said{missing, verified(10, 0, "c"), listed(11, listOf())}, []string{"unlisted-too-early 40+29"}},
		{"missing again without another handshake", [][]said{missing, listed(11, listOf())}, nil},
		{"missing less than two seconds after the first handshake", [][]said{early, verified(4, 0, "b"), listed(5.999, listOf()), verified(10, 0, "c"),
			listed(11, listOf())}, nil},
		{"missing two seconds after it", [][]said{early, verified(4, 0, "b"), listed(6, listOf()), verified(10, 0, "c"), listed(11, listOf())},
			[]string{"unlisted-too-early 40+29"}},
		{"missing just before it is forgotten", [][]said{missing, verified(10, 0, "c"), listed(128.999, listOf())}, []string{"unlisted-too-early 40+29"}},
		{"missing when it is forgotten", [][]said{missing, verified(10, 0, "c"), listed(129, listOf())}, nil},
		{"missing, another one has its port", [][]said{missing, verified(10, 0, "c"), listed(13, listOf(entryOf("192.0.2.2", here, 0, "b")))},
			[]string{"unlisted-too-early 40+177", "listed yes"}},
		{"three missing", [][]said{early, verified(4, 0, "c"), second(4), third(4), listed(7, listOf()), verified(10, 0, "f"), second(10), third(10),
			listed(13, listOf())}, slices.Repeat([]string{"unlisted-too-early 40+29"}, 3)},
		{"missing, from a loopback", [][]said{early, local[:3], listed(8, listOf()), local[3:], listed(13, listOf())}, nil},
		{"nine without a handshake", [][]said{nine, listed(3, listOf(entries...))}, append(
			slices.Repeat([]string{"listed-without-handshake 41+1396"}, 8), slices.Repeat([]string{"listed yes"}, 9)...)},

		{"listed after one announce, without a handshake", [][]said{early, {unknown(2)}, listed(3, listOf()),
			listed(4, listOf(entryOf("192.0.2.1", here, 0, "srv")))}, []string{"listed yes"}},
		{"listed after one MSOK, without a handshake", [][]said{early, {unknown(1), after(1.1, toGame("MSOKc")), unknown(2)}, listed(3, listOf()),
			listed(4, listOf(entryOf("192.0.2.1", here, 0, "srv")))}, []string{"listed yes"}},
		{"listed after it was not, without a handshake", [][]said{early, {unknown(1), unknown(2)}, listed(3, listOf()),
			listed(4, listOf(entryOf("192.0.2.1", here, 0, "srv")))}, []string{"listed-without-handshake 40+179", "listed yes"}},
		{"missing, with two handshakes at one host", [][]said{early, verified(4, 0, "c"), otherPort(5), listed(7, listOf()),
			verified(10, 0, "f"), otherPort(11), listed(13, listOf())},
			slices.Repeat([]string{"unlisted-too-early 40+29"}, 2)},
		{"listed by one heartbeat server, not by another", [][]said{early, {unknown(2)}, elsewhere,
			listed(4, listOf(entryOf("192.0.2.1", here, 0, "srv")))}, []string{"listed yes"}},

		{"port 0", [][]said{listed(1, listOf(entryOf("192.0.2.1", 0, 0, "a")))}, []string{"listed yes"}},
		{"the last port", [][]said{listed(1, listOf(entryOf("192.0.2.1", 65535, 0, "a")))}, []string{"listed yes"}},
		{"the port behind it", [][]said{listed(1, listOf(entryOf("192.0.2.1", 65536, 0, "a")))}, nil},
		{"a port below 0", [][]said{listed(1, listOf(entryOf("192.0.2.1", -1, 0, "a")))}, nil},
		{"null", [][]said{listed(1, "null")}, []string{bad[8:] + " 40+4: no JSON object"}},
		{"servers are null", [][]said{listed(1, `{"version": 2, "servers": null}`)}, []string{bad[8:] + " 40+31: servers is no list"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var found, values []string
			tracker := iceball.Protocol.NewTracker(&wire.Reporter{
				Finding: func(f *wire.TrafficFinding) { found = append(found, strings.TrimPrefix(f.Rule.ID, "iceball.")) },
				Value: func(v *wire.Value) {
					if v.Event || v.Table == "listing" { // covered by talks
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
			for _, m := range slices.Concat(c.said...) {
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
				t.Errorf("found are %q, want %q", found, c.want)
			}
		})
	}
}
