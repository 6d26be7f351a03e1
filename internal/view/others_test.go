package view

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// TestOthers checks that others lists packets that belong to no game, and the kinds of these packets, and accepts the
// filters of -Y other.
func TestOthers(t *testing.T) {
	v := openFile(t, "../../testdata/pcap/iceball-http.pcap")
	ask := func(text string) (a othersAnswer) {
		for !a.Done {
			a = call[othersAnswer](t, v, "others", fmt.Sprintf(`{"ms": 0, "filter": %q}`, text))
		}
		return a
	}
	all := ask("")
	if len(all.Packets) != 9 || all.Matches != 9 || all.Packets[0].Frame != 379 || !bytes.HasPrefix(all.Packets[3].Data, []byte("GET /")) {
		t.Errorf("%+v", all)
	}
	if len(all.Kinds) != 1 || all.Kinds[0].Packets != 9 || all.Kinds[0].Bytes != 635 || all.Kinds[0].First != 379 {
		t.Fatalf("%+v", all.Kinds)
	}
	for text, want := range map[string]int{all.Kinds[0].Filter: 9, `other.transport == "udp"`: 0, "frame.number > 390": 2} {
		if got := ask(text); got.Matches != want || len(got.Packets) != want {
			t.Errorf("%s: %d packets, want %d", text, got.Matches, want)
		}
	}
	if got := string(v.Call("others", []byte(`{"filter": "tribes"}`))); !strings.HasPrefix(got, `{"error"`) {
		t.Error(got)
	}
	masked := begin(t, bytesOf(t, "../../testdata/pcap/iceball-http.pcap"), "masked", Options{MaskSecrets: true})
	for masked.Step(1<<20, 1e9) {
	}
	for _, p := range call[othersAnswer](t, masked, "others", `{"ms": 10000}`).Packets {
		if p.Data != nil {
			t.Errorf("bytes of unknown content: %q", p.Data)
		}
	}
}

// TestExportAnonymized checks that secrets finds passwords, and that an anonymized export contains neither passwords
// nor names.
func TestExportAnonymized(t *testing.T) {
	for name, want := range map[string]bool{"bz24-admin.pcap": true, "bz24-ctf-players.pcap": false, "tribes-list-40.pcap": false} {
		v := openFile(t, "../../testdata/pcap/"+name)
		var a secretsAnswer
		for !a.Done {
			a = call[secretsAnswer](t, v, "secrets", `{"ms": 0}`)
		}
		if a.Found != want {
			t.Errorf("%s: a password was found: %v", name, a.Found)
		}
	}
	data := bytesOf(t, "../../testdata/pcap/bz24-admin.pcap")
	none := 0
	for _, o := range []Options{{}, {MaskSecrets: true}} {
		v := begin(t, data, "admin", o)
		for v.Step(1<<20, 1e9) {
		}
		file, packets := exported(t, v, exportRequest{Anonymize: true, MS: &none, Notes: []Note{{0, "ann"}}})
		if len(packets) == 0 || bytes.Contains(file, []byte("sesame")) || bytes.Contains(file, []byte("ann\x00")) {
			t.Errorf("%d packets", len(packets))
		}
		if got := open(t, file, "anonymized"); got.rows.len() != v.rows.len() {
			t.Errorf("%d rows in the capture, %d in the export", v.rows.len(), got.rows.len())
		}
		for i := range packets {
			if len(packets[i].Comments) > 0 {
				t.Errorf("the export has comments: %q", packets[i].Comments)
			}
		}
	}
	v := openFile(t, "../../testdata/pcap/iceball-http.pcap")
	_, all := exported(t, v, exportRequest{Anonymize: true})
	_, some := exported(t, v, exportRequest{Anonymize: true, Filter: "iceball.announce"})
	if len(some) == 0 || len(all) != 641-9 || len(some) >= len(all) {
		t.Errorf("%d packets, %d with a filter", len(all), len(some))
	}
}

// TestAddGood checks that a View accepts at most maxGood good captures, and returns errors for calls about captures
// that it does not have.
func TestAddGood(t *testing.T) {
	data := bytesOf(t, "../../testdata/pcap/iceball-http.pcap")
	v := begin(t, data, "now", Options{})
	for n := range maxGood + 1 {
		err := v.AddGood(File{bytes.NewReader(data), int64(len(data)), "good"})
		if (err == nil) != (n < maxGood) {
			t.Errorf("capture %d: %v", n+1, err)
		}
	}
	if v.AddGood(File{strings.NewReader("text"), 4, "text"}) == nil {
		t.Error("a text is accepted as a capture")
	}
	for of, want := range map[int]string{0: `{"name":"now"`, 1: `{"name":"good"`, maxGood + 1: `{"error"`, -1: `{"error"`} {
		if got := string(v.CallOf(of, "state", nil)); !strings.HasPrefix(got, want) {
			t.Errorf("%d: %.100s", of, got)
		}
	}
	if err := v.Close(); err != nil {
		t.Error(err)
	}
}
