package bzflag

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

var (
	toyRows = []Row{
		NewRow('a'<<8|'a', "Both", wire.ToServer, Exactly(2), wire.Like(wire.Empty{})),
		NewRow('a'<<8|'a', "Both", wire.FromServer, Exactly(4), wire.Like(wire.Empty{})).InParts(),
		NewRow('b'<<8|'b', "Peers", wire.Unknown, Between(1, 3), wire.Like(wire.Empty{})).Anytime(),
		NewRow('c'<<8|'c', "List", wire.FromServer, Each(1, 3), wire.Like(wire.Empty{})).Sized(toyListSize),
		NewRow('d'<<8|'d', "Either", wire.ToServer, Either(1, 5), wire.Like(wire.Empty{})),
		NewRow('e'<<8|'e', "Alike", wire.ToServer, Exactly(1), wire.Like(wire.Empty{})),
		NewRow('e'<<8|'e', "Alike", wire.FromServer, Exactly(1), wire.Like(wire.Empty{})),
		NewRow('N'<<8|'f', "Other", wire.FromServer, Exactly(0), wire.Like(wire.Empty{})),
		NewRow(CodePingRequest, "Ping", wire.ToServer, Exactly(2), wire.Like(wire.Empty{})),
		NewRow(CodeNull, "Null", wire.Unknown, Between(0, MaxBody), wire.Like(wire.Empty{})),
	}
	toyTable, toyTypes = toyTables()

	toyFraming = &Framing{
		Table:          toyTable,
		Unknown:        &Variant{MessageType: &wire.MessageType{Name: "Unknown"}, Lengths: Between(0, MaxBody)},
		GreetingLength: toyGreeting,
		RuleLength:     &wire.Rule{ID: "length"}, RuleTooLong: &wire.Rule{ID: "too-long"},
		RuleCode: &wire.Rule{ID: "code"}, RuleDirection: &wire.Rule{ID: "direction"},
	}
)

func toyTables() (*Table, []*wire.MessageType) {
	table, types := NewTable(toyRows)
	table.Make('b'<<8 | 'b').Peers = true
	return table, types
}

// toyListSize returns the size of a list. It needs the first two bytes of the body.
func toyListSize(body []byte) int {
	if len(body) < 2 {
		return -1
	}
	return 1 + 3*int(body[0])
}

func toyGreeting(way wire.Direction, data []byte) int {
	if way != wire.ToServer && bytes.HasPrefix(data, []byte("HELO")) {
		return 6
	}
	return 0
}

// toyMessage is a layer that walks only the header.
type toyMessage struct {
	wire.Base
	Header
	framing *Framing
	read    *wire.MessageType
	body    wire.Direction // direction whose layout the body has
	rest    []byte
}

func (m *toyMessage) Walk(c *wire.Cursor) {
	var way wire.Direction
	m.read, way = m.framing.WalkHeader(c, &m.Header, m.read)
	m.body = c.Direction()
	wire.Rest(c, "rest", &m.rest)
	c.SetDirection(way)
}

// message returns a header and a body.
func message(code string, length int, body ...byte) []byte {
	return append(append([]byte{byte(length >> 8), byte(length)}, code...), body...)
}

