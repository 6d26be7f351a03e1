package world_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/print"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/bzflag24/world"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag/bzmap"
)

// TestWorld reads world databases and compares their trees, map files and pictures with golden files.
func TestWorld(t *testing.T) {
	for _, s := range worlds(t) {
		t.Run(s.Name, func(t *testing.T) {
			w := world.Read(s.Data)
			if w.Err != nil {
				t.Fatal(w.Err)
			}
			var text bzmap.Text
			m := readMap(t, w)
			m.WriteMap(&text)
			plan := bzmap.Plan{Title: s.Name}
			m.Draw(&plan)
			wiretest.Golden(t, filepath.Join(samples, s.Name+".bzw"), text.Bytes())
			wiretest.Golden(t, filepath.Join(samples, s.Name+".svg"), plan.SVG())
			wiretest.Golden(t, filepath.Join(samples, s.Name+".tree"), tree(t, w))
			checkContent(t, w)
		})
	}
}

const samples = "../../../testdata/bzflag24/worlds"

func worlds(t testing.TB) []*wiretest.Sample {
	t.Helper()
	list, err := wiretest.Samples(samples)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// readMap reads the map of a complete database.
func readMap(t testing.TB, w *world.Database) *world.Map {
	t.Helper()
	m, err := w.ReadMap()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func tree(t *testing.T, w *world.Database) []byte {
	t.Helper()
	var b wire.Base
	if err := b.Decode(w, w.Raw, gopacket.NilDecodeFeedback); err != nil {
		t.Fatal(err)
	}
	var nodes wire.Tree
	b.Annotate(w, &nodes)
	return (&print.Printer{All: true}).Append(nil, &nodes, w.Raw, nil)
}

// checkContent encodes the content again and checks that the bytes are equal.
func checkContent(t *testing.T, w *world.Database) {
	t.Helper()
	m := readMap(t, w)
	b := wire.Base{Body: m}
	buf := gopacket.NewSerializeBuffer()
	if err := b.Encode(m, buf, gopacket.SerializeOptions{FixLengths: true}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(buf.Bytes(), w.Content) {
		t.Errorf("encoding changes the content: %d bytes instead of %d", len(buf.Bytes()), len(w.Content))
	}
}

// database returns content with a database's frame around it.
func database(content []byte, announced int) []byte {
	var deflated bytes.Buffer
	z := zlib.NewWriter(&deflated)
	_, _ = z.Write(content)
	_ = z.Close()
	b := []byte("\x00\x0ahe\x00\x01")
	b = binary.BigEndian.AppendUint32(b, uint32(announced))
	b = binary.BigEndian.AppendUint32(b, uint32(deflated.Len()))
	b = append(b, deflated.Bytes()...)
	return append(b, "\x00\x00ed"...)
}

// empty is an empty world: five lists, the world's name and lists, two lists, no water, two lists.
var empty = slicesOf(make([]byte, 5*4), make([]byte, 4+11*4), make([]byte, 2*4), []byte{0xbf, 0x80, 0, 0}, make([]byte, 2*4))

func slicesOf(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func TestWorldErrors(t *testing.T) {
	whole := database(empty, len(empty))
	if w := world.Read(whole); w.Err != nil {
		t.Fatal(w.Err)
	}
	many := bytes.Clone(empty)
	many[3] = 200
	last := bytes.Clone(empty)
	last[len(last)-1] = 3
	zone := bytes.Clone(empty)
	zone[len(zone)-1] = 1
	zone = append(zone, make([]byte, 28)...)
	zone = append(zone, 0, 14, 0, 0, 0, 0)
	for _, c := range []wrongWorld{
		{"nothing", "ends too early", nil},
		{"half a database", "compressed bytes are announced", whole[:len(whole)/2]},
		{"no frame", `begins with "xx"`, append([]byte("\x00\x0axx"), whole[4:]...)},
		{"a later map", "map version 2", append([]byte("\x00\x0ahe\x00\x02"), whole[6:]...)},
		{"no end", `ends with "xx"`, append(bytes.Clone(whole[:len(whole)-2]), "xx"...)},
		{"a byte after the end", "1 byte left over", append(bytes.Clone(whole), 0)},
		{"not deflated", "cannot be inflated", append(append([]byte("\x00\x0ahe\x00\x01\x00\x00\x00\x05\x00\x00\x00\x04"), "junk"...), "\x00\x00ed"...)},
		{"less content than announced", "84 bytes of content are announced, there are 83", database(empty[:83], 84)},
		{"more content than announced", "83 bytes of content are announced, there are 84", database(empty, 83)},
		{"no content", "the content cannot be read", database(nil, 0)},
		{"a bomb", "at most 104300 are read from 1043 deflated bytes", database(make([]byte, 1<<20), 1<<31)},
		{"a list too long", "200 dynamic_colors are announced", database(many, len(many))},
		{"a list at the end", "3 zones are announced, there are 0", database(last, len(last))},
		{"a list in the last zone", "14 flags are announced, there are 0", database(zone, len(zone))},
		{"a bomb with a small announced size", "8 bytes of content are announced, there are 9", database(make([]byte, 1<<20), 8)},
		{"more content than is read", "at most 8388608 are read", database(noise(9<<20), 9<<20)},
		{"content left", "2 bytes of the content left over", database(append(bytes.Clone(empty), 1, 2), len(empty)+2)},
	} {
		c.check(t)
	}
}

// noise returns random content, which hardly deflates.
func noise(size int) []byte {
	b := make([]byte, size)
	random := rand.NewChaCha8([32]byte{})
	_, _ = random.Read(b)
	return b
}

// If a Map would take too much memory, ReadMap reads only a part of it. Read still checks the whole database, because
// it does not store the Map.
func TestMapIsBounded(t *testing.T) {
	const links = 900_000
	content := slicesOf(empty[:5*4+4+11*4+4], binary.BigEndian.AppendUint32(nil, links), make([]byte, 8*links),
		[]byte{0xbf, 0x80, 0, 0}, make([]byte, 2*4))
	raw := database(content, len(content))
	unused := make([]byte, len(content)/100) // compressed bytes after the content, which keep the ratio low
	binary.BigEndian.PutUint32(raw[10:], binary.BigEndian.Uint32(raw[10:])+uint32(len(unused)))
	w := world.Read(slices.Insert(raw, len(raw)-4, unused...))
	if w.Err != nil {
		t.Fatal(w.Err)
	}
	m, err := w.ReadMap()
	if n := len(m.Links); !errors.Is(err, wire.ErrTooMany) || n < 100_000 || n > links/2 {
		t.Errorf("%d links were read: %v", n, err)
	}
}

// wrongWorld is an invalid world, with the text of its error.
type wrongWorld struct {
	name, want string
	raw        []byte
}

func (c *wrongWorld) check(t *testing.T) {
	w := world.Read(c.raw)
	if w.Err == nil || !strings.Contains(w.Err.Error(), c.want) {
		t.Errorf("%s: %v, want %q", c.name, w.Err, c.want)
	}
	if len(w.Content) > 17<<20 {
		t.Errorf("%s: %d bytes were inflated", c.name, len(w.Content))
	}
}

// FuzzWorld checks that any content can be read, written to a map file and drawn without a panic. If Read finds no
// error, encoding must produce the same bytes.
func FuzzWorld(f *testing.F) {
	for _, s := range worlds(f) {
		f.Add(world.Read(s.Data).Content)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		w := world.Read(database(content, len(content)))
		if w.Err == nil {
			checkContent(t, w)
		}
		m, _ := w.ReadMap()
		if m == nil {
			return
		}
		var text bzmap.Text
		m.WriteMap(&text)
		for line := range bytes.Lines(text.Bytes()) {
			for _, x := range bytes.TrimRight(line, "\n") {
				if x < ' ' || x > '~' {
					t.Fatalf("%q in the map file", line)
				}
			}
		}
		var plan bzmap.Plan
		m.Draw(&plan)
		plan.SVG()
	})
}
