package wire_test

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Zipped is a layer that compresses long messages.
type Zipped struct {
	toy
	Size uint32 // size of the uncompressed message; 0 if it is not compressed
	Data []byte // the compressed message
}

var (
	sealedType     = &wire.MessageType{Name: "Sealed", Body: wire.Like(toyBody{})}
	plainType      = &wire.MessageType{Name: "Plain", Body: wire.Like(Greeting{})}
	zippedMessages = wire.NewMessages(sealedType, plainType)
)

func newZipped() *Zipped {
	l := new(Zipped)
	l.toy.walk, l.chooses = l.walk, true
	return l
}

func (l *Zipped) walk(c *wire.Cursor) {
	l.Use(c, zippedMessages, sealedType)
	wire.Uvarint(c, "size", &l.Size)
	if c.When(l.Size > 0) {
		wire.Rest(c, "data", &l.Data)
		c.Inside(c.Unpack("message", wire.Zlib, l.Data), l.walkMessage)
	} else {
		l.walkMessage(c)
	}
}

// walkMessage walks an uncompressed message.
func (l *Zipped) walkMessage(c *wire.Cursor) { l.Use(c, zippedMessages, plainType).Walk(c) }

// zip returns a compressed message in the form of Zipped.
func zip(message []byte) []byte {
	b := bytes.NewBuffer([]byte{1})
	z := zlib.NewWriter(b)
	_, _ = z.Write(message) // writes to a buffer do not fail
	_ = z.Close()
	return b.Bytes()
}

// A compressed message has the name, the fields and the findings of the plain message. The fields and findings have the
// position of the compressed bytes. Writing the message produces the bytes that were read.
func TestInside(t *testing.T) {
	l := newZipped()
	packed := zip([]byte("\x00\x02\x03Bob\x01\x07\x08"))
	if err := l.read(t, packed); err != nil {
		t.Fatal(err)
	}
	if b, ok := l.Body.(*Greeting); !ok || l.Message != plainType || string(b.Name) != "Bob" || len(b.Scores) != 1 {
		t.Fatalf("%v %+v", l.Message, l.Body)
	}
	if f := l.Findings(); len(f) != 1 || f[0].Rule != ruleVersion || f[0].Off != 1 || f[0].Size != len(packed)-1 {
		t.Errorf("%+v", f)
	}
	var tree wire.Tree
	l.Annotate(&l.toy, &tree)
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		if inside := n.Name != "size" && n.Name != "data"; n.Inside != inside || inside && int(n.Off+n.Size) != len(packed) {
			t.Errorf("%+v", n)
		}
	}
	if won := tree.Find("won"); won == nil || won.Num != 7 || won.Depth != 2 {
		t.Errorf("%+v", won)
	}
	if got, err := l.write(t, false); err != nil || !bytes.Equal(got, packed) {
		t.Errorf("written as %x, %v", got, err)
	}
	if l.Inside() != 9 {
		t.Errorf("%d bytes are inside", l.Inside())
	}
	l.Context.Sealed = true
	if err := l.read(t, packed); err != nil || l.Message != sealedType {
		t.Errorf("sealed: %v %v", l.Message, err)
	}
}

// If a message cannot be uncompressed or cannot be read, the error is at the compressed bytes.
func TestInsideFails(t *testing.T) {
	bomb := zip(make([]byte, 4<<20+1))
	for _, c := range []struct {
		name    string
		data    []byte
		missing int
		want    error
		message *wire.MessageType
	}{
		{"cut inside", zip([]byte("\x00\x03\x03Bo")), 0, wire.ErrShort, plainType},
		{"noise", []byte("\x01nonsense"), 0, wire.ErrPacked, sealedType},
		{"a bomb", bomb, 0, wire.ErrPacked, sealedType},
		{"cut off", bomb[:100], 0, wire.ErrPacked, sealedType},
		{"cut off by the snap length", bomb[:100], 50, wire.ErrShort, sealedType},
	} {
		l := newZipped()
		l.Context.Missing = c.missing
		err := l.read(t, c.data)
		if !errors.Is(err, c.want) || err.Offset != 1 || l.Message != c.message || l.Inside() > 4<<20 {
			t.Errorf("%s: %v is %v, %d bytes inside", c.name, l.Message, err, l.Inside())
		}
		var tree wire.Tree
		l.Annotate(&l.toy, &tree)
		if last := &tree.Nodes[len(tree.Nodes)-1]; int(last.Off+last.Size) != len(c.data) {
			t.Errorf("%s: the tree ends with %+v", c.name, last)
		}
	}
}