func TestWalkHeader(t *testing.T) {
	const unknown, up, down, peers = wire.Unknown, wire.ToServer, wire.FromServer, wire.PeerToPeer
	for _, c := range []struct {
		name     string
		data     []byte
		way      wire.Direction
		want     string // message, its direction, the direction of its layout, its length
		findings string
	}{
		{"to the server", message("aa", 2, 0, 0), up, "Both up up 6", ""},
		{"from the server", message("aa", 4, 0, 0, 0, 0), down, "Both down down 8", ""},
		{"direction by the length", message("aa", 2, 0, 0), unknown, "Both up up 6", ""},
		{"the other direction by the length", message("aa", 4, 0, 0, 0, 0), unknown, "Both down down 8", ""},
		{"a length that fits neither direction", message("aa", 1, 0), unknown, "Both unknown up 5", "length 0-2 length is 1, Both to the server has 2"},
		{"a length above both", message("aa", 5, 0, 0, 0, 0, 0), unknown, "Both unknown down 9",
			"length 0-2 length is 5, Both from the server has 4"},
		{"the same length in both directions", message("ee", 1, 0), unknown, "Alike unknown up 5", ""},
		{"both ways", message("bb", 3, 0, 0, 0), up, "Peers up up 7", ""},
		{"between players", message("bb", 1, 0), peers, "Peers peers peers 5", ""},
		{"between players, with more bytes", message("bb", 1, 0, 0), peers, "Peers peers peers 6",
			"length 0-2 length is 1, 2 bytes follow the header"},
		{"not between players", message("aa", 2, 0, 0), peers, "Both peers up 6", "direction 2-4 Both does not go from player to player"},
		{"in the wrong direction", message("cc", 1, 0), up, "List up down 5",
			"length 0-2 length is 1, but the content takes more, direction 2-4 List does not go to the server"},
		{"in the wrong direction, from the server", message("dd", 1, 0), down, "Either down up 5", "direction 2-4 Either does not go from the server"},
		{"a list", message("cc", 4, 1, 0, 0, 0), down, "List down down 8", ""},
		{"a list of another size", message("cc", 4, 2, 0, 0, 0), down, "List down down 8",
			"length 0-2 length is 4, but the content takes 7"},
		{"half an element", message("cc", 3, 1, 0, 0), down, "List down down 7",
			"length 0-2 length is 3, List from the server has 1 plus any multiple of 3"},
		{"neither of two lengths", message("dd", 2, 0, 0), up, "Either up up 6", "length 0-2 length is 2, Either to the server has 1 or 5"},
		{"the second of two lengths", message("dd", 5, 0, 0, 0, 0, 0), up, "Either up up 9", ""},
		{"above the maximum length", message("bb", 4, 0, 0, 0, 0), down, "Peers down down 8", "length 0-2 length is 4, Peers has 1 to 3"},
		{"a short datagram", message("bb", 3, 0), down, "Peers down down 5", "length 0-2 length is 3, 1 bytes follow the header"},
		{"the maximum length", message("\x00\x00", MaxBody, make([]byte, MaxBody)...), up, "Null up up 1024",
			"code 2-4 code 0000 is undefined"},
		{"too long", message("bb", MaxBody+1, make([]byte, MaxBody+1)...), up, "Peers up up 1025",
			"too-long 0-2 length is 1021, at most 1020 are possible"},
		{"an unknown code", message("zz", 1, 0, 0), up, "Unknown up up 5", "code 2-4 code zz is undefined"},
		{"a code with a capital letter", message("Nf", 0), down, "Other down down 4", ""},
		{"a ping", message("\x04\x04", 2, 0, 0), down, "Ping up up 6", ""},
		{"half a header", []byte{0, 2, 'a'}, up, "Unknown up up 3", "length 0-3 3 bytes cannot hold a length and a code"},
	} {
		m := toyMessage{framing: toyFraming}
		m.Context.Direction = c.way
		_ = m.Decode(&m, c.data, gopacket.NilDecodeFeedback)
		words := map[wire.Direction]string{unknown: "unknown", up: "up", down: "down", peers: "peers"}
		got := fmt.Sprintf("%s %s %s %d", m.read.Name, words[m.Direction], words[m.body], len(m.Contents))
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		var findings []string
		for _, f := range m.Findings() {
			findings = append(findings, fmt.Sprintf("%s %d-%d %s", f.Rule.ID, f.Off, f.Off+f.Size, f.Text))
		}
		if got := strings.Join(findings, ", "); got != c.findings {
			t.Errorf("%s: %q, want %q", c.name, got, c.findings)
		}
	}
}

// TestWalkHeaderWritten checks that a written body has the layout of its message, unless the code belongs to another
// message.
func TestWalkHeaderWritten(t *testing.T) {
	for code, want := range map[Code]wire.Direction{'c'<<8 | 'c': wire.FromServer, 'a'<<8 | 'a': wire.ToServer} {
		m := toyMessage{framing: toyFraming, read: toyRows[3].Variant.MessageType, Header: Header{Length: 1, Code: code}}
		m.Context.Direction, m.Body = wire.ToServer, new(wire.Empty)
		buf := gopacket.NewSerializeBuffer()
		if err := m.Encode(&m, buf, gopacket.SerializeOptions{}); err != nil {
			t.Fatal(err)
		}
		if got, bytes := hex.EncodeToString(buf.Bytes()), fmt.Sprintf("0001%04x", uint16(code)); m.body != want || got != bytes {
			t.Errorf("%s: layout of direction %d, bytes %s, want %d and %s", code, m.body, got, want, bytes)
		}
	}
}

