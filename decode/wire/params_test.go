package wire_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// lineParams are parameters as in IRC.
var lineParams = &wire.Params{Lead: " ", Last: ":", Stops: []string{"\r\n", "\n"}}

// order is a line: an optional prefix, a command, a parameter, other parameters, and the end of the line.
type order struct {
	prefix, user wire.Param
	command, end []byte
	first        wire.Param
	others       []wire.Param
	rest         []byte
}

func (o *order) walk(c *wire.Cursor) {
	wire.Optional(c, "prefix", &o.prefix, ":", "!", " ")
	wire.Optional(c, "user", &o.user, "!", " ")
	wire.UpTo(c, "command", &o.command, " ", "\r\n", "\n")
	lineParams.Walk(c, "first", &o.first)
	lineParams.List(c, "others", &o.others)
	wire.OneOf(c, "end", &o.end, lineParams.Stops...)
	wire.Trailing(c, &o.rest)
}

func (o *order) String() string {
	text := fmt.Sprintf("%q|%q|%q|%q%q|", o.prefix.Text, o.user.Text, o.command, o.first.Lead, o.first.Text)
	for _, p := range o.others {
		text += fmt.Sprintf("%q%q", p.Lead, p.Text)
	}
	return text + fmt.Sprintf("|%q|%q", o.end, o.rest)
}

func TestParams(t *testing.T) {
	for data, want := range map[string]string{
		"PING\r\n":                 `""|""|"PING"|""""||"\r\n"|""`,
		"PING a":                   `""|""|"PING"|" ""a"||""|""`,
		"":                         `""|""|""|""""||""|""`,
		"A :b c :d\n":              `""|""|"A"|" :""b c :d"||"\n"|""`,
		"A  b   c \r\n":            `""|""|"A"|"  ""b"|"   ""c"" """|"\r\n"|""`,
		"A b c:d :\r\n":            `""|""|"A"|" ""b"|" ""c:d"" :"""|"\r\n"|""`,
		":n PRIVMSG #go :a b\r\nX": `"n"|""|""|" ""PRIVMSG"|" ""#go"" :""a b"|"\r\n"|"X"`,
		":n!u A\rb\n":              `"n"|"u"|""|" ""A\rb"||"\n"|""`,
		"!A":                       `""|"A"|""|""""||""|""`,
		"A\n b\n":                  `""|""|"A"|""""||"\n"|" b\n"`,
	} {
		o := order{others: make([]wire.Param, 0, 8), end: []byte("old")}
		l := readWhole(t, []byte(data), o.walk)
		if got := o.String(); got != want {
			t.Errorf("%q: %s, want %s", data, got, want)
		}
		l.annotate(t)
		if out, err := write(t, false, o.walk); err != nil || string(out) != data {
			t.Errorf("%q is written as %q, %v", data, out, err)
		}
	}
	var names []string
	for _, f := range describe(new(order).walk) {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, " "); got != "prefix user command first others end trailing" {
		t.Errorf("fields are %s", got)
	}
}

// If the capture may have cut off a text, reading the text fails.
func TestParamsTruncated(t *testing.T) {
	for data, want := range map[string]string{"PI": "command", "A b": "first", "A b :c d": "others", "A b c\n": ""} {
		var o order
		l := &toy{walk: o.walk}
		l.Context.Missing = 7
		err, got := l.read(t, []byte(data)), ""
		if err != nil {
			got = err.Field + err.Group
		}
		if got != want {
			t.Errorf("%q: %v, want an error about %q", data, err, want)
		}
	}
}

// A line may have many parameters. The number of separators before a parameter is limited.
func TestParamsMany(t *testing.T) {
	const many = 1 << 16
	var o order
	readWhole(t, []byte("A"+strings.Repeat(" b", many)), o.walk)
	if len(o.others) != many-1 {
		t.Errorf("%d parameters", len(o.others))
	}
	readWhole(t, []byte("A"+strings.Repeat(" ", many)), o.walk)
	if len(o.first.Lead) > 255 || len(o.others) == 0 {
		t.Errorf("%d separator bytes before the first parameter", len(o.first.Lead))
	}
}
