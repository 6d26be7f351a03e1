package print_test

import (
	"net/netip"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/print"
)

// The header of a sample has a line for each known property.
func TestAppendSampleHead(t *testing.T) {
	src, dst := netip.MustParseAddrPort("192.0.2.1:28000"), netip.MustParseAddrPort("[2001:db8::1]:7")
	for _, c := range []struct {
		context  wire.Context
		src, dst netip.AddrPort
		want     string
	}{
		{wire.Context{}, src, netip.AddrPort{}, ""},
		{wire.Context{}, netip.AddrPort{}, dst, ""},
		{wire.Context{}, src, dst, "src: 192.0.2.1:28000\ndst: [2001:db8::1]:7\n"},
		{wire.Context{Direction: wire.ToServer}, src, netip.AddrPort{}, "direction: c2s\n"},
		{wire.Context{Dialect: wire.Document}, src, netip.AddrPort{}, "dialect: document\n"},
		{wire.Context{Transport: wire.TCP}, src, netip.AddrPort{}, "transport: tcp\n"},
		{wire.Context{Missing: 1}, src, netip.AddrPort{}, "missing: 1\n"},
		{
			wire.Context{Direction: wire.FromServer, Dialect: wire.Document, Transport: wire.TCP, Missing: 12}, src, src,
			"src: 192.0.2.1:28000\ndst: 192.0.2.1:28000\ndirection: s2c\ndialect: document\ntransport: tcp\nmissing: 12\n",
		},
	} {
		got := string(print.AppendSample([]byte("> "), " A query;\n real\ttraffic. ", c.context, c.src, c.dst, []byte{1}))
		if want := "> # A query; real traffic.\n" + c.want + "\n01\n"; got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	}
}

// A line of hex has at most sixteen bytes. Four or more printable characters are quoted instead, at most eighty per
// line.
func TestAppendSampleBytes(t *testing.T) {
	const forty = "0123456789 ABCDEFGHIJKLMNOPQRSTUVWXYZ~~~"
	for _, c := range []struct{ data, want string }{
		{"", ""},
		{"abc", "61 62 63\n"},
		{"abcd", `"abcd"` + "\n"},
		{"\x01abc", "01 61 62 63\n"},
		{"\x01abcd", "01\n" + `"abcd"` + "\n"},
		{"abc\x00abcd\xff", "61 62 63 00\n" + `"abcd"` + "\nff\n"},
		{" ab ~~ !", `" ab ~~ !"` + "\n"},
		{"\x1fabcd\x7f", "1f\n" + `"abcd"` + "\n7f\n"},
		{`abcd"efgh\ijkl`, `"abcd"` + "\n22\n" + `"efgh"` + "\n5c\n" + `"ijkl"` + "\n"},
		{"\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10", "00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f\n10\n"},
		{forty + forty, `"` + forty + forty + `"` + "\n"},
		{forty + forty + "abcd", `"` + forty + forty + `"` + "\n" + `"abcd"` + "\n"},
	} {
		got := string(print.AppendSample(nil, "what", wire.Context{}, netip.AddrPort{}, netip.AddrPort{}, []byte(c.data)))
		if want := "# what\n\n" + c.want; got != want {
			t.Errorf("%q\ngot\n%swant\n%s", c.data, got, want)
		}
	}
}
