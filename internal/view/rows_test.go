package view

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/decode/wire/print"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/internal/testcapture"
	"github.com/gamedissect/gamedissect/layers"
)

// All views share one schema, because making a schema takes long.
var (
	protocols = layers.All()
	schema    = filter.NewSchema(protocols)
)

// begin opens a capture without reading it.
func begin(t testing.TB, data []byte, name string, o Options) *View {
	t.Helper()
	v, err := tryBegin(data, name, o)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func tryBegin(data []byte, name string, o Options) (*View, error) {
	o.Protocols = protocols
	v, err := Open(bytes.NewReader(data), int64(len(data)), name, o)
	if err == nil {
		v.filters.schema = schema
	}
	return v, err
}

// open opens a capture and reads all of it.
func open(t testing.TB, data []byte, name string) *View {
	t.Helper()
	return readAll(begin(t, data, name, Options{}))
}

func readAll(v *View) *View {
	for v.Step(1<<20, time.Second) {
	}
	return v
}

// bytesOf returns the bytes of a file.
func bytesOf(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func openFile(t testing.TB, name string) *View {
	t.Helper()
	return open(t, bytesOf(t, name), filepath.Base(name))
}

// shown returns everything that the program shows about a message.
func shown(b []byte, m *decode.Message) []byte {
	b = fmt.Appendf(b, "%d %d %v%d %d %v>%v %s %s %s %s %d ", m.Frame, m.Time, m.Transport, m.Conversation, m.Lane, m.Src,
		m.Dst, m.Protocol.Name, m.Direction, m.Name, m.Code, m.Length)
	b = append(format.AppendSummary(b, m.Layer), '\n')
	p := print.Printer{Bytes: true, All: true}
	return p.Append(b, m.Tree(), m.Data, m.Findings)
}

func shownFinding(b []byte, f *wire.TrafficFinding) []byte {
	return fmt.Appendf(b, "%d %d %v %v>%v %s %s\n", f.Frame, f.Time, f.Conversation, f.Src, f.Dst, f.Rule.ID, f.Text)
}

// first returns what the program shows for each row of a capture when it reads the row for the first time.
func first(t *testing.T, name string) (rows []string) {
	e := decode.New(decode.Options{
		Protocols: layers.All(),
		Message:   func(m *decode.Message) { rows = append(rows, string(shown(nil, m))) },
		Finding:   func(f *wire.TrafficFinding) { rows = append(rows, string(shownFinding(nil, f))) },
	})
	for _, f := range testcapture.Frames(t, name) {
		e.Frame(&f)
	}
	e.Close()
	return rows
}

// again returns what the program shows for a row that is decoded again.
func again(t *testing.T, v *View, n int) string {
	if f := v.rows.finding(n); f != nil {
		return string(shownFinding(nil, f))
	}
	m, err := v.rows.message(n)
	if err != nil {
		t.Fatalf("row %d: %v", n, err)
	}
	return string(shown(nil, m))
}

// TestRecall checks that a message that is decoded again equals the message read first, whatever the order of decoding.
func TestRecall(t *testing.T) {
	rows := 0
	for _, name := range testcapture.Names(t, "../../testdata/pcap/*", "../../testdata/odd/*") {
		t.Run(filepath.Base(name), func(t *testing.T) {
			want := first(t, name)
			v := openFile(t, name)
			got := make([]string, v.rows.len())
			for i := range got {
				n := i * 7919 % len(got) // 7919 is a prime, so n visits most rows, in mixed order
				got[n] = again(t, v, n)
			}
			for n := range got {
				if got[n] == "" {
					got[n] = again(t, v, n)
				}
			}
			if v.reader.trouble != nil && len(got) == len(want)+1 { // the View adds a finding about the end of the file
				got = append(got[:0:0], got...)
				for n := range got {
					if strings.Contains(got[n], decode.RuleFileCut.ID) {
						got = append(got[:n], got[n+1:]...)
						break
					}
				}
			}
			for n := range min(len(want), len(got)) {
				if want[n] != got[n] {
					t.Fatalf("row %d:\n%s", n, cmp.Diff(want[n], got[n]))
				}
			}
			if len(want) != len(got) {
				t.Errorf("%d rows, want %d", len(got), len(want))
			}
			rows += len(got)
		})
	}
	if rows < 10_000 {
		t.Errorf("%d rows were compared", rows)
	}
}

// TestBytesOfRows checks that the index takes little memory for each message of a large capture. A small capture needs
// at least one slab.
func TestBytesOfRows(t *testing.T) {
	data := bytesOf(t, "../../testdata/pcap/bz24-ctf-capture.pcap")
	const header, copies = 24, 20 // size of the file's header; repetitions of the packets
	many := bytes.Clone(data)
	for range copies - 1 {
		many = append(many, data[header:]...)
	}
	v := open(t, many, "many")
	if v.rows.len() < 10_000 {
		t.Fatalf("%d rows", v.rows.len())
	}
	if per := float64(v.memory()) / float64(v.rows.len()); per > 80 {
		t.Errorf("%.1f bytes per row", per)
	}
}
