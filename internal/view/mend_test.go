package view

import (
	"encoding/json"
	"slices"
	"testing"
)

// TestMended checks that the correction of an invalid filter is a whole, valid filter.
func TestMended(t *testing.T) {
	v := openFile(t, "../../testdata/pcap/bz24-ctf-capture.pcap")
	for text, want := range map[string]string{
		"bzflag24.kiled":                            "bzflag24.killed",
		"udp || bzflag24.kiled && tcp":              "udp || bzflag24.killed && tcp",
		"frame.nmber > 2":                           "frame.number > 2",
		"tcp && (frame.nmber > 2 || udp)":           "tcp && (frame.number > 2 || udp)",
		"frame.number = 2 && tcp":                   "frame.number == 2 && tcp",
		"tcp && udp == 53 && tcp":                   "tcp && udp.port == 53 && tcp",
		"tcp && bzflag24.killed.reason == GotShott": `tcp && bzflag24.killed.reason == GotShot`,
		"": "",
	} {
		var a struct {
			Error struct {
				Text   string
				Meant  []string
				Mended []string
			}
		}
		q, _ := json.Marshal(map[string]any{"text": text, "ms": 0})
		if err := json.Unmarshal(v.Call("filter", q), &a); err != nil {
			t.Fatal(err)
		}
		if len(a.Error.Mended) != len(a.Error.Meant) || want != "" && !slices.Contains(a.Error.Mended, want) {
			t.Errorf("%s: %+v, want %s", text, a.Error, want)
		}
		for _, m := range a.Error.Mended {
			if _, err := v.filters.compile(m); m != "" && err != nil {
				t.Errorf("%s: %s does not compile either: %v", text, m, err)
			}
		}
	}
}

// TestLikelyFirst checks that names that occur in the capture are proposed before the names of other games.
func TestLikelyFirst(t *testing.T) {
	v := openFile(t, "../../testdata/pcap/bz24-ctf-capture.pcap")
	var a struct{ Error struct{ Meant []string } }
	if err := json.Unmarshal(v.Call("filter", []byte(`{"text": "tcp && kill", "ms": 0}`)), &a); err != nil {
		t.Fatal(err)
	}
	if m := a.Error.Meant; len(m) < 2 || m[0] != "bzflag24.killed" || !slices.Contains(m, "bzflag17.killed") {
		t.Errorf("proposals: %v", m)
	}
	offered := call[completeAnswer](t, v, "complete", `{"text": "b"}`)
	if n := offered.Names; len(n) == 0 || n[0].Name != "bzflag24" {
		t.Errorf("completions: %+v", n)
	}
}
