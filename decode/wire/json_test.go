package wire_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

func jsonTree(t *testing.T, text string) *wire.Tree {
	t.Helper()
	return readWhole(t, []byte("x"), func(c *wire.Cursor) {
		var b uint8
		wire.U8(c, "before", &b)
		c.JSON("json", []byte(text))
	}).annotate(t)
}

func TestJSON(t *testing.T) {
	tree := jsonTree(t, `{"a":-1,"b":[true,null,[2]],"a":"x","c":1e400,"d":9223372036854775808,"e":{}}`)
	checkNames(t, tree, "before", "json", "a", "b", "", "", "", "", "", "", "", "", "a", "c", "d", "e")
	if n := tree.Find("a"); n.Kind != wire.Int || int64(n.Num) != -1 || !n.Computed || n.Size != 0 || n.Off != 1 {
		t.Errorf("%+v", n)
	}
	for name, want := range map[string]string{"c": "1e400", "d": "9223372036854775808"} {
		if n := tree.Find(name); n.Kind != wire.String || string(n.Bytes) != want {
			t.Errorf("%+v", n)
		}
	}
}

// Untrusted names are escaped for terminals.
func TestJSONHostileNames(t *testing.T) {
	tree := jsonTree(t, `{"\u001b[2J":1,"a\"b\\c\n":2,"\u202e":3,"`+"\xff"+`":4,"":5}`)
	for i := range tree.Nodes {
		for _, r := range tree.Nodes[i].Name {
			if r == '"' || r == '\\' || !strconv.IsPrint(r) {
				t.Errorf("%q", tree.Nodes[i].Name)
			}
		}
	}
}

// Text is recorded only if it is a single object or list that is not nested too deeply.
func TestJSONValid(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	beside := func(values string, n int) string { return "[" + strings.Repeat(values+",", n) + nested(31) + "]" }
	const largest = 256 << 10
	for text, want := range map[string]bool{
		"{}": true, "\r\n[1]": true, nested(32): true, nested(33): false, nested(100000): false,
		`["` + strings.Repeat(`[{\"`, 50) + `"]`: true, "": false, "1": false, `"a"`: false, "null": false,
		beside("1", 40): true, beside(`"a{["`, 40): true, beside(`{"a":[]}`, 40): true,
		"[" + beside("1", 40) + "]": false, "[" + beside(`"a"`, 40) + "]": false, "[" + beside("{}", 40) + "]": false,
		"[" + strings.Repeat(" ", largest-2) + "]": true, "[" + strings.Repeat(" ", largest-1) + "]": false,
		"[1": false, "[1,": false, `{"a"`: false, `{"a":`: false, `{"a":}`: false, "[}": false, "[[[": false,
		"[1]]": false, "{}{}": false, "{1:2}": false, "[01]": false, "\xef\xbb\xbf[]": false,
	} {
		if recorded := jsonTree(t, text).Find("json") != nil; recorded != want {
			t.Errorf("%.40q", text)
		}
	}
}

func TestJSONTakesNoBytes(t *testing.T) {
	walk := func(c *wire.Cursor) { c.JSON("json", []byte("[1]")) }
	if out, err := write(t, false, walk); err != nil || len(out) > 0 {
		t.Errorf("%q, %v", out, err)
	}
	if f := describe(walk); len(f) != 1 || f[0].Name != "json" || !f[0].Computed {
		t.Errorf("%+v", f)
	}
}
