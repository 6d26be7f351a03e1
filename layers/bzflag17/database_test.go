package bzflag17_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/print"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/bzflag17"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag/bzmap"
)

// TestWorld reads world databases, compares their trees with the expected ones, and writes the databases again.
func TestWorld(t *testing.T) {
	dir := filepath.Join(samples, "worlds")
	worlds, err := wiretest.Samples(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range worlds {
		t.Run(s.Name, func(t *testing.T) {
			var b wire.Base
			var w bzflag17.World
			decodeErr := b.Decode(&w, s.Data, gopacket.NilDecodeFeedback)
			checkWorldTree(t, &b, &w, decodeErr, filepath.Join(dir, s.Name+".tree"))
			if decodeErr != nil {
				return
			}
			b.Body = &w
			buf := gopacket.NewSerializeBuffer()
			if err := b.Encode(&w, buf, gopacket.SerializeOptions{FixLengths: true}); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(buf.Bytes(), s.Data) {
				t.Error("the written database differs from the one that was read")
			}
		})
	}
}

func checkWorldTree(t *testing.T, b *wire.Base, w *bzflag17.World, err error, name string) {
	t.Helper()
	var tree wire.Tree
	b.Annotate(w, &tree)
	got := fmt.Appendf(nil, "%d blocks\n", len(w.Blocks))
	if err != nil {
		got = fmt.Appendf(got, "error: %v\n", err)
	}
	printer := print.Printer{All: true}
	got = printer.Append(got, &tree, b.Contents, b.Findings())
	wiretest.Golden(t, name, got)
}

// TestMap writes worlds as map files and as pictures. Some of the worlds are malformed.
func TestMap(t *testing.T) {
	dir := filepath.Join(samples, "worlds")
	worlds, err := wiretest.Samples(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range worlds {
		t.Run(s.Name, func(t *testing.T) {
			w, _ := bzflag17.ReadWorld(s.Data)
			var text bzmap.Text
			w.WriteMap(&text)
			plan := bzmap.Plan{Title: s.Name}
			w.Draw(&plan)
			wiretest.Golden(t, filepath.Join(dir, s.Name+".bzw"), text.Bytes())
			wiretest.Golden(t, filepath.Join(dir, s.Name+".svg"), plan.SVG())
		})
	}
}

// TestWorldShort truncates worlds at every byte. The fields must still cover all bytes before the cut.
func TestWorldShort(t *testing.T) {
	worlds, err := wiretest.Samples(filepath.Join(samples, "worlds"))
	if err != nil {
		t.Fatal(err)
	}
	var b wire.Base
	var w bzflag17.World
	var tree wire.Tree
	for _, s := range worlds {
		for n := range s.Data {
			_ = b.Decode(&w, s.Data[:n], gopacket.NilDecodeFeedback)
			b.Annotate(&w, &tree)
			end := 0
			for i := range tree.Nodes {
				if node := &tree.Nodes[i]; !node.Composite() && !node.Computed {
					if int(node.Off) != end {
						t.Fatalf("%s, %d bytes: %s does not begin at %d", s.Name, n, node.Name, end)
					}
					end = int(node.Off + node.Size)
				}
			}
			if end != n {
				t.Fatalf("%s, %d bytes: the fields end at %d", s.Name, n, end)
			}
		}
	}
}
