package main

import (
	"io"
	"strings"
	"testing"
)

func TestSize(t *testing.T) {
	for text, want := range map[string]size{
		"200MB": 200e6, "1GB": 1e9, "1.5 gb": 1.5e9, "250KB": 250e3, "123456789B": 123456789,
	} {
		var s size
		if err := s.Set(text); err != nil || s != want {
			t.Errorf("%q is %d, %v; want %d", text, s, err, want)
		}
	}
	for _, text := range []string{"", "MB", "200", "-1GB", "NaNMB", "99kB", "2000GB", "1e400GB", "x MB"} {
		var s size
		if err := s.Set(text); err == nil {
			t.Errorf("%q is accepted as %d", text, s)
		}
	}
}

func TestFormatSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1500: "1.5 kB", 200e6: "200 MB", 3e12: "3000 GB"} {
		if got := formatSize(n); got != want {
			t.Errorf("%d is written %q, want %q", n, got, want)
		}
	}
}

func TestArguments(t *testing.T) {
	for _, c := range []struct{ args, trouble string }{
		{"--rounds 0", "one round is the least"},
		{"tribes.pcap", "only flags belong here"},
		{"--size 12", "with a unit"},
		{"--only (", "--only"},
		{"--only tshark", "matches none of the rows: bare loop, gamedissect -q"},
		{"--input x --dir nowhere", "choose one of tribes.pcap"},
	} {
		err := run(t.Context(), strings.Fields(c.args), io.Discard, quiet)
		if err == nil || !strings.Contains(err.Error(), c.trouble) {
			t.Errorf("%s: %v, want a word of %q", c.args, err, c.trouble)
		}
	}
	var help strings.Builder
	if err := run(t.Context(), []string{"--help"}, &help, quiet); err != nil || !strings.Contains(help.String(), "--rounds N") {
		t.Errorf("--help: %v, %q", err, help.String())
	}
	if strings.Contains(help.String(), "bare-loop") {
		t.Error("the help shows a flag that is not for people")
	}
}

func TestChooseRows(t *testing.T) {
	for only, want := range map[string]string{
		"":          "bare loop, gamedissect -q, gamedissect -T line, gamedissect -T json, gamedissect -T tree",
		"tree|json": "bare loop, gamedissect -T json, gamedissect -T tree",
		"bare":      "bare loop",
	} {
		chosen, err := chooseRows(only)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range chosen {
			got = append(got, r.name)
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("--only %q leaves %s, want %s", only, text, want)
		}
	}
}

func TestUsualRows(t *testing.T) {
	for _, c := range []struct {
		only, input string
		want        int
	}{
		{"", "tribes.pcap", 4}, {"", "bzflag-50.pcap", 4}, {"", "tribes.pcap.gz", 2}, {"tree", "bzflag-50.pcap", 2},
	} {
		chosen, err := chooseRows(c.only)
		if got := rowsFor(chosen, c.input); err != nil || len(got) != c.want {
			t.Errorf("--only %q leaves %d rows of %s, %v; want %d", c.only, len(got), c.input, err, c.want)
		}
	}
}

func TestRowsFor(t *testing.T) {
	some := []row{{name: "all"}, {name: "one", inputs: []string{"a"}}}
	if a, b := len(rowsFor(some, "a")), len(rowsFor(some, "b")); a != 2 || b != 1 {
		t.Errorf("%d rows read a and %d read b, want 2 and 1", a, b)
	}
}
