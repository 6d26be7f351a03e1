package expect_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/internal/expect"
	"github.com/gamedissect/gamedissect/internal/testcapture"
)

// sessions lists scenarios, with captures of healthy sessions and of faults.
var sessions = []struct {
	name            string
	healthy, faulty []string
}{
	{
		"bzflag17", []string{"bz17-c-joinleave.pcap", "bz17-c-joinleave-doc.pcap", "bz17-c-scorelimit.pcap", "bz17-var-reorder.pcap"},
		[]string{"bz17-c-violations.pcap", "bz17-c-reject.pcap", "bz17-var-lost.pcap", "bz17-var-snap96.pcap"},
	},
	{
		"bzflag24", []string{"bz24-ctf-players.pcap", "bz24-ctf-capture.pcap", "bz24-admin.pcap", "bz24-ctf-players.head.pcap"},
		[]string{"bz24-reject.pcap"},
	},
	{
		"iceball", []string{"iceball-real-session.pcap", "iceball-http.pcap", "iceball-strings.pcap", "iceball-real-session.qinq.pcap"},
		[]string{"iceball-badv.pcapng", "iceball-badf.pcap", "iceball-cookies.pcap", "iceball-cadence.pcap"},
	},
	{
		"tribes", []string{"tribes-list-40.pcap", "tribes-x-control.pcap", "tribes-v-list-40-sll2.pcap", "tribes-v-list-40-pcapng.pcapng"},
		[]string{
			"tribes-x-count-larger-than-packet.pcap", "tribes-x-string-length-overruns.pcap",
			"tribes-x-wrong-entry-marker.pcap", "tribes-wrong-version-t1master.pcap",
		},
	},
	{
		"bloodmasters", []string{"bloodmasters-real.pcap", "bloodmasters-real.bigendian.pcap", "bloodmasters-real.pcap.gz", "bloodmasters-gametypes.pcap"},
		[]string{"bloodmasters-malformed.pcap", "bloodmasters-versions.pcapng", "bloodmasters-real.frag-lost.pcap"},
	},
}

// own lists captures that lack something that the other sessions of their scenario share, with the names of the failed
// expectations.
var own = map[string]string{
	"bz24-ctf-capture.pcap":       "bzflag24 2, findings",                                        // shots over TCP
	"iceball-http.pcap":           "iceball 1, HTTPRequest",                                      // an unanswered request
	"bloodmasters-gametypes.pcap": "bloodmasters 1, ServerInfoRequest; bloodmasters 5, findings", // other types; findings
}

// TestThreeSessions checks that a fourth healthy session fulfils the expectations recorded from three, and that a
// faulty session does not.
func TestThreeSessions(t *testing.T) {
	for _, s := range sessions {
		for i, fourth := range s.healthy {
			three := slices.Delete(slices.Clone(s.healthy), i, i+1)
			r := recorder{expect.NewRecorder(expect.RecordOptions{})}
			for _, name := range three {
				read(t, name, r)
			}
			text := []byte(r.Text(s.name))
			list := loadText(t, s.name, text)
			if lines := strings.Count(string(text), "\n"); lines > 100 {
				t.Errorf("%q: %d lines", three, lines)
			}
			for _, result := range check(t, list, fourth) {
				if result.OK() == slices.Contains(strings.Split(own[fourth], "; "), result.Name) {
					t.Errorf("%s: %s: %v %s", fourth, result.Name, result.OK(), result.Trouble)
				}
			}
			for _, name := range three {
				if !holds(t, text, name) {
					t.Errorf("%s does not fulfil the recording of %q", name, three)
				}
			}
			for _, name := range s.faulty {
				if holds(t, text, name) {
					t.Errorf("%s fulfils the recording of %q", name, three)
				}
			}
		}
	}
}

// TestLooseDemandsLess checks that, if a capture fulfils recorded expectations, it also fulfils those recorded with
// --loose.
func TestLooseDemandsLess(t *testing.T) {
	accepted := 0
	for _, s := range sessions {
		var names []string
		for _, name := range testcapture.Names(t, filepath.Join(testdata, "pcap", s.healthy[0][:4]+"*")) {
			if info, err := os.Stat(name); err == nil && info.Size() < 12_000 {
				names = append(names, filepath.Base(name))
			}
		}
		accepted += looseDemandsLess(t, names)
	}
	if accepted < 100 {
		t.Errorf("only %d captures are accepted", accepted)
	}
}

// looseDemandsLess makes recordings of each capture alone and of every three consecutive captures. It checks all
// captures against these recordings, and returns how often a capture fulfils the expectations recorded without --loose.
func looseDemandsLess(t *testing.T, names []string) (accepted int) {
	type pair struct {
		from           string
		strict, second *expect.Check
	}
	var texts [][2][]byte
	var from []string
	for i := range names {
		for _, n := range []int{1, 3} {
			some := names[i:min(i+n, len(names))]
			strict, loose := recorder{expect.NewRecorder(expect.RecordOptions{})}, recorder{expect.NewRecorder(expect.RecordOptions{Loose: true})}
			for _, name := range some {
				read(t, name, strict, loose)
			}
			if text := strict.Text("x"); text != "" {
				from = append(from, strings.Join(some, ", "))
				texts = append(texts, [2][]byte{[]byte(text), []byte(loose.Text("x"))})
			}
		}
	}
	for _, name := range names {
		var pairs []pair
		var to []receiver
		for i, text := range texts {
			p := pair{from[i], expect.NewCheck(loadText(t, "strict", text[0]), expect.Options{}), expect.NewCheck(loadText(t, "loose", text[1]), expect.Options{})}
			pairs, to = append(pairs, p), append(to, p.strict, p.second)
		}
		read(t, name, to...)
		for _, p := range pairs {
			strict, loose := allOK(p.strict.Close()), allOK(p.second.Close())
			if strict {
				accepted++
			}
			if strict && !loose {
				t.Errorf("%s: with the recording of %s, only --loose rejects the capture", name, p.from)
			}
		}
	}
	return accepted
}

func allOK(list []*expect.Result) bool {
	return !slices.ContainsFunc(list, func(r *expect.Result) bool { return !r.OK() })
}
