package expect_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/expect"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/internal/testcapture"
	"github.com/gamedissect/gamedissect/layers"
)

const testdata = "../../testdata"

var schema = filter.NewSchema(layers.All())

// A receiver receives the messages, findings and values of a capture.
type receiver interface {
	Message(*filter.Subject)
	Finding(*filter.Subject)
	Value(*wire.Value)
}

// read passes a capture to receivers.
func read(t testing.TB, name string, to ...receiver) {
	t.Helper()
	history := filter.NewHistory(nil)
	e := decode.New(decode.Options{
		Protocols: layers.All(),
		Message: func(m *decode.Message) {
			x := history.Message(m)
			for _, to := range to {
				to.Message(x)
			}
		},
		Finding: func(f *wire.TrafficFinding) {
			x := history.Finding(f)
			for _, to := range to {
				to.Finding(x)
			}
		},
		Value: func(v *wire.Value) {
			history.Value(v)
			for _, to := range to {
				to.Value(v)
			}
		},
	})
	frames := testcapture.Frames(t, filepath.Join(testdata, "pcap", name))
	for i := range frames {
		history.Packet(frames[i].Time)
		e.Frame(&frames[i])
	}
	e.Close()
}

func load(t testing.TB, name string) []*expect.Expectation {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testdata, "expect", name))
	if err != nil {
		t.Fatal(err)
	}
	return loadText(t, name, text)
}