// TestVersionFunctions tests a Framing with its own Lookup, BodyLength and CheckLength.
func TestVersionFunctions(t *testing.T) {
	own := *toyFraming
	own.Lookup = func(h Header, d wire.Dialect) *ByCode {
		if d == wire.Document {
			return nil
		}
		return toyTable.Get(h.Code | 0x2020)
	}
	own.BodyLength = func(h Header) int { return int(h.Length) - HeaderSize }
	own.CheckLength = func(c *wire.Cursor, h Header, v *Variant) {
		c.ReportRange(own.RuleLength, 0, 2, "%s has %d", v.Name, h.Length)
	}
	for dialect, want := range map[wire.Dialect]string{
		wire.Wire: "Both 6 [Both has 6]", wire.Document: "Unknown 6 [code AA is undefined Unknown has 6]",
	} {
		m := toyMessage{framing: &own}
		m.Context.Direction, m.Context.Dialect = wire.ToServer, dialect
		_ = m.Decode(&m, message("AA", 6, 0, 0, 0), gopacket.NilDecodeFeedback)
		var texts []string
		for _, f := range m.Findings() {
			texts = append(texts, f.Text)
		}
		if got := fmt.Sprint(m.read.Name, " ", len(m.Contents), " ", texts); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if !own.LengthFits(wire.ToServer, message("AA", 2)) {
		t.Error("LengthFits does not call Lookup")
	}
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		name string
		data []byte
		way  wire.Direction
		n    int
		ok   bool
	}{
		{"half a header", []byte{0, 2, 'a'}, wire.ToServer, 0, true},
		{"a header", message("aa", 2), wire.ToServer, 6, true},
		{"a greeting", []byte("HELO"), wire.FromServer, 6, true},
		{"no greeting", []byte("HELO"), wire.ToServer, 4 + 'H'<<8 + 'E', false},
		{"the maximum length", message("aa", MaxBody), wire.ToServer, 1024, true},
		{"too long", message("aa", MaxBody+1), wire.ToServer, 1025, false},
		{"an unknown code", message("zz", 1), wire.ToServer, 5, false},
		{"a ping", message("\x04\x04", 2), wire.ToServer, 6, false},
		{"never sent", message("\x00\x00", 2), wire.ToServer, 6, false},
	} {
		n, ok := toyFraming.Split(c.way, c.data)
		if next := toyFraming.Next(c.way, c.data, false, nil); n != c.n || ok != c.ok || next != n {
			t.Errorf("%s: %d, %t, next %d, want %d, %t", c.name, n, ok, next, c.n, c.ok)
		}
	}
}

func TestPlausible(t *testing.T) {
	both, list := message("aa", 2, 0, 0), message("cc", 4, 1, 0, 0, 0)
	for _, c := range []struct {
		name   string
		data   []byte
		way    wire.Direction
		n      int
		broken bool
	}{
		{"nothing", nil, wire.Unknown, 0, false},
		{"two and the beginning of another", bytes.Join([][]byte{both, both, both[:5]}, nil), wire.ToServer, 2, false},
		{"one, and less than a header", append(both, 0, 2, 'a'), wire.ToServer, 1, false},
		{"a greeting and one", append([]byte("HELO__"), list...), wire.FromServer, 2, false},
		{"an unknown code", append(both, message("zz", 0)...), wire.ToServer, 1, true},
		{"a length that no message has", message("aa", 3, 0, 0, 0), wire.ToServer, 0, true},
		{"in the wrong direction", both, wire.FromServer, 0, true},
		{"not between players", both, wire.PeerToPeer, 0, true},
		{"a list of another size", message("cc", 4, 2, 0, 0, 0), wire.FromServer, 0, true},
		{"half a list", message("cc", 4, 2), wire.FromServer, 0, false},
	} {
		if n, broken := wire.CountPlausible(toyFraming, c.way, c.data); n != c.n || broken != c.broken {
			t.Errorf("%s: %d, %t, want %d, %t", c.name, n, broken, c.n, c.broken)
		}
	}
}