func TestDeflate(t *testing.T) {
	var b bytes.Buffer
	z, _ := flate.NewWriter(&b, flate.BestSpeed)
	_, _ = io.WriteString(z, "text")
	_ = z.Close()
	var text []byte
	readWhole(t, b.Bytes(), func(c *wire.Cursor) {
		var data []byte
		wire.Rest(c, "data", &data)
		c.Inside(c.Unpack("text", wire.Deflate, data), func(c *wire.Cursor) { wire.Rest(c, "text", &text) })
	})
	if string(text) != "text" {
		t.Errorf("%q", text)
	}
}

// The parts of a message may arrive in any order and repeatedly, mixed with parts of other messages. When all parts
// have arrived, the message is joined. The test compares the result with a table of all parts.
func TestParts(t *testing.T) {
	const messages, total = 8, 4
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 0))
		var parts wire.Parts
		arrived := make(map[uint64]map[int]bool)
		for range 200 {
			id, number := random.Uint64N(messages), random.IntN(total)
			text := strings.Repeat(string(rune('a'+id)), number+1)
			var whole []byte
			readWhole(t, []byte(text), func(c *wire.Cursor) {
				before := parts
				parts, whole = parts.Join(c, id, number, total, []byte(text))
				if _, again := before.Join(c, id, number, total, []byte(text)); !bytes.Equal(again, whole) {
					t.Fatalf("%q, and again %q", whole, again) // making the tree joins the same part again
				}
				wire.Rest(c, "data", new([]byte))
			})
			if arrived[id] == nil {
				arrived[id] = make(map[int]bool)
			}
			arrived[id][number] = true
			want := ""
			if len(arrived[id]) == total {
				want = strings.Repeat(string(rune('a'+id)), 1+2+3+4)
				delete(arrived, id)
			}
			if string(whole) != want {
				t.Fatalf("seed %d: joined %q, want %q", seed, whole, want)
			}
		}
	}
}

// If a part arrives again with other bytes, it belongs to a later message. Incomplete messages do not accumulate.
func TestPartsAreBounded(t *testing.T) {
	var parts wire.Parts
	join := func(id uint64, number, total int, data string) (whole []byte) {
		readWhole(t, nil, func(c *wire.Cursor) { parts, whole = parts.Join(c, id, number, total, []byte(data)) })
		return whole
	}
	join(1, 0, 3, "old ")
	join(1, 1, 3, "old ")
	join(1, 0, 3, "new ")
	if got := join(1, 2, 3, "part"); got != nil {
		t.Errorf("%q mixes two messages", got)
	}
	if got := join(1, 1, 3, "whole "); string(got) != "new whole part" || parts.Held() != 0 {
		t.Errorf("%q, %d bytes kept", got, parts.Held())
	}
	for _, number := range []int{-1, 2, 64} {
		if join(1, number, min(number, 2), "x"); parts.Held() != 0 {
			t.Errorf("number %d is kept", number)
		}
	}
	for id := range uint64(300) {
		join(id, 0, 2, strings.Repeat("x", 60000))
		if parts.Held() > 1<<20+10000 {
			t.Fatalf("%d bytes kept", parts.Held())
		}
	}
	if got := join(299, 1, 2, "y"); len(got) != 60001 {
		t.Errorf("the newest part was dropped: %d bytes", len(got))
	}
	for id := range uint64(300) {
		join(id, 0, 2, "")
	}
	if n := parts.Held(); n > 10000 {
		t.Errorf("%d bytes kept", n)
	}
}

// If a state uses memory, its size is reported to the budget.
func TestStateHeld(t *testing.T) {
	kept := slices.Collect(func(yield func(int) bool) {
		for range 2 {
			l := newParted()
			_ = l.DecodeFromBytes([]byte("a part"), gopacket.NilDecodeFeedback)
			yield(wire.Keep(l).(interface{ Held() int }).Held())
			l.Before = l.After
			yield(wire.Keep(l).(interface{ Held() int }).Held())
		}
	})
	if kept[0] != 0 || kept[1] < len("a part") || !slices.Equal(kept[:2], kept[2:]) {
		t.Errorf("%v bytes", kept)
	}
}

// parted is a layer whose state contains parts of messages.
type parted struct {
	toy
	wire.State[wire.Parts]
}

func newParted() *parted {
	l := new(parted)
	l.toy.walk = func(c *wire.Cursor) {
		var data []byte
		wire.Rest(c, "data", &data)
		l.After, _ = l.Before.Join(c, 0, 0, 2, data)
	}
	return l
}
