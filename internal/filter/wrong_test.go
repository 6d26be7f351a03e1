package filter_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/internal/filter"
)

// TestWrongFilters has mistakes that users of Wireshark, tcpdump or another language make. Each error marks the wrong
// part and proposes filters that compile. The test compares the column and the marked text.
func TestWrongFilters(t *testing.T) {
	for _, test := range []struct {
		filter string
		column int
		marked string
		meant  []string // proposed filters; nil if the error has none
		reason string
	}{
		{`ip.addr = 10.0.0.1`, 9, `=`, []string{`ip.addr == 10.0.0.1`}, `"=" is no comparison`},
		{`tcp.port=5154`, 9, `=`, []string{`tcp.port == 5154`}, ``},
		{`frame.number => 5`, 14, `=>`, []string{`frame.number >= 5`}, ``},
		{`ip.src <> 10.0.0.1`, 8, `<>`, []string{`ip.src != 10.0.0.1`}, ``},
		{`info =~ frank`, 6, `=~`, []string{`info matches "frank"`}, ``},
		{`é.é || ip.src = ::1`, 1, `é.é`, nil, `names begin with bloodmasters, `},
		{`bzflag24.killed.killr`, 1, `bzflag24.killed.killr`, []string{`bzflag24.killed.killer`}, ``},
		{`bzflag24.killed.why == 3`, 1, `bzflag24.killed.why`, nil, `bzflag24.killed has code, flag_type, killer, `},
		{`callsign == "Al"`, 1, `callsign`, []string{`bzflag17.call_sign == "Al"`, `bzflag24.call_sign == "Al"`}, ``},
		{`bzflag24.call_sign == Frank Smith`, 29, `Smith`, []string{`bzflag24.call_sign == "Frank Smith"`}, `cannot follow`},
		{`team == red`, 1, `team`, []string{`bzflag17.team == Red`, `bzflag24.team == Red`}, ``},
		{`message == killed`, 12, `killed`, []string{`message == MsgKilled`}, ``},
		{`port 5154`, 1, `port 5154`, []string{`udp.port == 5154`, `tcp.port == 5154`}, `is for capture filters`},
		{`tribes && udp dst port 28000`, 11, `udp dst port 28000`, []string{`udp.dstport == 28000`}, ``},
		{`tcp portrange 5154-5160`, 1, `tcp portrange 5154-5160`, []string{`tcp.port in {5154..5160}`}, ``},
		{`not src host 10.0.0.1 and tribes`, 5, `src host 10.0.0.1`, []string{`ip.src == 10.0.0.1`}, ``},
		{`host fe80::1`, 1, `host fe80::1`, []string{`ipv6.addr == fe80::1`}, ``},
		{`dst 10.0.0.1`, 1, `dst 10.0.0.1`, []string{`ip.dst == 10.0.0.1`}, ``},
		{`net 10.0.0.0/8`, 1, `net 10.0.0.0/8`, []string{`ip.addr == 10.0.0.0/8`}, ``},
		{`udp.port == 28000 or 28001`, 22, `28001`, []string{`udp.port == 28001`}, ``},
		{`tcp.port in 5154, 5155`, 13, `5154`, []string{`tcp.port in {5154, 5155}`}, ``},
		{`tcp.port in (5154, 5155)`, 13, `(`, []string{`tcp.port in {5154, 5155}`}, ``},
		{`ip.src == 10.0.0.1-10.0.0.9`, 11, `10.0.0.1-10.0.0.9`, []string{`ip.src in {10.0.0.1..10.0.0.9}`}, ``},
		{`frame.time_relative > 5 s`, 25, `s`, []string{`frame.time_relative > 5s`}, ``},
		{`frame.time > "20.11.2026"`, 14, `"20.11.2026"`, nil, `a time (such as "2026-11-20 09:16:03")`},
		{`ip.addr == server`, 12, `server`, nil, `an address (such as 10.0.0.1 or 10.0.0.0/8), not server`},
		{`ip == 10.0.0.1`, 4, `==`, []string{`ip.addr == 10.0.0.1`, `ip.dst == 10.0.0.1`, `ip.src == 10.0.0.1`}, ``},
		{`ip.dst_host == 10.0.0.1`, 1, `ip.dst_host`, []string{`ip.dst == 10.0.0.1`}, ``},
		{`_ws.col.Info contains frank`, 1, `_ws.col.Info`, []string{`info contains "frank"`}, ``},
		{`http`, 1, `http`, []string{`iceball.http_request`, `bzflag24.http_request`, `iceball.http_response`}, ``},
		{`tcp.seq == 1`, 1, `tcp.seq`, []string{`tcp.seq_raw == 1`}, ``},
		{`wlan.addr == 00:11:22:33:44:55`, 1, `wlan.addr`, nil, `names begin with bloodmasters, `},
		{`frank`, 1, `frank`, []string{`info contains "frank"`}, ``},
		{`"frank"`, 1, `"frank"`, []string{`info contains "frank"`}, ``},
		{`contains "frank"`, 1, `contains`, []string{`info contains "frank"`}, ``},
		{`5154`, 1, `5154`, []string{`udp.port == 5154`, `tcp.port == 5154`}, ``},
		{`10.0.0.1`, 1, `10.0.0.1`, []string{`ip.addr == 10.0.0.1`}, ``},
		{`tribes and and udp`, 12, `and`, nil, `a condition is missing before and`},
		{`udp tribes`, 5, `tribes`, []string{`udp && tribes`}, ``},
		{`udp & tribes`, 7, `tribes`, []string{`&& tribes`}, ``},
	} {
		bad := refused(t, schema, test.filter)
		column, marked := utf8.RuneCountInString(bad.Text[:bad.Off])+1, bad.Text[bad.Off:bad.Off+bad.Size]
		if column != test.column || marked != test.marked || !strings.Contains(bad.Error(), test.reason) ||
			strings.Join(bad.Nearest, " or ") != strings.Join(test.meant, " or ") {
			t.Errorf("%s: %v, marked %q; want column %d, %q, %q, %q", test.filter, bad, marked, test.column, test.marked,
				test.reason, test.meant)
		}
		for _, meant := range bad.Nearest {
			if _, err := schema.Compile(strings.TrimPrefix(meant, "&& "), nil); err != nil {
				t.Errorf("%s: the proposal %q does not compile: %v", test.filter, meant, err)
			}
		}
	}
}

// TestFullNames checks that, for a name without its protocol, the proposal is the full name, even if other names are
// similar.
func TestFullNames(t *testing.T) {
	for name, want := range map[string]string{
		"killer": "bzflag17.killer bzflag24.killer", "player_info": "bzflag24.player_info",
		"servers.ip": "tribes.servers.ip", "bzflag24.killed.kilr": "bzflag24.killed.killer",
		"bzflag24.kill": "bzflag24.killed bzflag24.killer bzflag24.killer_name",
	} {
		if got := strings.Join(filter.Nearest(name, schema.Names()), " "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
