package wiretest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// complaints is a reporter that stores the errors.
type complaints []string

func (c *complaints) Errorf(format string, args ...any) {
	*c = append(*c, fmt.Sprintf(format, args...))
}

// samplesOf adds the first line to the texts of samples, and parses them.
func samplesOf(t *testing.T, texts ...string) []*Sample {
	t.Helper()
	var list []*Sample
	for i, text := range texts {
		s, err := parse("# By hand.\n" + text)
		if err != nil {
			t.Fatal(err)
		}
		s.Name = fmt.Sprintf("sample-%d", i)
		list = append(list, s)
	}
	return list
}

const (
	endpoints  = "src: 10.0.0.1:4000\ndst: 10.0.0.2:1999\n"
	whole      = "0b 68 03 \"Ann\" 02 01 02 01 00"
	nameless   = "breaks: toy.empty warning 2\n04 68 00 00"
	other      = "03 78 2a"
	jsonSample = `0f 6a "{\"a\":[1,2]}"`
	pairs      = "19 69 \"\\\\map\\\\dm1\\\\hostname\\\\A\\\\b\" 0a 2a"
)

func toySamples(t *testing.T) []*Sample {
	t.Helper()
	list := samplesOf(t,
		endpoints+whole,
		whole+" "+other, // two messages
		"layout: 99 never\n"+whole,
		nameless,
		pairs,
		"07 68 02 1b 5b 01 2a",
		"transport: tcp\ndirection: c2s\n03 78 2a 00 78",
		"missing: 2\n0b 68 03 \"Ann\" 02 01 02",
		strings.Replace(whole, "0b", "0c", 1)+" ff",
		jsonSample,
		other)
	last := list[len(list)-1]
	last.after = list[4] // the message depends on the earlier sample
	return list
}

// everything runs all checks of Run and Talks except golden files, or only the checks with one name.
func everything(p *wire.Protocol, samples []*Sample, only string) map[string]complaints {
	found := make(map[string]complaints)
	run := func(name string, check func(reporter)) {
		var c complaints
		if only != "" && name != only {
			return
		}
		check(&c)
		if len(c) > 0 {
			found[name] = append(found[name], c...)
		}
	}
	const answerMissing = "# A Hi without an answer.\nclient: 10.0.0.1:4000\nserver: 10.0.0.2:1999\n\n" +
		"0 client > server\n" + whole + "\n5 client > server\n" + whole + "\n5.1 server > client\n" + other
	k, err := parseTalk(answerMissing)
	if err != nil {
		found["talk"] = complaints{err.Error()}
		return found
	}
	run("next", func(t reporter) { checkNext(t, p, k) })
	run("many", func(t reporter) { checkMany(t, p, k) })
	run("probe", func(t reporter) { checkDirections(t, p, k) })
	run("bounded", func(t reporter) { checkBounded(t, p, []*talk{k}) })
	run("work", func(t reporter) { checkWork(t, p, samples) })
	for _, s := range samples {
		for _, c := range checks {
			run(c.name, func(t reporter) { c.check(t, p, s) })
		}
		run("reuse", func(t reporter) { checkReuse(t, p, s, samples) })
		run("any", func(t reporter) { checkAny(t, p, s) })
	}
	return found
}

func TestMistakesAreFound(t *testing.T) {
	samples := toySamples(t)
	samples = append(samples[:2], samples[3:]...) // without the unneeded header
	if found := everything(toy(none), samples, ""); len(found) > 0 {
		t.Fatalf("there is no mistake, but: %v", found)
	}
	for m, check := range map[mistake]string{
		fieldNotWritten:    "roundtrip",
		countFixedWrong:    "roundtrip",
		cannotBeWritten:    "roundtrip",
		keepsOldState:      "reuse",
		bytesLeft:          "bytes",
		findingTooEarly:    "breaks",
		findingBeyond:      "bytes",
		findingWithoutText: "bytes",
		changedByTree:      "annotate",
		fieldNotDescribed:  "schema",
		wrongKindDescribed: "schema",
		allocates:          "allocations",
		judgesCutMessage:   "cut",
		layoutFromLastByte: "cut",
		notRecognised:      "probe",
		rawText:            "summary",
		lostPayload:        "any",
		wrongDirection:     "probe",
		quadratic:          "work",
		rereadsBytes:       "splits",
		splitsByPieces:     "splits",
		neverDue:           "next",
		alwaysDue:          "next",
		unbounded:          "bounded",
		unboundedServers:   "bounded",
		heldReturnsZero:    "bounded",
		heldTooMuch:        "bounded",
		sharedState:        "many",
		readAsConstant:     "changed",
		hiddenState:        "kept",
	} {
		found := everything(toy(m), samples, check)
		if len(found[check]) == 0 {
			t.Errorf("mistake %d was not found by %q, only by %v", m, check, found)
		}
	}
}

