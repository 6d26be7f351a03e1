package format_test

import (
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// The keys of pairs become the names of members. They are not members themselves.
func TestJSONOfPairs(t *testing.T) {
	key := func(name string) wire.Node {
		return wire.Node{Name: "key", Kind: wire.String, Key: true, Bytes: []byte(name)}
	}
	value := func(name, text string) wire.Node {
		return wire.Node{Name: name, Kind: wire.String, Bytes: []byte(text)}
	}
	for want, nodes := range map[string][]wire.Node{
		`{"map":"dm1","key":"k"}`: {key("map"), value("map", "dm1"), key("key"), value("key", "k"), key("alone")},
		`{"a":"{","b":""}`:        {key("a"), value("a", "{"), key("b"), value("b", "")},
		`{}`:                      {key("alone")},
	} {
		tree := format.JSON{Tree: &wire.Tree{Nodes: nodes}}
		for i := range nodes {
			nodes[i].Next = int32(i + 1)
		}
		if got := string(tree.AppendFields(nil)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
