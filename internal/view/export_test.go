package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/internal/testcapture"
)

// exported returns the whole file that export writes, and the packets in this file.
func exported(t testing.TB, v *View, q exportRequest) (file []byte, packets []capture.Packet) {
	t.Helper()
	for range 10_000 {
		request, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		a := call[exportAnswer](t, v, "export", string(request))
		file = append(file, a.Data...)
		if q.Next = a.Next; a.Done {
			break
		}
	}
	f, err := capture.NewReader(bytes.NewReader(file), "export")
	if err != nil {
		t.Fatal(err)
	}
	for {
		var p capture.Packet
		if err := f.Next(&p); err == io.EOF {
			return file, packets
		} else if err != nil {
			t.Fatal(err)
		}
		p.Data = bytes.Clone(p.Data)
		packets = append(packets, p)
	}
}

// TestExportAll checks that an export without a filter contains all packets unchanged, and that notes become comments.
func TestExportAll(t *testing.T) {
	for _, name := range testcapture.Names(t, "../../testdata/pcap/bz24-ctf*.pcap", "../../testdata/pcap/*.gz", "../../testdata/odd/*") {
		v := openFile(t, name)
		none := 0
		q := exportRequest{MS: &none}
		if v.rows.len() > 0 {
			q.Notes = []Note{{0, "first"}, {0, "<b>again"}}
		}
		_, got := exported(t, v, q)
		f, err := capture.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for p := (capture.Packet{}); f.Next(&p) == nil; n++ {
			if n < len(got) && (!bytes.Equal(got[n].Data, p.Data) || got[n].Time != p.Time && p.Time >= 0 || got[n].Length != p.Length) {
				t.Fatalf("%s: packet %d differs", name, p.Number)
			}
			if v.rows.len() > 0 && p.Number == int(v.rows.row(0).frame) && !slices.Equal(got[n].Comments[len(got[n].Comments)-2:], []string{"first", "<b>again"}) {
				t.Errorf("%s: comments %q", name, got[n].Comments)
			}
		}
		if n != len(got) {
			t.Errorf("%s: %d packets, want %d", name, len(got), n)
		}
		_ = f.Close()
	}
}

// TestExportFiltered checks that an export contains the messages that the filter matches, even those carried by several
// packets, and that the file is not larger than one with all packets.
func TestExportFiltered(t *testing.T) {
	for name, text := range map[string]string{
		"../../testdata/pcap/bz24-ctf-capture.pcap":            "bzflag24.killed",
		"../../testdata/pcap/bz24-admin.pcap":                  "bzflag24.message",
		"../../testdata/pcap/bloodmasters-real.pcap":           "ip.src == 127.0.0.1",
		"../../testdata/pcap/bloodmasters-real.bigendian.pcap": "frame.number == 3",
	} {
		v := openFile(t, name)
		whole, _ := exported(t, v, exportRequest{})
		file, packets := exported(t, v, exportRequest{Filter: text})
		if len(packets) == 0 || len(file) > len(whole) {
			t.Errorf("%s: %d packets are exported", name, len(packets))
		}
		w := open(t, file, "export")
		if before, after := summaries(t, v, text), summaries(t, w, text); !slices.Equal(before, after) && !strings.HasPrefix(text, "frame.") {
			t.Errorf("%s: %d rows match, then %d\n%.2000s\n%.2000s", name, len(before), len(after), strings.Join(before, "\n"), strings.Join(after, "\n"))
		}
	}
}

func summaries(t *testing.T, v *View, text string) (all []string) {
	a := call[struct{ Rows []Row }](t, v, "rows", `{"count": 1000, "ms": 10000, "filter": "`+text+`"}`)
	for _, r := range a.Rows {
		all = append(all, r.Name+" "+r.Summary)
	}
	slices.Sort(all) // the bytes after a gap may be decoded later
	return all
}

// TestCarriers checks that the operation detail returns all packets that carried a message.
func TestCarriers(t *testing.T) {
	several := map[string]int{}
	for _, name := range testcapture.Names(t, "../../testdata/pcap/*.pcap", "../../testdata/pcap/*.pcapng") {
		v := openFile(t, name)
		for n := range v.rows.len() {
			d := call[detailAnswer](t, v, "detail", fmt.Sprintf(`{"row": %d}`, n))
			if len(d.Pieces) > 0 && len(d.Frames) > 0 {
				t.Errorf("%s: row %d is in one packet, but also in %v", name, n, d.Frames)
			}
			if len(d.Frames) == 0 { // the row's only packet may be decoded later
				continue
			}
			several[d.Protocol]++
			if len(d.Frames) < 2 || !slices.Contains(d.Frames, uint32(d.Frame)) || len(slices.Compact(d.Frames)) < len(d.Frames) {
				t.Errorf("%s: row %d, packet %d: packets %v", name, n, d.Frame, d.Frames)
			}
		}
	}
	if len(several) < 2 {
		t.Errorf("messages in several packets: %v", several)
	}
}

// TestExportRefused checks that impossible exports return an error.
func TestExportRefused(t *testing.T) {
	data := bytesOf(t, "../../testdata/pcap/bz24-admin.pcap")
	v := open(t, data, "admin")
	for request, want := range map[string]string{
		`{"next": 7}`: "begin again", `{"notes": [{"row": -1}]}`: "no such row", `{"filter": "nosuch"}`: "nosuch",
	} {
		if got := string(v.Call("export", []byte(request))); !strings.Contains(got, want) {
			t.Errorf("%s: %s", request, got)
		}
	}
	masked := begin(t, data, "masked", Options{MaskSecrets: true})
	if got := string(masked.Call("export", nil)); !strings.Contains(got, "masked") {
		t.Error(got)
	}
}
