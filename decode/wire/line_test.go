package wire_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
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

// kit is a line of a text protocol with a field of every kind in line.go.
type kit struct {
	word   []byte
	stop   int
	number int32
	path   []byte
	query  []byte
	length uint32
	text   []byte
	info   []wire.Pair
	rest   []byte
}

func (k *kit) walk(c *wire.Cursor) {
	wire.UntilOneOf(c, "word", &k.word, &k.stop, ", ", ",", ";")
	wire.SignedDecimal(c, "number", &k.number, " ")
	wire.Behind(c, "path", &k.path, "/", " ")
	wire.Until(c, "query", &k.query, " ")
	wire.Decimal(c, "length", &k.length, ":")
	wire.TextOf(c, "text", &k.text, int(k.length))
	wire.Pairs(c, "info", &k.info, `\`, "\n")
	wire.Rest(c, "rest", &k.rest)
}

func TestTextKit(t *testing.T) {
	for _, c := range []struct {
		data  string
		stop  int
		n     int32
		path  string
		text  string
		info  string
		rest  string
		fault string // the field that cannot be read; "": none
		exact bool
	}{
		{data: "a, -7 /x 2:hi\\k\\v\n", stop: 0, n: -7, path: "x", text: "hi", info: "k=v", rest: "\n", exact: true},
		{data: "a,-0 /x 0:", stop: 1, path: "x", exact: false},
		{data: "a;-2147483648 / 1:\\\\\\\\", stop: 2, n: math.MinInt32, text: "\\", info: "= -", exact: true},
		{data: "a, b; 1 ", stop: 0, fault: "number"},
		{data: ",2147483647 /\\x 3:\x00\x00\x00\\k\\\\l\\1\\m", stop: 1, n: math.MaxInt32, path: "\\x", text: "\x00\x00\x00",
			info: "k= l=1 m-", exact: true},
		{data: "a;2147483648 ", stop: 2, fault: "number"},
		{data: "a;-2147483649 ", stop: 2, fault: "number"},
		{data: "a;+1 ", stop: 2, fault: "number"},
		{data: "a;-- ", stop: 2, fault: "number"},
		{data: "a;1 x ", stop: 2, n: 1, fault: "path"},
		{data: "a;1 /x/y 0:", stop: 2, n: 1, path: "x", exact: true},
		{data: "a;1 /x 3:ab", stop: 2, n: 1, path: "x", fault: "text"},
		{data: "abc", stop: 2, fault: "word"},
	} {
		var k kit
		l, err := read(t, []byte(c.data), k.walk)
		fault := ""
		if err != nil {
			fault = err.Field
		}
		info := ""
		for _, p := range k.info {
			value := "=" + string(p.Value)
			if p.Value == nil {
				value = "-"
			}
			info += " " + string(p.Key) + value
		}
		got := []any{k.stop, k.number, string(k.path), string(k.text), strings.TrimPrefix(info, " "), string(k.rest),
			fault, l.Exact()}
		if want := []any{c.stop, c.n, c.path, c.text, c.info, c.rest, c.fault, c.exact}; !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", c.data, got, want)
		}
		l.annotate(t)
		if out, _ := write(t, false, k.walk); c.exact && string(out) != c.data {
			t.Errorf("%q is written as %q", c.data, out)
		}
	}
}

// If the index of the separator is out of range, the last separator is written.
func TestUntilOneOfWritesASeparator(t *testing.T) {
	for stop, want := range map[int]string{-1: "a;", 0: "a, ", 1: "a,", 2: "a;", 3: "a;"} {
		word := []byte("a")
		out, err := write(t, false, func(c *wire.Cursor) { wire.UntilOneOf(c, "word", &word, &stop, ", ", ",", ";") })
		if err != nil || string(out) != want {
			t.Errorf("%d: %q, %v, want %q", stop, out, err, want)
		}
	}
}

func TestTextKitFields(t *testing.T) {
	var names []string
	for _, f := range describe(new(kit).walk) {
		names = append(names, f.Name)
		if f.Name == "info" && !f.Open || f.Name == "number" && f.Kind != wire.Int {
			t.Errorf("%+v", f)
		}
	}
	if want := []string{"word", "number", "path", "query", "length", "text", "info", "rest"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}

// Keys are the names of their values in the tree. Untrusted keys are escaped for terminals.
func TestPairsInTrees(t *testing.T) {
	var k kit
	l := readWhole(t, []byte("a;1 /x 0:\\hostname\\Home\\a\x1b\"\\1\\\\2"), k.walk)
	tree := l.annotate(t)
	var got []string
	for i := range tree.Nodes {
		if n := &tree.Nodes[i]; n.Depth == 1 {
			got = append(got, n.Name+"="+string(n.Bytes)+"@"+string(l.Contents[int(n.Off)+int(n.Lead):n.Off+n.Size]))
		}
	}
	want := []string{"key=hostname@hostname", "hostname=Home@Home", "key=a\x1b\"@a\x1b\"", "a\ufffd\ufffd=1@1", "key=@",
		"value=2@2"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if string(wire.Find(k.info, "hostname")) != "Home" || wire.Find(k.info, "Hostname") != nil {
		t.Error("values are not found by their keys")
	}
}

// A key that is too long does not become a name. A key after very many others still does.
func TestPairsWithManyKeys(t *testing.T) {
	long := strings.Repeat("k", 64)
	text := "a;1 /x 0:\\" + long + "\\1\\" + long + "k\\2"
	for i := range 300 {
		text += "\\k" + strconv.Itoa(i) + "\\v"
	}
	var k kit
	tree := readWhole(t, []byte(text), k.walk).annotate(t)
	for name, want := range map[string]string{long: "1", "value": "2", "k0": "v", "k255": "v", "k299": "v"} {
		if n := tree.Find(name); n == nil || string(n.Bytes) != want {
			t.Errorf("%s is %+v", name, n)
		}
	}
	if tree.Find(long+"k") != nil {
		t.Error("a name of 65 bytes")
	}
}

// A reused tree does not allocate memory for keys that it has already stored.
func TestPairsInReusedTrees(t *testing.T) {
	var k kit
	l := readWhole(t, []byte(`a;1 /x 0:\hostname\Home\map\dm1`), k.walk)
	var tree wire.Tree
	if n := testing.AllocsPerRun(10, func() { l.Annotate(l, &tree) }); n > 0 {
		t.Errorf("annotating allocates %v times", n)
	}
}

// Privacies looks up a value by its key. The keys themselves are public unless the table lists their path.
func TestPrivacyOfPairs(t *testing.T) {
	var k kit
	tree := readWhole(t, []byte(`a;1 /x 0:\map\dm1\hostname\Home`), k.walk).annotate(t)
	for _, c := range []struct {
		private wire.Privacies
		want    [4]wire.Privacy // of the first key, the first value, the second key ...
	}{
		{wire.Privacies{"info.map": wire.Public, "map": wire.PrivateChat}, [4]wire.Privacy{3: wire.PrivateName}},
		{wire.Privacies{"hostname": wire.PrivateSecret}, [4]wire.Privacy{1: wire.PrivateName, 3: wire.PrivateSecret}},
		{wire.Privacies{"info": wire.PrivateChat, "key": wire.PrivateChat}, [4]wire.Privacy{1: wire.PrivateChat, 3: wire.PrivateChat}},
		{wire.Privacies{"info": wire.Public, "info.key": wire.PrivateChat}, [4]wire.Privacy{wire.PrivateChat, 0, wire.PrivateChat, 0}},
		{wire.Privacies{"info": wire.Public, "Toy.info.key": wire.PrivateChat}, [4]wire.Privacy{wire.PrivateChat, 0, wire.PrivateChat, 0}},
	} {
		var got [4]wire.Privacy
		i := 0
		for at := range tree.Nodes {
			if n := &tree.Nodes[at]; n.Depth == 1 {
				got[i] = c.private.OfNode("Toy", "info."+n.Name, n)
				i++
			}
		}
		if got != c.want {
			t.Errorf("%v: %q, want %q", c.private, got, c.want)
		}
	}
}

func TestLinesAreCounted(t *testing.T) {
	for data, want := range map[string]wire.Count{"": 1, "\n": 0, "a\n\nb\n": 1, "a\nb\n\n": 2, "a": 1, "a\nb": 2} {
		var n wire.Count
		readWhole(t, []byte(data), func(c *wire.Cursor) { n = wire.Lines(c, "\n"); wire.Rest(c, "rest", new([]byte)) })
		if n != want {
			t.Errorf("%q: %d lines, want %d", data, n, want)
		}
	}
}
