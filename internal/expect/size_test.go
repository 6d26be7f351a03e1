package expect_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/internal/expect"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// filled repeats unit until the file has the maximum size. Each %d becomes the number of the repetition.
func filled(head, unit, tail string) string {
	var b strings.Builder
	b.WriteString(head)
	for i := 0; b.Len()+len(tail)+2*len(unit) < expect.MaxFile; i++ {
		b.WriteString(strings.ReplaceAll(unit, "%d", fmt.Sprint(i)))
	}
	return b.String() + tail
}

// TestFilesAreBounded checks that reading a file takes little memory, whatever the file contains, and that anything too
// large is reported with its position. It measures total allocation, which, unlike time, does not depend on the
// machine.
func TestFilesAreBounded(t *testing.T) {
	const head = "name: x\nprotocol: bzflag24\n"
	for _, test := range []struct{ text, want string }{
		{filled("", "k%d: 1\n", ""), "x:501:5: more than 500 keys in a mapping"},
		{filled("a: {", "k%d: 1, ", "}"), "more than 500 keys in a mapping"},
		{filled(head+"sequence:\n  - expect: MsgKilled\n    save:\n", "      k%d: killer\n", ""), "x:506:11: more than 500 keys in a mapping"},
		{filled("", "? a%d\n", ""), "x:1:1: keys after a question mark are not allowed here"},
		{filled("", "a%d: &a%d [*a, *a]\n", ""), "x:1:5: anchors and aliases are not allowed here"},
		{filled("", "---\nname: x\nbounds: {findings: error}\n", ""), "x:1501:1: more than 500 expectations in a file"},
		{filled("", "a: ", ""), "lists and mappings are nested deeper than 100 levels"},
		{filled("", "[", ""), "lists and mappings are nested deeper than 100 levels"},
		{filled(head+"sequence:\n", "  - {expect: any, optional: true}\n", ""), "x:5004:14: more than 5000 steps"},
		{filled(head+"sequence:\n  - any_order:\n", "      - {expect: MsgKilled, save: {a%d: killer}}\n", ""), "save: more than 250 names in an expectation"},
		{filled(head+"sequence:\n  - expect: MsgKilled\n    save: [", "killer, ", "killer]"), "save: more than 250 values of a step"},
		{filled(head+"bounds:\n  hold:\n", "    - count any > 1\n", ""), "x:255:7: hold: more than 250 elements"},
		{filled(head+"bounds: {findings: error, allow: [", "'*', ", "'*']}"), "allow: more than 250 elements"},
		{filled(head+"bounds: {findings: error}\nfilter:\n", "  - udp\n", ""), "at most 65536 are allowed"},
		{filled("a: [", "1, ", "]"), `no key "a"`},
		{filled("a:\n", "- 1\n", ""), `no key "a"`},
		{filled("", "# x\n", ""), "there is no expectation in this file"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := expect.Load("x", []byte(test.text), schema)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.60q: %v; want %s", test.text, err, test.want)
		}
		if n := (after.TotalAlloc - before.TotalAlloc) >> 20; n > 150 {
			t.Errorf("%.60q: %d MB", test.text, n)
		}
	}
}

// TestKeysAreCountedByMapping checks that the maximum number of keys is for each mapping, not for all mappings of a
// list together.
func TestKeysAreCountedByMapping(t *testing.T) {
	for _, text := range []string{
		"name: x\nprotocol: tribes\nsequence:\n" + strings.Repeat("  - expect: any\n    optional: true\n", 1000),
		"name: x\nprotocol: tribes\nsequence: [" + strings.Repeat("{expect: any, optional: true}, ", 1000) + "]\n",
		strings.Repeat("---\nname: x\nprotocol: tribes\nsequence:\n  - expect: any\n", 400),
	} {
		if _, err := expect.Load("x", []byte(text), schema); err != nil {
			t.Errorf("%.80q: %v", text, err)
		}
	}
}

// TestMatchingIsBounded checks that, if a sequence matches in too many ways, the check stops following it and the
// result says so. Further messages then cost nothing.
func TestMatchingIsBounded(t *testing.T) {
	base, l := once(t, "tribes-x-control.pcap")
	const head = "name: t\nprotocol: tribes\nper: capture\nmode: open\nsequence:\n"
	for steps, want := range map[string]string{
		"  - repeat: 1..\n    one_of:\n" + strings.Repeat("      - {expect: any, where: udp}\n", 100): "too much to compare",
		strings.Repeat("  - {expect: any, optional: true}\n", 4000):                                   "in too many ways",
		"  - any_order:\n" + strings.Repeat("      - expect: any\n", 1000):                            "in too many ways",
		"  - any_order:\n" + strings.Repeat("      - {expect: any, repeat: 1..}\n", 30):               "in too many ways",
	} {
		list := loadText(t, "x.yaml", []byte(head+steps))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		c := expect.NewCheck(list, expect.Options{})
		if strings.Contains(want, "compare") {
			c.LeaveWork(10_000)
		}
		history := filter.NewHistory(nil)
		m := message(&base, l)
		for range 1000 {
			c.Message(history.Message(m))
		}
		result := c.Close()[0]
		runtime.ReadMemStats(&after)
		if !strings.Contains(result.Trouble, want) {
			t.Errorf("%.60q: %q, want %q", steps, result.Trouble, want)
		}
		if n := (after.TotalAlloc - before.TotalAlloc) >> 20; n > 1000 {
			t.Errorf("%.60q: %d MB", steps, n)
		}
	}
}
