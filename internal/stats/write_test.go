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
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// These types have no method MarshalJSON, so encoding/json writes them by reflection.
type (
	whole         Stats
	wholeProtocol Protocol
)

// TestWriteJSON compares the output of this package with the output of encoding/json.
func TestWriteJSON(t *testing.T) {
	s := &Stats{
		Packets: 1, Bytes: 2, Recognised: 3, Messages: 4, Begin: 1, First: 5, Last: 6, Skipped: map[string]int64{"b": 1, "a": 2},
		Protocols: map[string]*Protocol{"go": {Messages: map[string]*Message{}, Tables: map[string]Table{"none": {}, "all": {}}}},
		Findings:  map[string]*Finding{"go.ko": {Text: "<\u202e\x1b\n  é>"}},
		Attempts:  make([]*Attempts, 2), Others: make([]Other, 500), Full: map[string]uint64{"endpoints": 7},
		Conversations: map[ConversationKey]*Conversation{{}: {Protocol: "go"}}, Endpoints: map[EndpointKey]*Endpoint{},
		Senders: map[Sender]*Broken{{"go.ko", netip.MustParseAddrPort("[::1]:1")}: {Count: 1}},
	}
	for i := range s.Attempts {
		s.Attempts[i] = &Attempts{Kind: "games", Count: int64(i), Cases: []AttemptCase{{Who: "<Ann>"}}}
	}
	for i := range 500 {
		at := wiretest.Host(10, i, uint16(i))
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

// pieces is a writer that records what was written.
type pieces struct {
	all     []byte
	largest int
	broken  bool // a piece ends inside a character
}

func (p *pieces) Write(b []byte) (int, error) {
	p.all, p.largest, p.broken = append(p.all, b...), max(p.largest, len(b)), p.broken || !utf8.Valid(b)
	return len(b), nil
}

var errFull = errors.New("full")

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }

// TestJSONForm shows the JSON of rows, conversations, endpoints and findings.
func TestJSONForm(t *testing.T) {
	var s Stats
	for _, v := range []wire.Value{
		{What: "lag", Unit: "s", Number: 0.002}, {What: "map", State: true, Text: "ffa"}, {What: "map", State: true}, {What: "wins", Number: 3},
	} {
		v.Protocol, v.Table, v.Who, v.Server, v.Time = chess, "players", "3 Ann", netip.MustParseAddrPort("10.0.0.1:5154"), s.First
		s.Value(&v)
		s.First++
	}
	for _, test := range []struct {
		of   any
		want string
	}{
		{s.Protocols["chess"].Tables["players"], `{"10.0.0.1:5154 3 Ann":{"server":"10.0.0.1:5154","who":"3 Ann","measured":{` +
			`"lag":{"unit":"ns","numbers":{"count":1,"sum":2000000,"min":2000000,"max":2000000,"buckets":[{"low":1998848,"count":1}]}},` +
			`"map":{"states":[{"ns":1,"text":"ffa"},{"ns":2}],"longest":3},"wins":{"total":3}}}}`},
		{&Conversation{Stream: 7, AB: Side{1, 2}, First: 3, Last: 4, Protocol: "chess"}, `{"protocol":"chess","stream":7,"first_ns":3,` +
			`"last_ns":4,"a_to_b":{"messages":1,"bytes":2},"b_to_a":{"messages":0,"bytes":0}}`},
		{&Conversation{head: head[ConversationKey]{key: ConversationKey{wire.UDP, netip.MustParseAddrPort("10.0.0.1:1"),
			netip.MustParseAddrPort("[fe80::1%a<b]:2")}}}, `{"community_id":"1:LJK1tvSXlS/uk1i99DtZHUDUy28=","transport":"udp",` +
			`"a":"10.0.0.1:1","b":"[fe80::1%a\u003cb]:2","protocol":"","stream":0,"first_ns":0,"last_ns":0,` +
			`"a_to_b":{"messages":0,"bytes":0},"b_to_a":{"messages":0,"bytes":0}}`},
		{&Endpoint{head: head[EndpointKey]{key: EndpointKey{wire.TCP, netip.MustParseAddrPort("[::1]:1")}}, Received: Side{1, 2}},
			`{"transport":"tcp","address":"[::1]:1","protocol":"","sent":{"messages":0,"bytes":0},"received":{"messages":1,"bytes":2}}`},
		{&Finding{Severity: wire.Error, Text: "<\u2028\\\x00é\"\xff"}, `{"severity":2,"count":0,"first_file":"","first_frame":0,` +
			`"first_ns":0,"example":"\u003c\u2028\\\u0000é\"\ufffd","severity_name":"error"}`},
		{&Broken{Severity: wire.Warning, Count: 1}, `{"severity":1,"count":1,"first":{"file":"","frame":0,"ns":0},` +
			`"last":{"file":"","frame":0,"ns":0},"severity_name":"warning"}`},
	} {
		if got, err := json.Marshal(test.of); err != nil || string(got) != test.want {
			t.Errorf("%v:\n%s\nwant\n%s", err, got, test.want)
		}
	}
}
