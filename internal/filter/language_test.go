package filter_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/internal/filter"
)

// A construct is a construct of wireshark-filter(4), with filters that use it. Each of these filters matches a message
// in the captures.
type construct struct {
	what    string
	filters []string
}

var constructs = []construct{
	{"a protocol or a field exists", []string{`udp`, `ip.ttl`, `bzflag24.killed`}},
	{"`==` `!=` `>` `<` `>=` `<=` and `eq` `ne` `gt` `lt` `ge` `le`", []string{`frame.len > 60`, `ip.ttl eq 64`}},
	{"`any_eq` `all_eq` `===`, `all_ne`, `any_ne` `!==`", []string{`udp.port === 28001 or tcp`, `tcp.port any_ne 5154`}},
	{"`any` and `all`", []string{`all tribes.servers.port > 1024`, `any ip.addr != 1.1.1.1`}},
	{"`a <= b < c`", []string{`1 < frame.number <= 200`}},
	{"`contains`", []string{`frame contains "Tribes"`, `tcp contains 00:04`, `tribes contains "Forty"`}},
	{"`matches`, `~`, `(?-i)`", []string{`udp.payload matches "tribes m"`, `info ~ r"(?-i)\bTribes\b"`}},
	{"`upper()` `lower()`", []string{`lower(tribes.master_name) contains "tribes"`}},
	{"`len()`", []string{`len(udp.payload) > 8`, `len(ip.src) == 4`}},
	{"`count()`", []string{`count(ip.addr) == 2`}},
	{"`string()`", []string{`string(frame.number) matches "[13579]$"`}},
	{"`max()` `min()` `abs()`", []string{`min(udp.srcport, udp.dstport) == 28000`, `max(5, 6) < frame.len`, `abs(-64) == ip.ttl`}},
	{"`float()` `double()`", []string{`double(frame.len) / 4 > 12.3`}},
	{"`vals()` `dec()` `hex()`", []string{`vals(ip.proto) == "UDP"`, `hex(udp.srcport) == "0x6d61"`}},
	{"`ip_linklocal()` `ip_multicast()` `ip_rfc1918()` `ip_ula()`", []string{`ip_rfc1918(ip.src) == false`}},
	{"numbers in decimal, octal, hexadecimal, binary", []string{`ip.ttl == 64`, `ip.ttl == 0100`, `ip.ttl == 0x40`, `ip.ttl == 0b1000000`}},
	{"a character in single quotes", []string{`ip.ttl == '@'`, `frame contains 'T'`, `frame.len > '\x0a'`, `frame.len > '\012'`}},
	{"floating point, `inf`, `nan`", []string{`frame.time_relative > 1e-6`, `bzflag24.position.x < inf`, `bzflag24.position.x != nan`}},
	{"`true`, `True`, `1`, \"Set\"", []string{`ip.flags.df == True`, `ip.flags.df == 1`, `ip.flags.df == "Set"`}},
	{"bytes: `:` `.` `-` or nothing between them", []string{`frame contains 54:72:69`, `frame contains 54.72.69`, `frame contains 547269`}},
	{"bytes, not numbers: `:10`, `:10.05`, `:10-05`, `10:`", []string{`udp contains :10.05`, `udp contains :10-05`, `udp.payload[0] == 10:`}},
	{"addresses and networks", []string{`ip.src == 127.0.0.0/8`, `ip.addr > 126.0.0.0`}},
	{"texts, with `\\\"` for a quote", []string{`info contains "Tribes" and !(info contains "a\"b")`}},
	{"escapes `\\a \\b \\f \\n \\r \\t \\v \\NNN \\xNN \\uNNNN \\UNNNNNNNN`", []string{`frame contains "\124ribes"`, `frame contains "\u0054ribes"`, `frame contains "\x54ribes"`}},
	{"raw texts `r\"...\"`", []string{`tribes.master_name matches r"^\w+ M"`}},
	{"the name of a value", []string{`ip.proto == "UDP"`, `ip.proto in {"udp", "tcp"}`, `bzflag24.team == red`}},
	{"times", []string{`frame.time > "2020-07-04T12:34:56"`, `frame.time > "Sep 26, 2004 23:18:04.954975"`}},
	{"zones: `Z` `UTC` `EST` `+02:00`", []string{`frame.time > "2020-07-04 12:34:56 EST"`, `frame.time > "2020-07-04T12:34:56Z"`, `frame.time > "2020-07-04 12:34:56 +02:00"`}},
	{"slices `[i:j]` `[i-j]` `[i]` `[:j]` `[i:]`, from the end", []string{`frame[12:2] == 08:00`, `ip.src[0] == 7f`, `tcp.payload[-1:] == 00`, `tribes.master_name[0:2] == "Tr"`}},
	{"several slices `[1,3-5]`", []string{`udp.payload[0, 1] == 10:05`}},
	{"layers `#2`, `#[2-4]`", []string{`ip.addr#1 == 127.0.0.1`, `ip.src#[-1] == 127.0.0.1`, `!ip.addr#2`}},
	{"`@`: the bytes of a field", []string{`@udp.srcport == 6d:61`, `@bzflag24.killed.reason == 00:01`}},
	{"sets and ranges", []string{`tcp.port in {5154, 5000..6000}`, `ip.addr in {127.0.0.1 .. 127.0.0.9}`, `udp.port not in {1..100}`, `frame.time_relative in {0 .. 0.5}`}},
	{"bytes compared with texts, `0xff` for a byte", []string{`udp.payload contains "Tribes"`, `udp.payload[0] == 0x10`}},
	{"`&`, `bitand`, `bitwise_and`", []string{`tcp.flags & 0x08`, `ip.src[0] & 0x0f == 0f`, `udp.payload[0:2] & 10:00`}},
	{"`+ - * / %`, `{}` around them", []string{`udp.length == ip.len - 20`, `udp.port * {10 / {5 - 4}} == 280010`, `frame.number % 2 == 0`}},
	{"a sign in front of a field", []string{`-ip.ttl == -64`}},
	{"arithmetic with times", []string{`frame.time_relative + 1 > 1.5`, `frame.time - frame.time_relative > "2020-01-01"`}},
	{"`and` `or` `not` `xor`, `&&` `||` `!` `^^`, in any case", []string{`udp and not ipv6`, `udp AND !ipv6 || tcp`, `udp xor tcp`}},
	{"`.udp.port`: a field, not a value", []string{`udp.dstport == .udp.dstport`}},
}

// A refusal is an unsupported construct, with the filter to write instead.
type refusal struct{ what, filter, instead string }

var refusals = []refusal{
	{"a host's name for its address", `ip.dst == www.example.org`, `ip.dst == 192.0.2.1`},
	{"`${field}`, a field of the selected packet", `frame.number < ${frame.number}`, `frame.number < 122`},
	{"macros", `$private(ip.src)`, `ip_rfc1918(ip.src)`},
	{"a decimal number for a byte", `udp.payload[0] == 153`, `udp.payload[0] == 0x99`},
	{"`tcp.seq` and `tcp.ack`, relative to the first of the connection", `tcp.seq == 1`, `tcp.seq_raw == 1`},
	{"a protocol compared with a number", `udp == 3`, `udp.length == 3`},
}

func TestLanguage(t *testing.T) {
	matched := make(map[string]bool)
	filters := make(map[string]*filter.Filter)
	for _, c := range constructs {
		for _, text := range c.filters {
			filters[text] = compiled(t, schema, text, nil)
		}
	}
	match := func(x *filter.Subject) {
		for text, f := range filters {
			matched[text] = matched[text] || f.Match(x)
		}
	}
	read(t, "tribes-list-40.pcap", match, nil)
	read(t, "bz24-ctf-players.pcap", match, nil)
	for text := range filters {
		if !matched[text] {
			t.Errorf("%s: true for no message", text)
		}
	}
	for _, r := range refusals {
		_ = refused(t, schema, r.filter)
		compiled(t, schema, r.instead, nil)
	}
	comparePage(t, languageTable())
}

const (
	page       = "../../docs/display-filters.md"
	tableBegin = "| in Wireshark | here |"
)

// languageTable returns the table of supported and unsupported constructs.
func languageTable() string {
	var b strings.Builder
	b.WriteString(tableBegin + " for example |\n|---|---|---|\n")
	cell := func(text string) string { return "`" + strings.ReplaceAll(text, "|", `\|`) + "`" }
	for _, c := range constructs {
		var list []string
		for _, f := range c.filters {
			list = append(list, cell(f))
		}
		fmt.Fprintf(&b, "| %s | yes | %s |\n", strings.ReplaceAll(c.what, "|", `\|`), strings.Join(list, ", "))
	}
	for _, r := range refusals {
		fmt.Fprintf(&b, "| %s: %s | no | write %s |\n", r.what, cell(r.filter), cell(r.instead))
	}
	return b.String()
}

// comparePage compares the table with the one in the page. With -update, it writes the table to the page instead.
func comparePage(t *testing.T, table string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), tableBegin)
	if !ok {
		t.Fatalf("no table begins with %s", tableBegin)
	}
	_, after, _ := strings.Cut(rest, "\n\n")
	if want := before + table + "\n" + after; want != string(text) {
		if flag.Lookup("update").Value.String() != "true" {
			t.Fatal("the language's table is out of date: run make golden")
		}
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
