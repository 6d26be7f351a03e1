package filter_test

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/internal/testcapture"
	"github.com/gamedissect/gamedissect/layers"
)

var schema = filter.NewSchema(layers.All())

// read calls message for each message and finding for each finding of a capture.
func read(t testing.TB, name string, message, finding func(*filter.Subject)) {
	t.Helper()
	dissect(testcapture.Frames(t, filepath.Join("../../testdata/pcap", name)), message, finding)
}

func dissect(list []decode.Frame, message, finding func(*filter.Subject)) {
	history := filter.NewHistory(bounded.NewBudget(1 << 20))
	e := decode.New(decode.Options{
		Protocols: layers.All(),
		Message:   func(m *decode.Message) { message(history.Message(m)) },
		Finding: func(f *wire.TrafficFinding) {
			if finding != nil {
				finding(history.Finding(f))
			}
		},
		Value: history.Value,
	})
	for i := range list {
		history.Packet(list[i].Time)
		history.Frame(&list[i])
		e.Frame(&list[i])
	}
	e.Close()
}

func TestMatch(t *testing.T) {
	for _, test := range []struct {
		file, filter string
		frames       []int // frames of the matching messages and findings
	}{
		{"bz17-c-joinleave.pcap", `bzflag17.enter`, []int{36}},
		{"bz17-c-joinleave.pcap", `bzflag17.team_update && frame.number < 40`, []int{38, 39}},
		{"bz17-c-joinleave.pcap", `bzflag17.call_sign == "Solo"`, []int{36, 43}},
		{"bz17-c-joinleave.pcap", `bzflag17.enter.call_sign contains "ol"`, []int{36}},
		{"bz17-c-joinleave.pcap", `bzflag17.enter.call_sign[0:2] == "So" and bzflag17.enter.call_sign[1] == 6f`, []int{36}},
		{"bz17-c-joinleave.pcap", `lower(bzflag17.enter.call_sign) == "solo" and len(bzflag17.enter.call_sign) == 4`, []int{36}},
		{"bz17-c-joinleave.pcap", `bzflag17.enter.team == Red`, []int{36}},
		{"bz17-c-joinleave.pcap", `bzflag17.enter.team == "Red" && bzflag17.enter.team_name matches "^r.d$"`, []int{36}},
		{"bz17-c-violations.pcap", `bzflag17.killed.killer_name == "Good"`, []int{228, 230, 232}},
		{"bz17-c-violations.pcap", `bzflag17.victim_name matches "^Bad" && bzflag17.victim <= 127.0.0.1`, []int{226, 228, 230, 232}},
		{"bz17-c-joinleave.pcap", `bzflag17.enter.team == 1`, []int{36}},
		{"bz17-c-joinleave.pcap", `message in {MsgExit, "MsgEnter"}`, []int{36, 50}},
		{"bz17-c-joinleave.pcap", `bzflag17.enter.call_sign ~ "^s"`, []int{36}},
		{"bz17-c-joinleave.pcap", `frame.number in {4, 46..48} && tcp`, []int{4, 46, 47, 48}},
		{"bz17-c-joinleave.pcap", `frame.number not in {5..1000}`, []int{4}},
		{"bz17-c-joinleave.pcap", `time_delta > 500ms`, []int{50}},
		{"bz17-c-joinleave.pcap", `time_delta > 0.5 and frame.time_relative < 0.7 and frame.time_relative >= 607ms`, []int{50}},
		{"bz17-c-joinleave.pcap", `tcp.stream == 0 || tcp.port == 5155`, []int{4}},
		{"bz17-c-joinleave.pcap", `tcp.srcport == 5155 && ip.src == ip.dst && ip.addr == 127.0.0.0/8`, []int{4}},
		{"bz17-c-joinleave.pcap", `direction == "c2s" && !(bzflag17.get_world) && 40 < frame.number`, []int{46, 47, 50}},
		{"bz17-c-joinleave.pcap", `bzflag17.get_world.remaining == 0`, []int{35}},
		{"bz17-c-joinleave.pcap", `protocol == bzflag17 and length == 4 and direction == s2c`, []int{37, 48}},
		{"bz17-c-joinleave.pcap", `info contains "Solo" xor frame.number == 36`, []int{43}},
		{"bz17-c-joinleave.pcap", `ipv6 or udp`, nil},
		{"bz17-c-joinleave.pcap", `tcp.srcport & 1 == 0 and frame.number in {36 37}`, []int{36}},
		{"bz17-c-joinleave.pcap", `tcp.srcport & 1 and frame.number in {36..37, 1000}`, []int{37}},
		{"bz17-c-joinleave.pcap", `bzflag17.call_sign contains 6f:6c`, nil},
		{"bz17-c-joinleave.pcap", `bzflag17.enter.call_sign[-40:2] == "So"`, nil},
		{"bz17-c-joinleave.pcap", `frame.time_epoch == 1795166164.349387000 or frame.time_relative == 0.607935000`, []int{50}},
		{"tribes-list-40.pcap", `count(tribes.servers) == 40`, []int{122}},
		{"bz17-c-joinleave.pcap", `frame.time < "2001-01-01" or frame.file == "y.pcap"`, nil},
		{"iceball-real-session.pcap", `iceball.http_response.status == 200 && iceball.json.servers.players_max == 64 && frame.number < 60`, []int{31, 58}},
		{"iceball-real-session.pcap", `iceball.cookie == 17:55:38:f9`, []int{12, 13}},
		{"iceball-real-session.pcap", `iceball.cookie[0:2] == 1755`, []int{12, 13}},
		{"iceball-real-session.pcap", `iceball.cookie[-1:] == f9 and iceball.cookie[1-2] == 5538`, []int{12, 13}},
		{"iceball-real-session.pcap", `iceball.handshake and frame.number < 20 and response_time > 5ms`, []int{13}},
		{"iceball-real-session.pcap", `finding.rule matches "^iceball[.]http" and frame.number < 10`, []int{6}},
		{"tribes-list-40.pcap", `tribes.servers.ip == 127.10.0.34`, []int{122}},
		{"tribes-list-40.pcap", `any tribes.servers.port == 28001 && all tribes.servers.port == 28001`, []int{122}},
		{"tribes-list-40.pcap", `count(tribes.servers.ip) == 40`, []int{122}},
		{"tribes-list-40.pcap", `tribes.servers.ip != 127.10.0.34`, nil},
		{"tribes-list-40.pcap", `tribes.servers.ip ~= 127.10.0.34`, []int{122}},
		{"tribes-list-40.pcap", `tribes.servers.ip === 127.10.0.0/24`, []int{122}},
		{"bloodmasters-real.pcap", `finding.severity >= warning && finding.text && frame.number < 1`, nil},
	} {
		f := compiled(t, schema, test.filter, nil)
		var frames []int
		match := func(x *filter.Subject) {
			if f.Match(x) && (len(frames) == 0 || frames[len(frames)-1] != x.Place.Frame) {
				frames = append(frames, x.Place.Frame)
			}
		}
		read(t, test.file, match, match)
		if !slices.Equal(frames, test.frames) {
			t.Errorf("%s: %s: true for frames %v, want %v", test.file, test.filter, frames, test.frames)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, test := range []struct{ filter, marks, want string }{
		{`tribes.server.ip == 1.2.3.4`, `^^^^^^^^^^^^^^^^`, `no field "tribes.server.ip" (did you mean tribes.servers.ip == 1.2.3.4?)`},
		{`killed.reason`, `^^^^^^^^^^^^^`, `did you mean bzflag24.killed.reason`},
		{`bzflag24.killed.reason == "GotShoot"`, `                          ^^^^^^^^^^`, `never "GotShoot" (did you mean GotShot?)`},
		{`frame.number == "a"`, `                ^^^`, `a number (such as 5 or 0x1f), not the text "a"`},
		{`tribes.servers > 3`, `               ^`, `present or absent`},
		{`ip.src == 300`, `          ^^^`, `an address (such as 10.0.0.1 or 10.0.0.0/8), not the number 300`},
		{`ip.src == frame.number`, `          ^^^^^^^^^^^^`, `ip.src is an address, this is a number`},
		{`tribes &&`, `         ^`, `a field or a value is missing`},
		{`(tribes`, `       ^`, `closing parenthesis`},
		{`tribes tribes`, `       ^^^^^^`, `&& or ||`},
		{`message == "MsgKiled"`, `           ^^^^^^^^^^`, `MsgKilled`},
		{`finding.rule == "tribes.entry"`, `                ^^^^^^^^^^^^^^`, `never "tribes.entry"`},
		{`tribes.key[1`, `            ^`, `closing bracket`},
		{`tribes.key[a]`, `           ^`, `a slice is`},
		{`frame.number[0] == 1`, `^^^^^^^^^^^^`, `a slice needs bytes or address, this is a number`},
		{`frame.number in 3`, `                ^`, `a set must follow`},
		{`frame.number in {3..}`, `                    ^`, `no end`},
		{`frame.number in {1, 9..3}`, `                    ^`, `ends before it begins`},
		{`frame.number in {3 4`, `                    ^`, `comma or a closing brace`},
		{`frame.number == 4 contains 3`, `                  ^^^^^^^^`, `a second comparison`},
		{`message == Alive`, `           ^^^^^`, `did you mean message == MsgAlive?`},
		{`direction == "server"`, `             ^^^^^^^^`, `but c2s, s2c, p2p`},
		{`bzflag24.killer > "zz"`, `                  ^^^^`, `names have no order`},
		{`bzflag24.killer < "zz"`, `                  ^^^^`, `names have no order`},
		{`bzflag24.killer >= "zz"`, `                   ^^^^`, `names have no order`},
		{`bzflag24.position.x & 1`, `^^^^^^^^^^^^^^^^^^^`, `a whole number`},
		{`bzflag24.message == x`, ``, `(did you mean bzflag24.message.message == "x"?)`},
		{`bloodmasters.title matches "("`, `                           ^^^`, `missing closing )`},
		{`bloodmasters.title matches x`, `                           ^`, `in quotes`},
		{`"unfinished`, `^`, `no closing quote`},
		{`udp.port == 70000`, `            ^^^^^`, `udp.port is at most 65535`},
		{`ip.addr == fd00::1`, `           ^^^^^^^`, `an IPv4 address (did you mean ipv6.addr == fd00::1?)`},
		{`frame.number == 1.5`, `                ^^^`, `a whole number, never 1.5`},
		{`frame.time_relative in {0.1...7}`, `                             ^^`, `no field ".7"; a number needs a digit before its point (did you mean frame.time_relative in {0.1 .. 0.7}?)`},
		{`ip.src[3] == 153`, `             ^^^`, `write a byte in hexadecimal (did you mean ip.src[3] == 0x99?)`},
		{`ip.src[3] in {:10..01}`, `              ^^^`, `ends before it begins (did you mean ip.src[3] in {01..:10}?)`},
		{`-udp`, ``, `- needs a number, this is a group`},
		{`ip.src + 1 == 10.0.0.2`, `^^^^^^`, `+ needs a number, this is an address`},
		{`ip.dst#`, `       ^`, `the number of a layer must follow`},
		{`ip.dst#ip`, `       ^^`, `the number of a layer must follow`},
		{`upper(frame.number) == "1"`, `      ^^^^^^^^^^^^`, `upper needs text`},
		{`bzflag24.position.x < nan`, `                      ^^^`, `nan has no order`},
		{`1 + 2 == 2 + 1`, ``, `needs a field`},
		{`(frame.number + 1) == 2`, ``, `a second comparison`},
		{`3 == 4`, `^`, `needs a field`},
		{`len(frame.number) == 1`, `    ^^^^^^^^^^^^`, `len needs text or bytes or address, this is a number`},
		{`lenn(bloodmasters.title) == 1`, `^^^^`, `no function "lenn" (did you mean len?)`},
		{`$cookie == 1`, `^^^^^^^`, `nothing was saved as $cookie`},
		{`tribes == é`, ``, `present or absent`},
		{`é == 1`, `^`, `no field`},
		{strings.Repeat("(", 300) + "tribes", ``, `deeper than`},
		{``, `^`, `missing`},
	} {
		bad := refused(t, schema, test.filter)
		if !strings.Contains(bad.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.filter, bad, test.want)
		}
		if _, marks, _ := strings.Cut(bad.Excerpt(), "\n"); test.marks != "" && marks != test.marks {
			t.Errorf("%s: marked\n%s", test.filter, bad.Excerpt())
		}
	}
}

// TestPacketsOfLateMessages checks that a message has the bytes of its own packet, even if it is decoded after later
// packets. A message schema has no fields that need packets.
func TestPacketsOfLateMessages(t *testing.T) {
	f := compiled(t, schema, "frame.cap_len == frame.len and tcp.len > 0", nil)
	late, newest := 0, 0
	list := testcapture.Frames(t, "../../testdata/pcap/bz17-var-lost.pcap")
	dissect(list, func(x *filter.Subject) {
		if !f.Match(x) {
			t.Errorf("frame %d: the packet is missing", x.Place.Frame)
		}
		if newest = max(newest, x.Place.Frame); x.Place.Frame < newest {
			late++
		}
	}, nil)
	if late == 0 {
		t.Error("no message was decoded late")
	}
	for _, text := range []string{"frame.len > 3", "udp contains 00", "ip.src#1", "eth"} {
		_ = refused(t, filter.NewMessageSchema(layers.All()), text)
	}
}

// refused compiles an invalid filter and returns the error.
func refused(t *testing.T, s *filter.Schema, text string) *filter.Error {
	t.Helper()
	_, err := s.Compile(text, nil)
	bad, ok := errors.AsType[*filter.Error](err)
	if !ok {
		t.Errorf("%s: error %v, want a *filter.Error", text, err)
		return &filter.Error{}
	}
	return bad
}

// compiled returns a compiled filter. It fails the test if the filter is invalid.
func compiled(t testing.TB, s *filter.Schema, text string, scope *filter.Scope) *filter.Filter {
	t.Helper()
	f, err := s.Compile(text, scope)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return f
}

// TestEveryFieldCanBeNamed checks that filters can access every value in a message tree by the value's name.
func TestEveryFieldCanBeNamed(t *testing.T) {
	tried := make(map[string]*filter.Filter)
	for _, file := range []string{
		"bloodmasters-real.pcap", "iceball-real-session.pcap", "iceball-badv.pcapng", "tribes-list-40.pcap", "tribes-gamespy-queries.pcap",
		"bz17-c-reject.pcap", "bz17-c-violations.pcap", "bz24-admin.pcap", "bz24-query.pcap", "bz24-reject.pcap", "bz24-ctf-capture.pcap",
	} {
		read(t, file, func(x *filter.Subject) {
			path := filter.MessagePath(x.Place.Protocol, x.Message.Layer.Core().Message)
			tree := x.Message.Tree()
			eachLeaf(tree, 0, int32(len(tree.Nodes)), path, func(name string, n *wire.Node) {
				value := filter.Value{Kind: n.Kind, Num: n.Num, Symbols: n.Symbols, Bytes: n.Bytes}
				want := value.String()
				if n.Kind == wire.Float && !finite(n.Num) || n.Kind == wire.Address && strings.HasPrefix(want, "invalid") {
					return
				}
				if n.Kind == wire.Vector || n.Kind == wire.Bytes && len(n.Bytes) == 0 {
					if schema.Field(name) == nil {
						t.Fatalf("%s: no field %s", file, name)
					}
					return
				}
				if n.Kind == wire.String {
					want = filter.Quote(n.Bytes)
				}
				text := name + " == " + want
				if tried[text] == nil {
					tried[text] = compiled(t, schema, text, nil)
				}
				if !tried[text].Match(x) {
					t.Fatalf("%s: frame %d: %s is not true", file, x.Place.Frame, text)
				}
			})
		}, nil)
	}
	if len(tried) < 1000 {
		t.Errorf("only %d filters were tried", len(tried))
	}
}

func finite(bits uint64) bool {
	f := float64(math.Float32frombits(uint32(bits)))
	return !math.IsNaN(f) && !math.IsInf(f, 0)
}

func eachLeaf(t *wire.Tree, from, to int32, path string, f func(string, *wire.Node)) {
	for i := from; i < to; i = t.Nodes[i].Next {
		n := &t.Nodes[i]
		name := path
		if n.Name != "" {
			name += "." + n.Name
		}
		if n.Composite() {
			eachLeaf(t, i+1, n.Next, name, f)
			continue
		}
		f(name, n)
	}
}

func TestNoAllocations(t *testing.T) {
	if wiretest.RaceDetector {
		t.Skip("the race detector allocates")
	}
	for _, text := range []string{
		`tribes.servers.ip == 127.10.0.34 || tribes.server_name contains "x"`, `info matches "server" && ip.src == 127.0.0.0/8`,
		`count(tribes.servers) > 3 or finding.rule == "tcp.gap" or tribes.master_name[0:2] == "Tr"`,
		`frame.len + 3 > ip.len % 7 && udp.payload[0, 2:1] & ff:0f && string(ip.src) contains "x" or ip.addr#1 == 1.2.3.4 or @udp.port == 1`,
		`1 < max(ip.ttl, 3) < 5 or frame.time_delta * 2 > 3 or udp contains "x" or frame.number in {ip.ttl, 500..600} or tribes contains "x"`,
	} {
		f := compiled(t, schema, text, nil)
		read(t, "tribes-list-40.pcap", func(x *filter.Subject) {
			f.Match(x)
			if n := testing.AllocsPerRun(10, func() { f.Match(x) }); n > 0 {
				t.Fatalf("%s: frame %d: %v allocations", text, x.Place.Frame, n)
			}
		}, nil)
	}
}

func FuzzCompile(f *testing.F) {
	for _, s := range []string{
		`tribes.servers.ip == 127.10.0.34/8 || tribes.key[0:1] == 10`, `frame.number in {1, 2, 5..9}`, `bzflag24.killed.reason == "GotShot" && !(ip.src == 127.0.0.0/8)`,
		`bloodmasters.title matches r"\w+" xor lower(bloodmasters.title) ~ "(?-i)ctf"`, `all tribes.servers.port != 3 or count(tribes.servers) === 0x10`,
		`response_time > 100ms`, `bzflag24.status & Alive`, `iceball.json.a.b.c == 3`, `frame.time > "2026-11-20 09:21:21"`, `'\x41' == bloodmasters.title`,
		`udp.port * {10 / {5 - 4}} % 3 == -udp.srcport + 1.5`, `1 < ip.ttl <= 0b1000000 < frame.len`, `@udp.port#[1-2] & 00:ff == 'a'`,
		`udp.payload[0, 2-3, -1:] in {:10 .. 20:, udp.payload[0]}`, `max(1, abs(-ip.ttl), min(2e3, inf)) != nan`, `frame contains "\107\u00e9"`,
		`string(ip.src) matches "\d" AND frame.time - 3 > "Nov 20, 2026 09:16:03 EST"`, `ip.src#1[0] == 7f`, `tribes contains .udp.payload`,
	} {
		f.Add(s)
	}
	list := testcapture.Frames(f, "../../testdata/pcap/tribes-x-control.pcap")[:3]
	f.Fuzz(func(t *testing.T, text string) {
		schema := schema.Fresh()
		one, err := schema.Compile(text, nil)
		if err != nil {
			bad, ok := errors.AsType[*filter.Error](err)
			if !ok || bad.Off > len(text) || bad.Off < 0 || bad.Size < 0 {
				t.Fatalf("%q: error %#v", text, err)
			}
			_, _ = bad.Error(), bad.Excerpt()
			return
		}
		both, err := schema.Compile("!(("+text+"\n))", nil)
		if err != nil {
			t.Fatalf("%q compiles, but not in parentheses: %v", text, err)
		}
		parts := one.Conditions()
		dissect(list, func(x *filter.Subject) {
			is := one.Match(x)
			if both.Match(x) == is {
				t.Fatalf("%q and its negation are both %v", text, is)
			}
			every := true
			for _, p := range parts {
				every = every && p.Match(x)
			}
			if every != is {
				t.Fatalf("%q is %v, but its conditions together are %v", text, is, every)
			}
		}, nil)
	})
}

// TestSchemaDescribesOnDemand checks that a schema describes a protocol only when a filter names it or Names is called.
func TestSchemaDescribesOnDemand(t *testing.T) {
	described := 0
	counting := *layers.All()[0]
	newLayer := counting.New
	counting.New = func() wire.Layer { described++; return newLayer() }
	s := filter.NewSchema([]*wire.Protocol{&counting, layers.All()[1]})
	for _, text := range []string{"udp.port == 1", layers.All()[1].Name, "info contains \"a\""} {
		if _, err := s.Compile(text, nil); err != nil || described > 0 {
			t.Fatalf("%s: %v, %d messages of another protocol described", text, err, described)
		}
	}
	for range 2 {
		if _, err := s.Compile(counting.Name, nil); err != nil || described != len(counting.Messages.All()) {
			t.Fatalf("%v, %d messages described, want %d", err, described, len(counting.Messages.All()))
		}
	}
	all := filter.NewSchema([]*wire.Protocol{&counting})
	if described = 0; len(all.Names()) == 0 || described != len(counting.Messages.All()) {
		t.Errorf("%d names, but %d messages described", len(all.Names()), described)
	}
}
