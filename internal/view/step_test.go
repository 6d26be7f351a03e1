package view

import (
	"bytes"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/layers"
)

// While a capture is being read its rows are served, and stay as they are; work on a filter goes on with it.
func TestWhileReading(t *testing.T) {
	for _, name := range []string{
		"bz24-ctf-capture.pcap", "iceball-real-session.cutfile.pcap", "bloodmasters-real.pcap.gz",
	} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile("../../testdata/pcap/" + name)
			if err != nil {
				t.Fatal(err)
			}
			v, err := Open(bytes.NewReader(data), int64(len(data)), name, Options{Protocols: layers.All()})
			if err != nil {
				t.Fatal(err)
			}
			var seen [][]byte
			steps := 0
			for more := true; more; steps++ {
				more = v.Step(1, 0)
				for n := len(seen); n < v.Rows(); n++ {
					seen = append(seen, v.Call("detail", []byte(`{"row": `+string(appendInt(nil, n))+`}`)))
				}
				call[filterAnswer](t, v, "filter", `{"text": "length > 20", "ms": 10000}`)
			}
			whole := open(t, data, name)
			if len(seen) != whole.Rows() || len(seen) == 0 {
				t.Fatalf("%d rows, want %d", len(seen), whole.Rows())
			}
			for n := range seen {
				if again := whole.Call("detail", []byte(`{"row": `+string(appendInt(nil, n))+`}`)); !bytes.Equal(seen[n], again) {
					t.Fatalf("row %d was\n%s\nis\n%s", n, seen[n], again)
				}
			}
			call[filterAnswer](t, whole, "filter", `{"text": "length > 20", "ms": 10000}`)
			if got, want := v.jobs.filters[0].matches, whole.jobs.filters[0].matches; !slices.Equal(got, want) {
				t.Errorf("%d matches, want %d", len(got), len(want))
			}
			if s := v.State(); !s.Done || s.Read != int64(len(data)) || (s.Error != "") != (v.Err() != nil) {
				t.Errorf("%+v after %d steps", s, steps)
			}
		})
	}
}

// A View that is closed early serves what it read.
func TestClose(t *testing.T) {
	data, err := os.ReadFile("../../testdata/pcap/bz24-ctf-capture.pcap")
	if err != nil {
		t.Fatal(err)
	}
	v, err := Open(bytes.NewReader(data), int64(len(data)), "closed", Options{Protocols: layers.All()})
	if err != nil {
		t.Fatal(err)
	}
	v.Step(1, time.Second)
	if err := v.Close(); err != nil || !v.Done() || v.Close() != nil {
		t.Error(err)
	}
	if v.Step(1<<20, time.Second) || v.Rows() == 0 || v.Rows() > 500 {
		t.Errorf("%d rows", v.Rows())
	}
	askAll(t, v)
}

// What is no capture is no View.
func TestOpenFails(t *testing.T) {
	v, err := Open(bytes.NewReader([]byte("MZ\x90\x00\x03")), 5, "x.exe", Options{Protocols: layers.All()})
	if err == nil {
		t.Errorf("%+v", v.State())
	}
}
