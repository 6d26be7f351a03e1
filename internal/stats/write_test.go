package stats

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"testing"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// whole are Stats and a Protocol as encoding/json writes them at once.
type (
	whole         Stats
	wholeProtocol Protocol
)

// TestWriteJSON holds what is written in parts against what encoding/json makes of the same.
func TestWriteJSON(t *testing.T) {
	s := &Stats{
		Packets: 1, Bytes: 2, Recognised: 3, Messages: 4, First: 5, Last: 6, Skipped: map[string]int64{"b": 1, "a": 2},
		Protocols: map[string]*Protocol{"go": {Messages: map[string]*Message{}, Tables: map[string]Table{"none": {}, "all": {}}}},
		Findings:  map[string]*Finding{"go.ko": {Text: "<\u202e\x1b\n  é>"}},
		Others:    make([]Other, 500), Full: map[string]uint64{"endpoints": 7},
		Conversations: map[ConversationKey]*Conversation{{}: {Protocol: "go"}}, Endpoints: map[EndpointKey]*Endpoint{},
		Senders: map[Sender]*Broken{{"go.ko", netip.MustParseAddrPort("[::1]:1")}: {Count: 1}},
	}
	for i := range 500 {
		at := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), uint16(i))
		s.Endpoints[EndpointKey{wire.UDP, at}] = &Endpoint{Protocol: "go"}
		s.Protocols["go"].Tables["all"][RowKey{Server: at, Who: fmt.Sprintf("\"é&%d", i)}] = &Row{}
		s.Protocols["go"].Messages[fmt.Sprint("m", i)] = &Message{Sizes: Histogram{Buckets: []Bucket{}}}
	}
	for _, pair := range []struct{ parts, whole any }{
		{s, (*whole)(s)},
		{s.Protocols["go"], (*wholeProtocol)(s.Protocols["go"])},
		{&Stats{}, &whole{Protocols: map[string]*Protocol{}, Conversations: map[ConversationKey]*Conversation{},
			Endpoints: map[EndpointKey]*Endpoint{}, Findings: map[string]*Finding{}, Senders: map[Sender]*Broken{}}},
	} {
		want, err := json.MarshalIndent(pair.whole, "", "  ")
		got, err2 := json.MarshalIndent(pair.parts, "", "  ")
		if err != nil || err2 != nil || !bytes.Equal(got, want) {
			t.Fatalf("%v, %v: got\n%s\nwant\n%s", err, err2, got, want)
		}
		if s, ok := pair.parts.(*Stats); ok {
			var p pieces
			if err := s.WriteJSON(&p); err != nil || !bytes.Equal(p.all, want) || p.largest > 2*pieceSize || p.broken {
				t.Fatalf("%v, a piece of %d bytes, broken: %v; got\n%s\nwant\n%s", err, p.largest, p.broken, p.all, want)
			}
		}
	}
	if err := s.WriteJSON(failing{}); !errors.Is(err, errFull) {
		t.Error(err)
	}
}

// pieces are what was written.
type pieces struct {
	all     []byte
	largest int
	broken  bool // inside a character
}

func (p *pieces) Write(b []byte) (int, error) {
	p.all, p.largest, p.broken = append(p.all, b...), max(p.largest, len(b)), p.broken || !utf8.Valid(b)
	return len(b), nil
}

var errFull = errors.New("full")

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }
