package expect_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/internal/expect"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// TestScenarios checks sequences for the beginning of one conversation. Its frames 11 to 22 are Announce, Accepted and
// Handshake, four times, at intervals of one second.
func TestScenarios(t *testing.T) {
	var tp recording
	read(t, "iceball-real-session.pcap", &tp)
	for _, test := range []struct {
		mode, steps string
		holds       bool
	}{
		{"open", `[{expect: Announce, repeat: "1.."}, {never: Accepted}]`, false},
		{"open", `[{expect: Announce, repeat: "1.."}, {never: BadVersion}]`, true},
		{"open", `[{expect: Announce}, {expect: BadFormat, optional: true}, {never: Handshake}]`, false},
		{"open", `[{sequence: [{never: Announce}, {expect: Accepted}], repeat: "1.."}]`, false},
		{"open", `[{sequence: [{never: BadVersion}, {expect: Accepted}], repeat: "4"}]`, true},
		{"open", `[{expect: Announce}, {one_of: [{sequence: [{never: Accepted}, {expect: Handshake}]}, {expect: BadVersion}]}]`, false},
		{"open", `[{expect: Announce}, {one_of: [{sequence: [{never: Accepted}, {expect: Handshake}]}, {expect: Accepted}]}]`, true},
		{"open", `[{expect: Announce}, {never: Handshake, until: h}, {expect: Handshake, id: h}]`, true},
		{"open", `[{expect: Announce}, {never: Accepted, until: h}, {expect: Handshake, id: h}]`, false},
		{"open", `[{expect: Announce, where: frame.number == 20}, {never: Announce}]`, true},
		{"open", `[{expect: Announce, id: a}, {expect: Announce, after: 1.5s of a}]`, true},
		{"open", `[{expect: Announce, id: a}, {expect: Handshake, within: 1ms of a}]`, false},
		{"open", `[{expect: BadVersion, id: b, optional: true}, {expect: Announce, within: 1h of b}]`, false},
		{"open", `[{expect: Accepted, optional: true, where: frame.number == 0, save: [cookie]}, {expect: Handshake, where: cookie == $cookie}]`, false},
		{"open", `[{any_order: [{expect: Handshake, where: cookie == $cookie}, {expect: Accepted, save: [cookie]}]}]`, true},
		{"open", `[{any_order: [{expect: Handshake, where: cookie == $cookie}, {expect: BadVersion, optional: true}, {expect: Accepted, where: frame.number == 15, save: [cookie]}]}]`, false},
		{"loose", `[{sequence: [{expect: Announce}, {expect: Accepted, save: cookie}, {expect: Handshake, where: cookie == $cookie}], repeat: "4"}]`, true},
		{"loose", `[{sequence: [{expect: Announce}, {expect: Accepted, save: cookie}, {expect: Handshake, where: cookie == $cookie}], repeat: "3"}]`, false},
		{"loose", `[{sequence: [{expect: Announce}, {expect: Handshake}], repeat: "4"}]`, true},
		{"strict", `[{sequence: [{expect: Announce}, {expect: Handshake}], repeat: "4"}]`, false},
		{"strict", `[{sequence: [{expect: any}, {expect: any}, {expect: any, from: client}], repeat: "1..4"}]`, true},
		{"strict", `[{expect: Announce}, {expect: Accepted}, {rest: anything}]`, true},
		{"strict", `[{one_of: [{expect: BadVersion}, {expect: Announce}]}, {any_order: [{expect: Handshake}, {expect: Accepted}]}, {rest: anything}]`, true},
		{"strict", `[{one_of: [{expect: BadVersion}, {expect: Accepted}]}, {rest: anything}]`, false},
		{"loose", `[{expect: Accepted, repeat: "2..4"}]`, true},
		{"loose", `[{expect: Accepted, repeat: "1..3"}]`, false},
		{"open", `[{expect: Handshake}, {expect: Announce, within: 996762us}]`, true},
		{"open", `[{expect: Handshake, where: frame.number == 13}, {expect: Announce, within: 996761us}]`, false},
		{"loose", `[{expect: Announce}, {expect: Accepted}, {expect: Handshake, id: h}, {expect: Announce, after: 996762us of h}, {rest: anything}]`, true},
		{"loose", `[{expect: Announce}, {expect: Accepted}, {expect: Handshake, id: h}, {expect: Announce, after: 996763us of h}, {rest: anything}]`, false},
		{"open", `[{expect: BadVersion, id: b, optional: true}, {expect: Announce, after: 1ms of b}]`, false},
		{"open", `[{any_order: [{expect: Announce, save: name, where: frame.number == 17}, ` +
			`{sequence: [{expect: Accepted, save: cookie}, {expect: Announce, where: [name == $name, frame.number == 14]}]}]}]`, true},
		{"strict", `[{expect: Announce}, {expect: BadVersion, repeat: "2..3", optional: true}, {rest: anything}]`, true},
		{"strict", `[{sequence: [{expect: any}, {expect: any}, {expect: any}], repeat: "5..6", optional: true}]`, false},
		{"strict", `[{sequence: [{expect: any}, {expect: any}, {expect: any}], repeat: "0..4", optional: true}]`, true},
		{"strict", `[{sequence: [{expect: any}, {expect: any}, {expect: any, within: 1s}], repeat: "4..5", optional: true}]`, true},
		{"open", `[{expect: Announce, id: a}, {expect: Accepted, id: b}, {expect: Handshake}, {expect: Announce}, {expect: Accepted, within: 500ms of b}]`, false},
		{"open", `[{expect: Announce, id: a}, {expect: Accepted, id: b}, {expect: Handshake}, {expect: Announce}, {expect: Accepted, within: 2s of b}]`, true},
		{"open", `[{any_order: [{expect: Announce, save: name, where: frame.number == 14}, ` +
			`{sequence: [{expect: Announce, where: [name == $name, frame.number == 11]}, {expect: Announce, save: name, where: frame.number == 17}]}]}]`, true},
	} {
		text := "name: t\nprotocol: iceball\nfilter: udp && frame.number <= 22\nmode: " + test.mode + "\nsequence: " + test.steps + "\n"
		if got := play(loadText(t, "scenario.yaml", []byte(text)), tp.all); got != test.holds {
			t.Errorf("%s: %s: %v", test.mode, test.steps, got)
		}
	}
}