func loadText(t testing.TB, name string, text []byte) []*expect.Expectation {
	t.Helper()
	list, err := expect.Load(name, text, schema)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func check(t testing.TB, list []*expect.Expectation, name string) []*expect.Result {
	t.Helper()
	c := expect.NewCheck(list, expect.Options{Line: func(m *decode.Message) string { return m.Name }})
	read(t, name, c)
	return c.Close()
}

// TestRealCaptures checks that expectations that describe what the real programs sent are fulfilled, and that other
// expectations fail at the right place.
func TestRealCaptures(t *testing.T) {
	untested := make(map[string]bool)
	entries, err := os.ReadDir(filepath.Join(testdata, "expect"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		untested[e.Name()] = true
	}
	for _, test := range []struct{ expectation, holds, fails, step, cause string }{
		{"bloodmasters-ping.yaml", "bloodmasters-gametypes.pcap", "bloodmasters-malformed.pcap", "expect ServerInfoReply from server within 1s", "did not come"},
		{"iceball-listed.yaml", "iceball-real-session.pcap", "iceball-cookies.pcap", "expect Handshake from client within 100ms", "Handshake from client came 2.933671s after the step before, expected within 100ms (frame 52)"},
		{"iceball-listed.yaml", "iceball-real-session.frag.pcap", "iceball-badv.pcapng", "expect Accepted from server within 100ms", "did not come"},
		{"tribes-list.yaml", "tribes-x-control.pcap", "tribes-x-lost-2.pcap", "expect MasterListReply within 100ms", "packet_number is 3, expected 2 (frame 7)"},
		{"bzflag17-join.yaml", "bz17-c-joinleave.pcap", "bz17-c-reject.pcap", "expect MsgAccept from server within 1s", "MsgEnter from client came, expected MsgAccept from server (frame 85)"},
		{"bzflag17-join.yaml", "bz17-c-scorelimit.pcap", "bz17-c-refused.pcap", "expect ServerHello from server", "did not come"},
		{"bzflag17-kill.yaml", "bz17-c-scorelimit.pcap", "bz17-c-violations.pcap", "expect MsgShotEnd from client", "did not come"},
		{"bzflag17-reject.yaml", "bz17-c-reject.pcap", "bz17-c-joinleave.pcap", "expect MsgReject from server within 100ms", "did not come"},
		{"bzflag24-join.yaml", "bz24-ctf-capture.pcap", "bz24-reject.pcap", "expect MsgUDPLinkRequest from client within 1s", "came, expected MsgUDPLinkRequest from client"},
		{"bzflag24-kill.yaml", "bz24-ctf-players.pcap", "bz24-ctf-players.head.pcap", "expect MsgKilled from server within 100ms", "did not come"},
		{"bzflag24-capture.yaml", "bz24-ctf-players.pcap", "bz24-ctf-capture.pcap", "expect MsgGrabFlag from server", "did not come"},
		{"bzflag24-reject.yaml", "bz24-reject.pcap", "bz24-admin.pcap", "expect MsgReject from server within 1s", "came, expected MsgReject from server"},
	} {
		delete(untested, test.expectation)
		list := load(t, test.expectation)
		for _, r := range check(t, list, test.holds) {
			if !r.OK() {
				t.Errorf("%s: %s: %s: %s", test.expectation, test.holds, r.Name, r.Trouble)
			}
		}
		failed, found := false, false
		for _, r := range check(t, list, test.fails) {
			failed = failed || !r.OK()
			for _, g := range r.Groups {
				for _, f := range g.Failures {
					found = found || f.Step != nil && f.Step.Text == test.step && strings.Contains(f.Cause, test.cause)
				}
			}
		}
		if !failed || !found {
			t.Errorf("%s: %s: failed %v; a failure at %q (%s): %v", test.expectation, test.fails, failed, test.step, test.cause, found)
		}
	}
	if len(untested) > 0 {
		t.Errorf("no test uses these expectations: %v", untested)
	}
}

// recorder is a receiver.
type recorder struct{ *expect.Recorder }

func (recorder) Value(*wire.Value) {}

func record(t testing.TB, name string, o expect.RecordOptions) []byte {
	t.Helper()
	r := recorder{expect.NewRecorder(o)}
	read(t, name, r)
	return []byte(r.Text(name))
}

func holds(t *testing.T, text []byte, name string) bool {
	t.Helper()
	ok := true
	for _, r := range check(t, loadText(t, "recorded", text), name) {
		ok = ok && r.OK()
	}
	return ok
}

// rewrapped matches the names of captures that have the traffic of another capture in a different encapsulation.
var rewrapped = regexp.MustCompile(`^tribes-v-|^bz17-var-(null|overlap|pcapng|seqwrap|sll|vlan)|\.gz$|bigendian|qinq`)

// TestRecordThenCheck checks that a capture fulfils the expectations recorded from it, for all options of record.
func TestRecordThenCheck(t *testing.T) {
	n := 0
	for _, name := range testcapture.Names(t, filepath.Join(testdata, "pcap", "*")) {
		if name = filepath.Base(name); rewrapped.MatchString(name) {
			continue
		}
		var recorders []receiver
		for _, o := range []expect.RecordOptions{{}, {Exact: true}, {Per: "client"}, {All: true, Per: "capture"}, {Loose: true}} {
			recorders = append(recorders, recorder{expect.NewRecorder(o)})
		}
		read(t, name, recorders...)
		var list []*expect.Expectation
		for _, r := range recorders {
			if text := r.(recorder).Text(name); text != "" {
				n++
				list = append(list, loadText(t, name, []byte(text))...)
			}
		}
		if len(list) == 0 {
			continue
		}
		for _, r := range check(t, list, name) {
			if !r.OK() {
				t.Errorf("%s does not fulfil its own recording: %s: %s", name, r.Name, r.Trouble)
			}
		}
	}
	if n < 120 {
		t.Errorf("only %d recordings were checked", n)
	}
}

// TestRecordHoldsInOtherWrappings checks that a session fulfils the expectations recorded from the same session in
// another encapsulation.
func TestRecordHoldsInOtherWrappings(t *testing.T) {
	for _, from := range []string{"bz17-c-scorelimit.pcap", "bz17-var-reorder.pcap", "bz17-var-nosyn.pcap"} {
		text := record(t, from, expect.RecordOptions{})
		for _, kind := range []string{"dup.pcap", "ipfrag.pcap", "nosyn.pcap", "null.pcap", "overlap.pcap", "pcapng.pcapng", "reorder.pcap", "seqwrap.pcap", "sll.pcap", "vlan.pcap"} {
			lacksBeginning := kind == "nosyn.pcap" && from != "bz17-var-nosyn.pcap" // the expectation finds this
			if holds(t, text, "bz17-var-"+kind) == lacksBeginning {
				t.Errorf("does bz17-var-%[2]s fulfil the recording of %[1]s? %[3]v", from, kind, lacksBeginning)
			}
		}
		if holds(t, text, "bz17-var-snap96.pcap") {
			t.Errorf("a capture without most of its bytes fulfils the recording of %s", from)
		}
	}
}

// TestRecordHoldsInOtherCaptures checks that a capture fulfils the expectations recorded from another capture of the
// same scenario.
func TestRecordHoldsInOtherCaptures(t *testing.T) {
	join := record(t, "bz17-c-joinleave.pcap", expect.RecordOptions{Loose: true})
	if !holds(t, join, "bz17-c-reject.pcap") {
		t.Errorf("no join in bz17-c-reject.pcap is like the one in bz17-c-joinleave.pcap:\n%s", join)
	}
	r := recorder{expect.NewRecorder(expect.RecordOptions{Loose: true})}
	lists, err := schema.Compile("tribes.master_query or tribes.master_list_reply", nil)
	if err != nil {
		t.Fatal(err)
	}
	read(t, "tribes-list-40.pcap", only{r, lists})
	if !holds(t, []byte(r.Text("")), "tribes-x-control.pcap") {
		t.Errorf("the lists in tribes-x-control.pcap are not like the one in tribes-list-40.pcap:\n%s", r.Text(""))
	}
}

// only passes on only those messages that a filter selects.
type only struct {
	receiver
	filter *filter.Filter
}

func (o only) Message(x *filter.Subject) {
	if o.filter.Match(x) {
		o.receiver.Message(x)
	}
}