func TestProbeStream(t *testing.T) {
	one := message("aa", 2, 0, 0)
	two := bytes.Repeat(one, 2)
	for _, c := range []struct {
		name  string
		probe wire.Probe
		data  []byte
		want  wire.Verdict
	}{
		{"two", wire.Probe{}, two, wire.Verdict{Confidence: wire.Likely}},
		{"two, to the port", wire.Probe{ToPort: true}, two, wire.Verdict{Confidence: wire.Likely, Direction: wire.ToServer}},
		{"two, and something else", wire.Probe{}, append(two, "GET / HTTP/1.1"...), wire.Verdict{Confidence: wire.Likely}},
		{"one", wire.Probe{}, one, wire.Verdict{Confidence: wire.Maybe}},
		{"one, known", wire.Probe{Known: true}, one, wire.Verdict{Confidence: wire.Likely}},
		{"one, expected", wire.Probe{ToExpected: true}, one, wire.Verdict{Confidence: wire.Likely, Direction: wire.ToServer}},
		{"one, expected back", wire.Probe{FromExpected: true}, one,
			wire.Verdict{Confidence: wire.Likely, Direction: wire.FromServer}},
		{"one, and something else", wire.Probe{}, append(one, "GET / HTTP/1.1"...), wire.Verdict{}},
		{"something else, known", wire.Probe{Known: true}, []byte("GET / HTTP/1.1"), wire.Verdict{}},
		{"nothing", wire.Probe{}, nil, wire.Verdict{Confidence: wire.Maybe}},
	} {
		c.probe.Datagram = &wire.Datagram{Payload: c.data}
		if got := toyFraming.ProbeStream(&c.probe); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestTable(t *testing.T) {
	if len(toyTypes) != len(toyRows) || toyTypes[3].Name != "List" || toyTypes[3].Code != "cc" {
		t.Errorf("%d messages", len(toyTypes))
	}
	for _, r := range toyRows {
		k := toyTable.Get(r.Code)
		if k == nil || k.ToServer != r.Variant && k.FromServer != r.Variant {
			t.Errorf("%s is not in the table", r.Code)
		}
		if made := toyTable.Make(r.Code); made != k {
			t.Errorf("Make adds %s twice", r.Code)
		}
	}
	for _, code := range []Code{'a'<<8 | 'b', 'a'<<8 | '{', '`'<<8 | 'a', '{'<<8 | 'a', 'a'<<8 | '`', 0xffff} {
		if toyTable.Get(code) != nil {
			t.Errorf("%s is in the table", code)
		}
	}
	if parts, anytime := toyTypes[1].Recurs, toyTypes[2].Recurs; parts != wire.InParts || anytime != wire.Anytime {
		t.Errorf("recurrence is %d and %d", parts, anytime)
	}
}

func TestCodeString(t *testing.T) {
	for code, want := range map[Code]string{
		'a'<<8 | 'b': "ab", 0x0404: "0404", '!'<<8 | '~': "!~", ' '<<8 | 'a': "2061", 'a'<<8 | 0x7f: "617f",
	} {
		if got := code.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestLengths(t *testing.T) {
	for _, c := range []struct {
		lengths Lengths
		text    string
		fit     []int
		not     []int
	}{
		{Exactly(2), "2", []int{2}, []int{0, 1, 3}},
		{Between(1, 3), "1 to 3", []int{1, 2, 3}, []int{0, 4}},
		{Either(2, 5), "2 or 5", []int{2, 5}, []int{0, 3, 4, 6}},
		{Each(1, 3), "1 plus any multiple of 3", []int{1, 4, 1018}, []int{0, 2, 3, 1020, 1021}},
	} {
		if got := c.lengths.String(); got != c.text {
			t.Errorf("%q, want %q", got, c.text)
		}
		for _, n := range c.fit {
			if !c.lengths.Fits(n) {
				t.Errorf("%s: %d does not fit", c.text, n)
			}
		}
		for _, n := range c.not {
			if c.lengths.Fits(n) {
				t.Errorf("%s: %d fits", c.text, n)
			}
		}
	}
}

// TestHasHeader distinguishes headers from the beginnings of messages without a header.
func TestHasHeader(t *testing.T) {
	for data, want := range map[string]bool{
		"\x00\x1bps": true, "\x03\xfcwg": true, "\x00\x00gm": true,
		"BZFLAG\r\n\r\n": false, "BZFS0221\x03": false, "BZFS107b": false, "banned for ever": false, "GET / HTTP/1.0": false,
		"HTTP/1.1 200 OK": false, "\x00\x1bp": false, "": false, "\x04\x00ps": false,
	} {
		if got := HasHeader([]byte(data)); got != want {
			t.Errorf("%q: %t", data, got)
		}
	}
}