// TestFulfilled tests the key "fulfilled": the number of groups that must fulfil an expectation.
func TestFulfilled(t *testing.T) {
	var tp recording
	read(t, "bz17-c-reject.pcap", &tp)
	for want, holds := range map[string]bool{
		"all": false, "some": true, "3": true, "2": false, "1..3": true, "4..": false, "0": false,
	} {
		text := "name: t\nprotocol: bzflag17\nhaving: bzflag17.enter\nfulfilled: " + want + "\nmode: open\nsequence: [{expect: MsgEnter}, {expect: MsgAccept, within: 10ms}]\n"
		if got := play(loadText(t, "fulfilled.yaml", []byte(text)), tp.all); got != holds {
			t.Errorf("fulfilled: %s: %v", want, got)
		}
	}
	for want, skipped := range map[string]bool{"all": true, "some": true, "0..5": false, "0": false} {
		text := "name: t\nprotocol: tribes\nfulfilled: " + want + "\nsequence: [{expect: Heartbeat}]\n"
		r := results(loadText(t, "fulfilled.yaml", []byte(text)), tp.all)[0]
		if !r.OK() || (r.Skipped != "") != skipped {
			t.Errorf("no group: fulfilled: %s: %q, skipped: %q", want, r.Trouble, r.Skipped)
		}
	}
}

