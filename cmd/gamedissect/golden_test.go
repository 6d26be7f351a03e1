package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// wrapped lists captures that hold the traffic of another one in another wrapping.
var wrapped = map[string]string{
	"bloodmasters-real.pcap.gz":         "bloodmasters-real.pcap",
	"bloodmasters-real.bigendian.pcap":  "bloodmasters-real.pcap",
	"iceball-real-session.frag.pcap":    "iceball-real-session.pcap",
	"iceball-real-session.qinq.pcap":    "iceball-real-session.pcap",
	"tribes-v-list-40-sll2.pcap":        "tribes-list-40.pcap",
	"tribes-v-list-40-pcapng.pcapng":    "tribes-list-40.pcap",
	"iceball-real-session.cutfile.pcap": "", // has less, and a script of its own

	"bz17-var-overlap.pcap":  "bz17-c-scorelimit.pcap",
	"bz17-var-reorder.pcap":  "bz17-c-scorelimit.pcap",
	"bz17-var-dup.pcap":      "bz17-c-scorelimit.pcap",
	"bz17-var-seqwrap.pcap":  "bz17-c-scorelimit.pcap",
	"bz17-var-nosyn.pcap":    "bz17-c-scorelimit.pcap",
	"bz17-var-vlan.pcap":     "bz17-c-scorelimit.pcap",
	"bz17-var-null.pcap":     "bz17-c-scorelimit.pcap",
	"bz17-var-sll.pcap":      "bz17-c-scorelimit.pcap",
	"bz17-var-ipfrag.pcap":   "bz17-c-scorelimit.pcap",
	"bz17-var-pcapng.pcapng": "bz17-c-scorelimit.pcap",
	"bz17-var-lost.pcap":     "", // have less
	"bz17-var-snap96.pcap":   "",
}

// maxGolden is the size of captures whose trees are kept. Those of larger ones would be megabytes;
// the records hold them.
const maxGolden = 50_000

// TestGolden holds the trees and totals of real captures against those looked at before.
func TestGolden(t *testing.T) {
	for _, name := range files(t) {
		if _, ok := wrapped[name]; ok {
			continue
		}
		if info, err := os.Stat(filepath.Join(captures, name)); err != nil || info.Size() > maxGolden {
			continue
		}
		t.Run(name, func(t *testing.T) {
			got, stderr, code := dissect("-r", filepath.Join(captures, name))
			if code != exitDone || stderr != "" {
				t.Errorf("exit code %d, standard error %q", code, stderr)
			}
			wiretest.Golden(t, filepath.Join(captures, name+".golden"), []byte(got))
		})
	}
}

// TestWrappings holds what each side said in captures that differ in nothing but link types, file
// formats, fragments, and the order and number of segments against each other.
func TestWrappings(t *testing.T) {
	for name, plain := range wrapped {
		if plain == "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			want, got := messages(t, plain), messages(t, name)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("messages differ from those of %s (-want +got):\n%s", plain, diff)
			}
		})
	}
}

// messages gives the messages of a capture by who says them where, without what depends on the
// wrapping.
func messages(t *testing.T, name string) map[string][]map[string]any {
	t.Helper()
	out, _, _ := dissect("-T", "json", "-r", filepath.Join(captures, name))
	said := make(map[string][]map[string]any)
	for line := range strings.Lines(out) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		delete(m, "frame")
		delete(m, "time") // fragments and format conversions move it by nanoseconds
		if m["message"] == nil {
			continue // a finding, such as that of a stream whose beginning is missing
		}
		who := fmt.Sprint(m["transport"], m["stream"], m["src"])
		said[who] = append(said[who], m)
	}
	if len(said) == 0 {
		t.Fatalf("no message in %s", name)
	}
	return said
}
