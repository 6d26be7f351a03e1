package wire_test

import (
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

func TestLines(t *testing.T) {
	for _, c := range []struct {
		data, text string
		number     uint32
		ok, exact  bool
	}{
		{"ab 7\r\n", "ab", 7, true, true},
		{" 0\r\n", "", 0, true, true},
		{"ab 4294967295\r\n", "ab", 1<<32 - 1, true, true},
		{"ab 007\r\n", "ab", 7, true, false},
		{"ab 4294967296\r\n", "ab", 0, false, false},
		{"ab -1\r\n", "ab", 0, false, false},
		{"ab +1\r\n", "ab", 0, false, false},
		{"ab \r\n", "ab", 0, false, false},
		{"ab 7\n", "ab", 0, false, false},
		{"ab", "", 0, false, false},
		{"", "", 0, false, false},
	} {
		var text []byte
		var number uint32
		walk := func(c *wire.Cursor) { wire.Until(c, "text", &text, " "); wire.Decimal(c, "number", &number, "\r\n") }
		l, err := read(t, []byte(c.data), walk)
		l.annotate(t)
		if (err == nil) != c.ok || l.Exact() != c.exact || string(text) != c.text || number != c.number {
			t.Errorf("%q: %q, %d, %v, exact %t", c.data, text, number, err, l.Exact())
		}
		if out, _ := write(t, false, walk); c.exact && string(out) != c.data {
			t.Errorf("%q is written as %q", c.data, out)
		}
	}
	var text []byte
	var number uint32
	fields := describe(func(c *wire.Cursor) { wire.Until(c, "text", &text, " "); wire.Decimal(c, "number", &number, " ") })
	if len(fields) != 2 || fields[0].Kind != wire.String || fields[1].Kind != wire.Uint || fields[1].Name != "number" {
		t.Errorf("%+v", fields)
	}
}