// TestBounds checks that an expectation that would cost too much is rejected or has a result that says so.
func TestBounds(t *testing.T) {
	var tp recording
	read(t, "tribes-list-40.pcap", &tp)
	steps := strings.Repeat("  - {expect: any, optional: true}\n", 600)
	list := loadText(t, "many.yaml", []byte("name: t\nprotocol: tribes\nsequence:\n"+steps))
	if !play(list, tp.all) {
		t.Error("600 optional steps do not match 3 messages")
	}
	list = loadText(t, "free.yaml", []byte("name: t\nprotocol: tribes\nmode: open\nper: capture\nsequence:\n  - any_order:\n"+
		strings.Repeat("      - {expect: any, repeat: 1..100000}\n", 4)+"  - expect: GameInfoResponse\n"))
	if play(list, tp.all) {
		t.Error("a sequence that cannot be followed passes")
	}

	c := expect.NewCheck(loadText(t, "crowd.yaml", []byte("name: t\nbounds: {hold: count any < 1000000}\n")), expect.Options{Memory: 8 << 20})
	history := filter.NewHistory(nil)
	base, l := once(t, "tribes-list-40.pcap")
	m := message(&base, l)
	for m.Conversation = range 20_000 {
		c.Message(history.Message(m))
	}
	r := c.Close()[0]
	if n := len(r.Groups); r.OK() || !strings.Contains(r.Trouble, fmt.Sprintf("more than %d conversations", n)) || n < 5000 {
		t.Errorf("%q, %d groups", r.Trouble, n)
	}

	for _, text := range []string{strings.Repeat("- ", 5000), "name: " + strings.Repeat("[", 5000), strings.Repeat("{a: ", 5000), strings.Repeat("x", expect.MaxFile+1)} {
		_, err := expect.Load("deep.yaml", []byte(text), schema)
		if err == nil || len(err.Error()) > 1000 {
			t.Errorf("%.20s: %v", text, err)
		}
	}
}

// TestWhatLoads checks which files are valid.
func TestWhatLoads(t *testing.T) {
	within := func(n int) (text string) {
		for i := range n - 1 {
			text += strings.Repeat("  ", i) + "- sequence:\n"
		}
		return "sequence:\n" + text + strings.Repeat("  ", n-1) + "- expect: Announce"
	}
	for _, test := range []struct{ text, want string }{
		{"sequence: [{expect: Announce, optional: true}]", ""},
		{"sequence: [{never: Announce}]", ""},
		{"sequence: [{sequence: [{never: Announce}]}]", ""},
		{"sequence: [{rest: anything}]", "the sequence expects nothing"},
		{"sequence: [{rest: anything}, {expect: Announce}]", "rest must be the last step"},
		{"sequence: [{expect: Announce}, {rest: anything}, {expect: Announce}]", "rest must be the last step"},
		{"fulfilled: many\nsequence: [{expect: Announce}]", `fulfilled (all, some or a number): "many" is not a number`},
		{"fulfilled: all\nsequence: [{expect: Announce}]", ""},
		{within(50), ""},
		{within(51), "deeper than 50"},
		{"sequence: [" + strings.Repeat("{sequence: [{expect: Announce}]}, ", 60) + "]", ""},
		{"sequence: [{sequence: [{expect: Announce, within: 1s}], repeat: 2..3}]", ""},
		{"sequence: [{sequence: [{sequence: [{expect: Announce, within: 1s}]}], repeat: 2..3}]", ""},
		{"sequence: [{sequence: [{expect: Announce, within: 1s}]}]", "within counts from the previous step, but this is the first"},
		{"sequence: [{sequence: [{never: BadVersion}]}, {expect: Announce, within: 1s}]", "within counts from the previous step, but this is the first"},
		{"sequence: [{expect: Announce}, {expect: Announce, within: 0s}]", ""},
		{"sequence: [{expect: Announce}, {expect: Announce, within: -1ns}]", `"-1ns" is not a duration`},
		{"sequence: [{expect: Announce}, {expect: Announce, within: '1s of '}]", `the name of a step must follow "of"`},
		{"sequence: [{expect: Announce, within: 1s of a}]", "no step before this one has the id"},
		{"sequence: [{expect: Announce}, {expect: Announce, after: 1s, within: 1s}]", ""},
		{"sequence: [{expect: Announce}, {expect: Announce, after: 1001ms, within: 1s}]", "the limits contradict each other: after 1.001s, but within 1s"},
		{"sequence: [{expect: Announce, id: a}, {expect: Announce, after: 2s of a, within: 1s}]", ""},
		{"sequence:\n" + strings.Repeat("- expect: any\n", 5000), ""},
		{"sequence:\n" + strings.Repeat("- expect: any\n", 5001), "more than 5000 steps"},
	} {
		_, err := expect.Load("x", []byte("name: t\nprotocol: iceball\n"+test.text+"\n"), schema)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%.200s: %v, want %s", test.text, err, test.want)
		}
	}
	text := "name: t\nbounds: {hold: count any >= 0}\n#"
	for n, ok := range map[int]bool{expect.MaxFile: true, expect.MaxFile + 1: false} {
		if _, err := expect.Load("x", []byte(text+strings.Repeat("x", n-len(text))), schema); (err == nil) != ok {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}
