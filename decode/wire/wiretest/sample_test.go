package wiretest

import (
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/print"
)

func TestParse(t *testing.T) {
	got, err := parse(`# What it is: and where it comes from.
# More of it.
direction: s2c
dialect: document
src: 10.0.0.1:28000
dst: [2001:db8::1]:4000
missing: 3
layout: 8 the end decides
unrecognised: why not

10 06 0102	ff # numbers
05 "Fo: #\x00\"" 00 "a""b"
`)
	if err != nil {
		t.Fatal(err)
	}
	if string(got.Data) != "\x10\x06\x01\x02\xff\x05Fo: #\x00\"\x00ab" {
		t.Errorf("bytes %q", got.Data)
	}
	if got.Src.String() != "10.0.0.1:28000" || got.Dst.String() != "[2001:db8::1]:4000" {
		t.Errorf("from %v to %v", got.Src, got.Dst)
	}
	want := &Sample{Direction: wire.FromServer, Dialect: wire.Document, Missing: 3, Layout: 8, LayoutWhy: "the end decides",
		Unrecognised: "why not", Data: got.Data, Src: got.Src, Dst: got.Dst}
	if diff := cmp.Diff(want, got, equality); diff != "" {
		t.Error(diff)
	}
}

// A sample that package print writes is read back unchanged.
func TestWrittenSamples(t *testing.T) {
	src, dst := netip.MustParseAddrPort("10.0.0.1:28000"), netip.MustParseAddrPort("[2001:db8::1]:4000")
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	for _, want := range []*Sample{
		{Data: []byte("\x00\x01plain text\xff"), Direction: wire.FromServer, Transport: wire.TCP},
		{Data: []byte(`src: "quotes" # and \marks`), Direction: wire.ToServer, Src: src, Dst: dst},
		{Data: []byte("ab"), Direction: wire.PeerToPeer, Dialect: wire.Document, Missing: 7, Src: dst, Dst: src},
		{Data: every},
		{},
	} {
		c := wire.Context{Direction: want.Direction, Dialect: want.Dialect, Transport: want.Transport, Missing: want.Missing}
		text := print.AppendSample(nil, "A name\nof two lines.", c, want.Src, want.Dst, want.Data)
		got, err := parse(string(text))
		if err != nil {
			t.Errorf("%v in\n%s", err, text)
			continue
		}
		if diff := cmp.Diff(want, got, equality); diff != "" {
			t.Errorf("%s\n%s", diff, text)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"10 06":                          "first line",
		"# \n10":                         "first line",
		"# x\ndirection: up\n":           `line 2: unknown direction "up"`,
		"# x\ndialect: wire\n":           `unknown dialect "wire"`,
		"# x\ndirectoin: s2c\n":          `unknown header "directoin"`,
		"# x\nmissing: few\n":            "invalid syntax",
		"# x\nlayout: 8\n":               "an offset and a reason",
		"# x\nlayout: here it ends\n":    "invalid syntax",
		"# x\nsrc: 10.0.0.1\n":           "not an ip:port",
		"# x\nsrc: 10.0.0.1:1\n":         "both src and dst",
		"# x\n\n1":                       "odd length",
		"# x\n\n10 xy":                   "invalid byte",
		"# x\n\n10 \"open":               "text \"open",
		"# x\n10\nsrc: 10.0.0.1:1\n":     "invalid byte",
		"# x\n\nfrom 10.0.0.1: nobody\n": "invalid byte",
	} {
		if _, err := parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}

func TestSamples(t *testing.T) {
	dir := t.TempDir()
	if _, err := Samples(dir); err == nil {
		t.Error("no error for a folder without samples")
	}
	for name, text := range map[string]string{"b.hex": "# b\n\n02", "a.hex": "# a\n\n01", "a.tree": "A"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	list, err := Samples(dir)
	if err != nil || len(list) != 2 || list[0].Name != "a" || list[1].Name != "b" {
		t.Errorf("%v, %v", list, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "c.hex"), []byte("# c\n\nzz"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Samples(dir); err == nil || !strings.Contains(err.Error(), "c.hex: line 3") {
		t.Errorf("error %v", err)
	}
}

// flags and unflag convert a sample to the fuzzer's arguments and back.
func TestFlags(t *testing.T) {
	for _, text := range []string{
		"direction: c2s\n", "dialect: document\n", "missing: 7\n",
		"src: 192.0.2.1:28000\ndst: 192.0.2.2:4000\n", "src: [2001:db8::1]:1\ndst: [2001:db8::2]:2\n",
	} {
		want := samplesOf(t, text+"01 02")[0]
		want.Name = "fuzz"
		got := unflag(flags(want), want.Src.Port(), want.Dst.Port(), want.Missing, want.Data)
		if diff := cmp.Diff(want, got, equality); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}