// A sample must state each of its findings with the rule, the severity and the range.
func TestBreaks(t *testing.T) {
	const bytes = "04 68 00 00"
	for stated, right := range map[string]bool{
		"breaks: toy.empty warning 2\n":                              true,
		"breaks: toy.empty error 2\n":                                false,
		"breaks: toy.empty warning 2-3\n":                            false,
		"breaks: toy.empty warning at 2\n":                           false,
		"breaks: toy.beyond warning 2\n":                             false,
		"breaks: toy.empty warning 2\nbreaks: toy.empty warning 2\n": false,
		"": false,
		"direction: c2s\nbreaks: toy.empty warning 2\ndialect: document\n": true,
	} {
		var c complaints
		if checkBreaks(&c, toy(none), samplesOf(t, stated+bytes)[0]); (len(c) == 0) != right {
			t.Errorf("%q: %q", stated, c)
		}
	}
	for bytes, want := range map[string]string{
		"05 68 01 \"A\" 00 04 68 00 00": "toy.empty warning 7",
		"03 68 00":                      "toy.empty warning at 2",
	} {
		if got := broken(toy(none), samplesOf(t, bytes)[0]); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q", bytes, got)
		}
	}
}

// If a message of a talk states findings, it must state all of them.
func TestTalkBreaks(t *testing.T) {
	for stated, right := range map[string]bool{
		"":                                true,
		"breaks: toy.empty warning 7\n":   true,
		"breaks: toy.empty warning 2\n":   false,
		"breaks: toy.empty error 7\n":     false,
		"breaks: toy.unheard warning 7\n": false,
		"breaks: toy.empty warning 7\nbreaks: toy.empty warning 7\n": false,
	} {
		k, err := parseTalk("# Two.\nclient: 10.0.0.1:4000\nserver: 10.0.0.2:1999\n\n" +
			"0 client > server\n05 68 01 \"A\" 00 04 68 00 00\n" + stated + "1 server > client\n03 68 00\n")
		if err != nil {
			t.Fatal(err)
		}
		var c complaints
		if checkStated(&c, toy(none), k); (len(c) == 0) != right {
			t.Errorf("%q: %q", stated, c)
		}
	}
}

func TestNeedlessLayout(t *testing.T) {
	var c complaints
	checkCut(&c, toy(none), toySamples(t)[2])
	if len(c) != 1 || !strings.Contains(c[0], `"layout" is not needed`) {
		t.Errorf("%q", c)
	}
}

func TestLayoutExcuses(t *testing.T) {
	var c complaints
	checkCut(&c, toy(layoutFromLastByte), samplesOf(t, "layout: 9 the last byte decides\n"+strings.Replace(whole, "0b", "0c", 1)+" ff")[0])
	if len(c) > 0 {
		t.Errorf("%q", c)
	}
}

func TestNeedlessUnrecognised(t *testing.T) {
	var c complaints
	checkProbe(&c, toy(none), samplesOf(t, "unrecognised: why\n"+endpoints+"05 68 01 \"A\" 00")[0])
	if len(c) != 1 || !strings.Contains(c[0], `"unrecognised" is not needed`) {
		t.Errorf("%q", c)
	}
}

