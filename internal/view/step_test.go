package view

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/layers"
)

// TestWhileReading checks that rows are available while a capture is being read, and do not change. A filter is applied
// at the same time.
func TestWhileReading(t *testing.T) {
	for _, name := range []string{
		"bz24-ctf-capture.pcap", "iceball-real-session.cutfile.pcap", "bloodmasters-real.pcap.gz",
	} {
		t.Run(name, func(t *testing.T) {
			data := bytesOf(t, "../../testdata/pcap/"+name)
			v := begin(t, data, name, Options{})
			var seen [][]byte
			steps := 0
			for more := true; more; steps++ {
				more = v.Step(1, 0)
				for n := len(seen); n < v.rows.len(); n++ {
					seen = append(seen, v.Call("detail", fmt.Appendf(nil, `{"row": %d}`, n)))
				}
				call[filterAnswer](t, v, "filter", `{"text": "length > 20", "ms": 10000}`)
			}
			whole := open(t, data, name)
			if len(seen) != whole.rows.len() || len(seen) == 0 {
				t.Fatalf("%d rows, want %d", len(seen), whole.rows.len())
			}
			for n := range seen {
				if again := whole.Call("detail", fmt.Appendf(nil, `{"row": %d}`, n)); !bytes.Equal(seen[n], again) {
					t.Fatalf("row %d was\n%s\nand is now\n%s", n, seen[n], again)
				}
			}
			call[filterAnswer](t, whole, "filter", `{"text": "length > 20", "ms": 10000}`)
			if got, want := v.filters.jobs[0].job.matches, whole.filters.jobs[0].job.matches; !slices.Equal(got, want) {
				t.Errorf("%d matches, want %d", len(got), len(want))
			}
			if s := v.State(); !s.Done || s.Read != int64(len(data)) || (s.Error != "") != (v.reader.trouble != nil) {
				t.Errorf("%+v after %d steps", s, steps)
			}
		})
	}
}

// TestClose checks that a View that is closed early answers requests about the rows read so far.
func TestClose(t *testing.T) {
	v := begin(t, bytesOf(t, "../../testdata/pcap/bz24-ctf-capture.pcap"), "closed", Options{})
	v.Step(1, time.Second)
	if err := v.Close(); err != nil || !v.reader.done || v.Close() != nil {
		t.Error(err)
	}
	if v.Step(1<<20, time.Second) || v.rows.len() == 0 || v.rows.len() > 500 {
		t.Errorf("%d rows", v.rows.len())
	}
	askAll(t, v)
}

// TestOpenFails checks that Open returns an error for a file that is not a capture.
func TestOpenFails(t *testing.T) {
	v, err := Open(bytes.NewReader([]byte("MZ\x90\x00\x03")), 5, "x.exe", Options{Protocols: layers.All()})
	if err == nil {
		t.Errorf("%+v", v.State())
	}
}