func TestCoverage(t *testing.T) {
	p := toy(none)
	p.NewTracker = nil // without a tracker, samples must break all rules
	for _, test := range []struct {
		name    string
		samples []string
		without []string
		want    []string
	}{
		{"all", []string{nameless, other}, []string{"toy.beyond"}, nil},
		{"no message", []string{nameless}, []string{"toy.beyond"}, []string{"no sample of message Unknown"}},
		{"no rule", []string{other, nameless}, nil, []string{"no sample breaks rule toy.beyond"}},
		{"needless exception", []string{other, nameless}, []string{"toy.beyond", "Hi"},
			[]string{"Hi is listed as an exception, but there is a sample"}},
		{"unknown exception", []string{other, nameless}, []string{"toy.beyond", "Ho"},
			[]string{"Ho is listed as an exception, but there is no such message or rule"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var c complaints
			checkCoverage(&c, p, samplesOf(t, append(test.samples, pairs, jsonSample)...), test.without)
			if !slices.Equal(c, test.want) {
				t.Errorf("got %q, want %q", c, test.want)
			}
		})
	}
	t.Run("error that loss explains", func(t *testing.T) {
		for e, want := range map[wire.Evidence]int{wire.OnState: 0, wire.OnAbsence: 1, wire.OnTime: 1} {
			var c complaints
			rule := *toyBad
			rule.Severity, rule.Rests = wire.Error, e
			p.Rules = []*wire.Rule{toyRule, &rule}
			checkCoverage(&c, p, samplesOf(t, nameless, other, pairs, jsonSample), []string{"toy.beyond"})
			if len(c) != want {
				t.Errorf("%s: %q", e, c)
			}
		}
	})
	t.Run("rule without a place in the list", func(t *testing.T) {
		var c complaints
		p.Rules = nil
		checkCoverage(&c, p, samplesOf(t, nameless, other, pairs, jsonSample), nil)
		if len(c) != 1 || c[0] != "toy.empty occurs, but is neither in Protocol.Messages nor in Protocol.Rules" {
			t.Errorf("%q", c)
		}
	})
}

func TestGolden(t *testing.T) {
	dir := t.TempDir()
	s := toySamples(t)[1]
	var c complaints
	checkGolden(&c, toy(none), s, dir)
	if len(c) != 1 || !strings.Contains(c[0], "-update writes the file") {
		t.Fatalf("no file: %q", c)
	}
	want := `Hi, length 11
"Ann"
          0  0b                         length                11
          1  68                         code                  104
        2-5  03 41 6e 6e                name                  "Ann"
          6  02                         count                 2
          7  01                         marks[0]              1
          8  02                         marks[1]              2
       9-10  01 00                      age                   256

Unknown, length 3
          0  03                         length                3
          1  78                         code                  120
          2  2a                         data                  2a
`
	name := filepath.Join(dir, s.Name+".tree")
	if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
	c = nil
	if checkGolden(&c, toy(none), s, dir); len(c) > 0 {
		t.Errorf("the same tree: %v", c)
	}
	if err := os.WriteFile(name, []byte(strings.Replace(want, "Ann", "Anne", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if checkGolden(&c, toy(none), s, dir); len(c) != 1 || !strings.Contains(c[0], "differs") {
		t.Errorf("another tree: %q", c)
	}
	c = nil
	if checkOrphans(&c, []*Sample{s}, dir); len(c) > 0 {
		t.Errorf("the tree has its sample: %q", c)
	}
	if checkOrphans(&c, nil, dir); len(c) != 1 || !strings.Contains(c[0], "has no sample") {
		t.Errorf("a tree without a sample: %q", c)
	}
}

// A duplicate name, or an endpoint with two names, is an error.
func TestTalkNames(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"client: 192.0.2.1:4000\nserver: 192.0.2.1:4000\n", "line 3: server has the endpoint of client"},
		{"client: 192.0.2.1:4000\nclient: 192.0.2.2:4000\n", "line 3: client is declared twice"},
		{"client: 192.0.2.1:4000\nserver: 192.0.2.2:4000\n", ""},
	} {
		_, err := parseTalk("# By hand.\n" + test.text)
		if got := fmt.Sprint(err); err != nil && got != test.want || err == nil && test.want != "" {
			t.Errorf("%q: %v, want %s", test.text, err, test.want)
		}
	}
}
