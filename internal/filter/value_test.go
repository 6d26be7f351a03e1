package filter_test

import (
	"encoding/binary"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// A sheet is a message with one field of each kind.
type sheet struct {
	wire.Base
	Whole  uint64
	Signed int16
	Float  float32
	Choice uint8
	Below  int16
	Flags  uint8
	True   wire.Bool
	Host   [4]byte
	End    [8]byte
	Kind   uint8
	Text   []byte
	Raw    []byte
	Vector [3]float32
	Plain  []uint8
	Rows   []row
}

type row struct{ Number uint8 }

type sheetBody struct{ rest []byte }

func (b *sheetBody) Walk(c *wire.Cursor) { wire.Rest(c, "tail", &b.rest) }

var (
	choices    = wire.Symbols{{Value: 1, Name: "One"}, {Value: 2, Name: "Two"}, {Value: 9, Name: "Nine"}}
	belows     = wire.Symbols{{Value: -2, Name: "Deep"}, {Value: 3, Name: "High"}}
	flags      = wire.Symbols{{Value: 1, Name: "Alive"}, {Value: 4, Name: "Red"}}
	sheetType  = &wire.MessageType{Name: "MsgSheet", Body: wire.Like(sheetBody{}), Answers: []string{"MsgSheet"}}
	sheetTypes = wire.NewMessages(sheetType)
	sheetRule  = &wire.Rule{ID: "quiz.odd", Severity: wire.Warning}
)

func (s *sheet) Walk(c *wire.Cursor) {
	wire.U64(c, "whole", &s.Whole)
	wire.I16(c, "signed", &s.Signed)
	wire.F32(c, "float", &s.Float)
	wire.Enum8(c, "choice", &s.Choice, choices)
	wire.EnumI16(c, "below", &s.Below, belows)
	wire.Bits8(c, "flags", &s.Flags, flags)
	wire.Bool8(c, "true", &s.True)
	wire.IPv4(c, "host", &s.Host)
	wire.IPv4PortNumber(c, "end", &s.End, nil)
	wire.Enum8(c, "kind", &s.Kind, nil)
	wire.Text8(c, "text", &s.Text)
	wire.Slice(c, "raw", &s.Raw, 4)
	wire.Vec3(c, "vector", &s.Vector)
	n := uint8(len(s.Plain))
	wire.Count8(c, "plains", &n, len(s.Plain))
	wire.List(c, "plain", &s.Plain, wire.Count(n), 1, func(p *uint8, c *wire.Cursor) { wire.U8(c, "", p) })
	n = uint8(len(s.Rows))
	wire.Count8(c, "count", &n, len(s.Rows))
	wire.List(c, "rows", &s.Rows, wire.Count(n), 1, func(r *row, c *wire.Cursor) { wire.U8(c, "number", &r.Number) })
	s.Use(c, sheetTypes, sheetType).Walk(c)
}

func (s *sheet) LayerType() gopacket.LayerType     { return gopacket.LayerTypePayload }
func (s *sheet) CanDecode() gopacket.LayerClass    { return gopacket.LayerTypePayload }
func (s *sheet) NextLayerType() gopacket.LayerType { return gopacket.LayerTypeZero }
func (s *sheet) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	return s.Decode(s, data, df)
}
func (s *sheet) SerializeTo(b gopacket.SerializeBuffer, o gopacket.SerializeOptions) error {
	return s.Encode(s, b, o)
}

// quiz is a protocol whose messages are sheets.
var quiz = &wire.Protocol{
	Name: "quiz", UDP: []uint16{7000}, Messages: sheetTypes, Rules: []*wire.Rule{sheetRule},
	New: func() wire.Layer { return new(sheet) },
	Probe: func(p *wire.Probe) wire.Verdict {
		v := wire.Verdict{Confidence: wire.Sure, Direction: wire.ToServer}
		if p.FromPort {
			v.Direction = wire.FromServer
		}
		return v
	},
}

// datagram returns a frame that carries a sheet between two hosts.
func datagram(t testing.TB, s *sheet, fromServer bool, number int, at int64) *decode.Frame {
	t.Helper()
	buf := gopacket.NewSerializeBuffer()
	s.Body = &sheetBody{rest: []byte("end")}
	if err := s.SerializeTo(buf, gopacket.SerializeOptions{FixLengths: true}); err != nil {
		t.Fatal(err)
	}
	src, dst := uint16(4000), uint16(7000)
	hosts := []byte{10, 0, 0, 1, 192, 0, 2, 9}
	if fromServer {
		src, dst = dst, src
		hosts = []byte{192, 0, 2, 9, 10, 0, 0, 1}
	}
	b := append([]byte{0x45, 0, 0, 0, 0, 0, 0, 0, 64, ip.ProtocolUDP, 0, 0}, hosts...)
	b = binary.BigEndian.AppendUint16(b, src)
	b = binary.BigEndian.AppendUint16(b, dst)
	b = binary.BigEndian.AppendUint16(b, uint16(8+len(buf.Bytes())))
	b = append(append(b, 0, 0), buf.Bytes()...)
	binary.BigEndian.PutUint16(b[2:], uint16(len(b)))
	return &decode.Frame{Data: b, Length: len(b), Link: ip.LinkRaw, Number: number, Time: at, File: "a.pcap"}
}

// withSubject calls a function with the subject of a sheet. The sheet answers another sheet that came 250 ms earlier.
func withSubject(t testing.TB, s *sheet, f func(*filter.Subject)) {
	t.Helper()
	history := filter.NewHistory(bounded.NewBudget(1 << 20))
	calls := 0
	const begin = 1_600_000_000_000_000_000
	e := decode.New(decode.Options{Protocols: []*wire.Protocol{quiz}, Message: func(m *decode.Message) {
		if x := history.Message(m); m.Frame == 2 {
			calls++
			f(x)
		}
	}})
	for i, at := range []int64{begin, begin + 250e6} {
		frame := datagram(t, s, i == 1, i+1, at)
		history.Packet(at)
		history.Frame(frame)
		e.Frame(frame)
	}
	e.Close()
	if calls != 1 {
		t.Fatalf("the answer was seen %d times", calls)
	}
}

var example = sheet{
	Whole: 300, Signed: -5, Float: 1.5, Choice: 2, Below: -2, Flags: 5, True: 1,
	Host: [4]byte{10, 1, 2, 3}, End: [8]byte{10, 1, 2, 4, 0, 99, 0, 7},
	Text: []byte("Hello World"), Raw: []byte{1, 2, 0xab, 4}, Vector: [3]float32{1, -2, 3},
	Plain: []uint8{3, 5}, Rows: []row{{7}, {8}, {9}},
}

// TestValues runs filters on a message with known content.
func TestValues(t *testing.T) {
	schema := filter.NewSchema([]*wire.Protocol{quiz})
	truths := `
		quiz.whole == 300; quiz.whole == 0x12c; quiz.whole != 301; quiz.whole > 299; quiz.whole >= 300; quiz.whole < 301; quiz.whole <= 300
		300 == quiz.whole; 299 < quiz.whole; 300 <= quiz.whole; 301 > quiz.whole; 300 >= quiz.whole; quiz.whole > -1; quiz.whole > 299.5
		quiz.signed == -5; quiz.signed < 0; quiz.signed > -6; quiz.signed < quiz.whole; quiz.whole > quiz.signed; quiz.signed <= -5.0
		quiz.float == 1.5; quiz.float > 1; quiz.float < 2; quiz.float >= 1.5; quiz.float < quiz.whole; quiz.signed < quiz.float
		quiz.choice == Two; quiz.choice == "Two"; quiz.choice == 2; quiz.choice > One; quiz.choice < Nine; quiz.choice != One; quiz.choice matches "^tw"
		quiz.choice contains "w"; quiz.choice_name == "Two"; quiz.choice in {One, Two}; quiz.choice not in {One, Nine}; quiz.choice >= 2
		quiz.below == Deep; quiz.below < High; quiz.below == -2; quiz.below < 0; quiz.below contains "ee"; quiz.below matches "^deep$"
		quiz.flags & Alive; quiz.flags & 4; quiz.flags bitand 1; quiz.flags bitwise_and Red; quiz.flags == 5; quiz.flags & 5 == 5
		quiz.flags_bits == "Alive"; quiz.flags_bits == "Red"; count(quiz.flags_bits) == 2; quiz.whole & 0xff == 44; quiz.flags == 5 and quiz.flags
		quiz.flags > Alive; quiz.flags > Red; quiz.flags != Red
		quiz.true == true; quiz.true == TRUE; quiz.true == 1; quiz.true != false; quiz.true == quiz.true; quiz.true
		quiz.host == 10.1.2.3; quiz.host == 10.1.0.0/16; quiz.host != 10.2.0.0/16; quiz.host > 10.1.2.2; quiz.host < 10.1.2.4; quiz.host in {10.0.0.0 .. 10.1.2.3}
		quiz.host == 10.1.2.0/24; quiz.end == 10.1.2.4; quiz.end == "10.1.2.4:99:7"
		quiz.text == "Hello World"; quiz.text contains "lo W"; quiz.text matches "^hello"; quiz.text matches "(?-i)^H"; quiz.text[0] == "H"
		quiz.text[0:5] == "Hello"; quiz.text[6:] == "World"; quiz.text[:5] == "Hello"; quiz.text[-5:] == "World"; quiz.text[-5:2] == "Wo"; quiz.text[1-3] == "ell"
		quiz.text[10] == "d"; quiz.text[-1] == "d"; quiz.text[4-4] == "o"; quiz.text[0-2] == "Hel"; quiz.text[0:11] == "Hello World"; quiz.text[-11:1] == "H"
		upper(quiz.text) == "HELLO WORLD"; lower(quiz.text) == "hello world"; len(quiz.text) == 11; quiz.text == '\x48ello World'; quiz.text == "Hello\x20World"
		quiz.text matches r"^h\w+ W\w+$"; quiz.text == r"Hello World"; r"Hello World" == quiz.text
		upper(quiz.text)[0:3] == "HEL"; lower(upper(quiz.text)) == "hello world"; @quiz.text contains 6f:20; quiz.text[0:2] == 48:65
		quiz.raw == 01:02:ab:04; quiz.raw == 0102ab04; quiz.raw == 01-02-AB-04; quiz.raw == 1.2.ab.4; quiz.raw[2] == ab; quiz.raw[1:2] == 02ab
		quiz.raw contains 02:ab; quiz.raw > 01:01; quiz.raw < 02; len(quiz.raw) == 4; quiz.raw == quiz.raw; quiz.raw[3:] == 4
		quiz.vector.x == 1; quiz.vector.y == -2; quiz.vector.z == 3; quiz.vector.y < quiz.vector.x; quiz.vector[0] == 1; quiz.vector[1] == quiz.sheet.vector.y
		quiz.plain == 3; quiz.plain == 5; any quiz.plain > 4; all quiz.plain > 2; quiz.plain != 4; quiz.plain ~= 3; quiz.plain !== 5; count(quiz.plain) == 2
		quiz.rows.number == 7; all quiz.rows.number >= 7; any quiz.rows.number == 9; quiz.rows.number in {1..3, 8}; count(quiz.rows) == 3; quiz.rows
		count(quiz.rows.number) == 3; any quiz.rows.number > quiz.plain; all quiz.rows.number === quiz.rows.number or quiz.rows
		quiz.plain any_eq 3; quiz.plain all_ne 4; quiz.plain any_ne 3; quiz.signed eq -5; quiz.signed lt 0; quiz.signed le -5; quiz.signed gt -6; quiz.signed ge -5; quiz.signed ne 5
		response_time == 250ms; response_time == 0.25; time_delta > 249999999ns; time_delta < 250000001ns; time_delta >= 0.25s; frame.time_relative == 0.25
		frame.time >= 2020-09-13; frame.time > "2020-09-13 12:26"; frame.time < "2020-09-13 12:27"; frame.time == "2020-09-13 12:26:40.25"; frame.time < "2020-09-13T12:26:40.250000001Z"; frame.time_epoch == 1600000000.25
		frame.time in {"2020-09-13 12:26:40" .. "2020-09-13 12:26:41"}; quiz.host in {10.1.2.0 ..10.1.2.9}
		frame.time_epoch > 1600000000 && frame.time_epoch < 1600000001; frame.file == "a.pcap"; frame.number == 2; frame; udp; ip; !tcp; !ipv6
		udp.srcport == 7000; udp.dstport == 4000; udp.port == 4000; udp.port == 7000; udp.stream == 0; stream == 0; communityid == "1:zUT6ExviIc0l2zoeIpNEQ3HLS7o="; ip.src == 192.0.2.9; ip.dst == 10.0.0.1; ip.addr == 10.0.0.1
		protocol == quiz; message == MsgSheet; direction == s2c; transport == udp; length > 30; info contains "Hello" or quiz.sheet; quiz; quiz.sheet; quiz.sheet.whole == 300
		quiz.whole == 300 && quiz.true; quiz.whole == 1 || quiz.true; quiz.whole == 1 ^^ quiz.true; not quiz.whole == 1; (quiz.whole == 300); quiz.true xor !quiz.true
		quiz.whole == 300 and not (quiz.whole == 301 or quiz.choice == One); quiz.true xor quiz.true xor quiz.true; quiz.whole in {300}; quiz.whole in {1, 299..301}
		quiz.whole in {300 .. 400}; quiz.whole in {200 .. 300}; quiz.whole in {200..300}; quiz.whole in {300..300}; quiz.whole not in {301 .. 400}; quiz.text in {"a" "Hello World"}
		quiz.whole + 1 == 301; quiz.whole - 1 == 299; quiz.whole * 2 == 600; quiz.whole / 7 == 42; quiz.whole % 7 == 6; quiz.whole == 100 + 2 * 100; quiz.whole == {100 + 50} * 2
		quiz.signed - 3 == -8; -quiz.signed == 5; quiz.signed == -{2 + 3}; quiz.float * 2 == 3; quiz.whole / 8.0 == 37.5; quiz.whole == 200+100; quiz.plain + 1 == 6
		299 < quiz.whole < 301; 300 <= quiz.whole <= 300; quiz.text > "Hello"; quiz.text <= "Hello World"; quiz.text in {"A" .. "Z"}; quiz.choice == two
		abs(quiz.signed) == 5; max(quiz.whole, 5, quiz.signed) == 300; min(quiz.plain) == 3; max(1, 300) == quiz.whole; string(quiz.whole) == "300"; string(quiz.host) contains "10.1"
		double(quiz.whole) / 8 == 37.5; float(quiz.whole) == 300; vals(quiz.choice) == "Two"; hex(quiz.whole) == "0x12c"; dec(quiz.whole) == "300"; len("abc") < quiz.whole
		ip_rfc1918(quiz.host); ip_multicast(quiz.host) == false; quiz.float < inf; quiz.float != nan; quiz.whole not in {301}; tcp.port not in {1}
		quiz.raw[0, 2-3] == 01:ab:04; quiz.raw[2] & 0f == 0b; quiz.raw[2] & 1; quiz.raw == :01.02.ab.04; quiz.raw[1] == '\x02'; quiz.host[0:2] == 0a:01; quiz.raw in {01:00 .. 01:ff}
		@quiz.whole == 00:00:00:00:00:00:01:2c; @quiz.text[0] == 48; quiz.whole#1 == 300; !quiz.whole#2; quiz.whole#[-1] == 300; quiz contains "Hello"; quiz.sheet[6:2] == 01:2c
		quiz.text == "\110ello World"; quiz.text == "\u0048ello World"; quiz.text == "\U00000048ello World"; quiz.text contains Hello; quiz.whole == :300; quiz.whole in {quiz.whole}
		ip.ttl == 64; ip.len == ip.hdr_len + udp.length; udp contains "Hello"; udp.payload[6:2] == 01:2c; frame.len == ip.len; ip.proto == "udp"; frame[9] == 11; ip.src#1 == 192.0.2.9
		frame.time_delta == 0.25; frame.time_relative + 0.5 == 0.75; frame.time_relative * 2 == 0.5; frame.time - 0.25 == "2020-09-13 12:26:40Z"; frame.time == 1600000000.25
		frame.time == "Sep 13, 2020 12:26:40.25 UTC"; frame.time == "Sep 13, 2020 07:26:40.25 CDT"; frame.time == "2020-09-13 14:26:40.25 +02:00"; frame.time == "2020-09-13T14:26:40.25 B"`
	lies := `
		quiz.whole == 301; quiz.whole > 300; quiz.whole < 300; quiz.whole != 300; quiz.whole >= 301; quiz.whole <= 299; 300 < quiz.whole; 300 > quiz.whole; quiz.whole < -1
		quiz.signed > 0; quiz.signed == 5; quiz.signed > quiz.whole; quiz.signed == 65531; quiz.float == 1; quiz.float < 1.5; quiz.float > 1.5
		quiz.choice == One; quiz.choice == "Nine"; quiz.choice > Nine; quiz.choice != Two; quiz.choice not in {Two}; quiz.choice contains "x"; quiz.below == High; quiz.below > 0
		quiz.flags == Alive; quiz.flags < Red; quiz.flags <= Alive; quiz.text matches r"^h\w+ W\w{3}$"; quiz.text == r"Hello\x20World"
		quiz.flags & 2; quiz.flags & 5 == 4; quiz.flags_bits == "Blue" or quiz.flags == 4; quiz.true == false; quiz.true == 0; quiz.host == 10.1.2.4; quiz.host != 10.1.0.0/16
		quiz.host in {10.1.2.4 .. 10.1.2.9}; quiz.end == 10.1.2.3; quiz.end == "10.1.2.4:99:8"; quiz.text == "Hello"; quiz.text contains "x"; quiz.text matches "^world"
		quiz.text[11] == "d"; quiz.text[0:12] == "Hello World"; quiz.text[11:]; quiz.text[-12:1] == "H"; quiz.text[12:] == ""; quiz.text[20:1]; quiz.text matches "(?-i)^h"
		quiz.raw == 01:02:ab:05; quiz.raw contains 02:04; quiz.raw < 01:01; quiz.raw[4:]; len(quiz.raw) == 3; quiz.vector.x == 2; quiz.plain == 4; all quiz.plain > 3
		any quiz.plain > 5; quiz.plain != 3; quiz.plain === 3; all quiz.plain == 3; quiz.rows.number > 9; all quiz.rows.number > 7; quiz.rows.number in {1..6, 10}
		response_time > 250ms; response_time < 0.25; frame.time < 2020-09-13; tcp; ipv6; udp.srcport == 4000; udp.dstport == 7000; udp.stream == 1; communityid == "1:"; ip.src == 10.0.0.1
		ip.dst == 192.0.2.9; finding; direction == c2s; quiz.true xor quiz.true; quiz.true ^^ quiz.true ^^ !quiz.true; quiz.whole == 300 && !quiz.true; !(quiz.true)
		quiz.whole in {301 .. 400}; quiz.whole in {1 .. 299}; quiz.whole not in {300}; frame.file == "b.pcap"; quiz.undecoded; quiz.whole & 0xff == 45; quiz.flags & 8
		quiz.whole / 0 == 1; quiz.whole % 0 == 0; quiz.whole + 1 == 300; 300 < quiz.whole < 400; quiz.text < "Hello"; quiz.raw[2] & 10; quiz.raw[7] == 00; quiz.whole#2 == 300; tcp.flags; eth
		max(quiz.plain) == 3; quiz contains "hello"; udp[8]; quiz.float == nan; ip.addr#2; @quiz.host == 0a:01:02:04; frame.time == "2020-09-13 14:26:40.25 EST"; quiz.text contains 48:65`
	withSubject(t, &example, func(x *filter.Subject) {
		for text, want := range map[string]bool{truths: true, lies: false} {
			for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ';' || r == '\n' }) {
				f, err := schema.Compile(strings.TrimSpace(line), nil)
				switch {
				case strings.TrimSpace(line) == "":
				case err != nil:
					t.Error(err, line)
				case f.Match(x) != want:
					t.Errorf("%s: %v, want %v", line, !want, want)
				}
			}
		}
	})
}

// TestNumbersCompareExactly checks that comparisons of all kinds of numbers agree with exact arithmetic.
func TestNumbersCompareExactly(t *testing.T) {
	schema := filter.NewSchema([]*wire.Protocol{quiz})
	rng := rand.New(rand.NewPCG(1, 2))
	exact := func(text string) *big.Rat {
		r, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Fatalf("%q is not a number", text)
		}
		return r
	}
	for range 60 {
		s := example
		s.Whole = rng.Uint64() >> rng.IntN(64)
		s.Signed = int16(rng.Int32())
		s.Float = float32(rng.IntN(4000)-2000) / 8
		fields := map[string]string{
			"quiz.whole": strconv.FormatUint(s.Whole, 10), "quiz.signed": strconv.Itoa(int(s.Signed)),
			"quiz.float": strconv.FormatFloat(float64(s.Float), 'f', -1, 32),
		}
		withSubject(t, &s, func(x *filter.Subject) {
			for name, is := range fields {
				others := map[string]string{"0": "0", strconv.Itoa(int(s.Signed) + 1): strconv.Itoa(int(s.Signed) + 1), is: is}
				for o, v := range fields {
					if name != "quiz.whole" && o != "quiz.whole" || name != "quiz.float" && o != "quiz.float" { // a float does not have 64 bits
						others[o] = v
					}
				}
				for other, value := range others {
					c := exact(is).Cmp(exact(value))
					for sign, want := range map[string]bool{"==": c == 0, "!=": c != 0, "<": c < 0, "<=": c <= 0, ">": c > 0, ">=": c >= 0} {
						text := name + " " + sign + " " + other
						f := compiled(t, schema, text, nil)
						if s.Whole > 1<<53 && name == "quiz.whole" && strings.Contains(other, ".") {
							continue
						}
						if f.Match(x) != want {
							t.Errorf("%s is %v for the fields %v", text, !want, fields)
						}
					}
				}
			}
		})
	}
}

// TestValueTexts checks the texts of values in JSON and in filters, and that each value is equal to its own text.
func TestValueTexts(t *testing.T) {
	bits := func(f float32) uint64 { return uint64(math.Float32bits(f)) }
	names := wire.Symbols{{Value: 3, Name: "Red"}}
	for _, test := range []struct {
		value      filter.Value
		json, text string
	}{
		{filter.Value{Kind: wire.Group}, "1", "1"},
		{filter.Value{Kind: wire.Sequence, Num: 4}, "1", "1"},
		{filter.Value{Kind: wire.Uint, Num: 7}, "7", "7"},
		{filter.Value{Kind: wire.Int, Num: math.MaxUint64}, "-1", "-1"},
		{filter.Value{Kind: wire.Float, Num: bits(0.5)}, "0.5", "0.5"},
		{filter.Value{Kind: wire.Enum, Num: 3, Symbols: names}, "3", `"Red"`},
		{filter.Value{Kind: wire.Enum, Num: 4, Symbols: names}, "4", "4"},
		{filter.Value{Kind: wire.Enum, Num: 4, Bytes: []byte("Bob")}, "4", `"Bob"`},
		{filter.Value{Kind: wire.String, Bytes: []byte("a\"\x01")}, `a\"\x01`, `"a\"\x01"`},
		{filter.Value{Kind: wire.Bytes, Bytes: []byte{0xab, 1}}, "ab01", "ab01"},
		{filter.Value{Kind: filter.Duration, Num: 1_050_000_001}, "1.050000001", "1.050000001s"},
		{filter.Value{Kind: filter.Duration}, "0.000000000", "0s"},
		{filter.Value{Kind: filter.Duration, Num: 1 << 63}, "-9223372036.854775808", "-2562047h47m16.854775808s"},
		{filter.Value{Kind: filter.Duration, Num: math.MaxUint64}, "-0.000000001", "-1ns"},
		{filter.Value{Kind: filter.Time, Num: 1_600_000_000_000_000_001}, "2020-09-13T12:26:40.000000001Z", "2020-09-13T12:26:40.000000001Z"},
	} {
		v := test.value
		if got := string(v.Append(nil)); got != test.json {
			t.Errorf("%+v is %s in JSON, want %s", v, got, test.json)
		}
		if got := v.String(); got != test.text {
			t.Errorf("%+v is %s, want %s", v, got, test.text)
		}
		if c := v.Clone(); !v.Equal(&c) && v.Kind != wire.Group && v.Kind != wire.Sequence {
			t.Errorf("%+v does not equal its clone", v)
		}
		other := v
		other.Num, other.Bytes = v.Num+1, append(slices.Clip(v.Bytes), 'x')
		if v.Equal(&other) {
			t.Errorf("%+v equals %+v", v, other)
		}
	}
	yes, also, no := filter.Value{Kind: wire.Boolean, Num: 1}, filter.Value{Kind: wire.Boolean, Num: 2}, filter.Value{Kind: wire.Boolean}
	if !yes.Equal(&also) || yes.Equal(&no) || yes.Equal(&filter.Value{Kind: wire.Uint, Num: 1}) {
		t.Error("two booleans are equal only if both are true or both are false; no boolean equals a number")
	}
	if got := filter.Quote([]byte("a\"\\\x00~\x7f\xff ")); got != `"a\"\\\x00~\x7f\xff "` {
		t.Errorf("Quote returns %s", got)
	}
}

// TestUnknown checks that the error for an unknown name contains the name and similar names.
func TestUnknown(t *testing.T) {
	schema := filter.NewSchema([]*wire.Protocol{quiz})
	if p, m, err := schema.Message("quiz", "Sheet"); err != nil || m != sheetType || p.Name != "quiz" {
		t.Errorf("Sheet: %v", err)
	}
	for _, test := range []struct{ protocol, message, want string }{
		{"quiz", "MsgSheat", `there is no message of quiz "MsgSheat" (did you mean MsgSheet?)`},
		{"quiz", "xx", `there is no message of quiz "xx"`},
		{"quizz", "Sheet", `there is no protocol "quizz" (did you mean quiz?)`},
		{"other", "Sheet", `there is no protocol "other" (there are quiz)`},
	} {
		_, _, err := schema.Message(test.protocol, test.message)
		if _, ok := errors.AsType[*filter.UnknownError](err); !ok || err.Error() != test.want {
			t.Errorf("%s %s: %v, want %s", test.protocol, test.message, err, test.want)
		}
	}
	scope := &filter.Scope{Prefix: "quiz.sheet.", Bindings: []filter.Binding{{Name: "kept", Field: schema.Field("quiz.whole")}}}
	for text, want := range map[string]string{
		"whol == 1": "did you mean whole == 1?", "whole == $keft": "did you mean $kept?", "$kept == text": "", "whole == $kept": "ok",
	} {
		f, err := schema.Compile(text, scope)
		if want == "ok" {
			field, slot, echo := f.Echo()
			if err != nil || !echo || slot != 0 || field != schema.Field("quiz.sheet.whole") {
				t.Errorf("%s: %v, %v %d %v", text, err, field, slot, echo)
			}
		} else if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	f := compiled(t, schema, "whole == $kept", scope)
	withSubject(t, &example, func(x *filter.Subject) {
		for n, want := range map[uint64]bool{300: true, 301: false} {
			x.Bindings = []filter.Value{{Kind: wire.Uint, Num: n}}
			if f.Match(x) != want {
				t.Errorf("whole is %d: %v", n, !want)
			}
		}
		if got := f.Explain(x); !strings.HasPrefix(got, "whole is 300, expected 30") {
			t.Error(got)
		}
		x.Bindings = nil
		for text, want := range map[string]string{
			"whole == 5": "whole is 300, expected 5", "whole<5": "whole is 300, expected < 5", "10 > whole": "it is not true that 10 > whole",
			"whole in {1, 2..5}": "whole is 300, expected in {1, 2..5}", "whole not in {300}": "whole is 300, expected not in {300}",
			"!whole": "it is not true that !whole", "udp": "udp is not there", "whole == 1 || whole == 2": "it is not true that whole == 1 || whole == 2",
			"any whole ne 300": "it is not true that any whole ne 300", "((whole ne 300))": "whole is 300, expected ne 300", "(udp) && (tcp)": "it is not true that (udp) && (tcp)",
		} {
			if got := compiled(t, schema, text, scope).Explain(x); got != want {
				t.Errorf("%s: %s, want %s", text, got, want)
			}
		}
		if f.Match(x) || f.Explain(x) != "whole is 300, expected $kept, which was not saved" {
			t.Error("no value was saved:", f.Explain(x))
		}
	})
}

// TestTimeZones checks that Wireshark's zone names, offsets, and the names of the local zone are accepted, and that
// other zone names are not.
func TestTimeZones(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	noon := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for text, hours := range map[string]int{
		"2026-11-20 12:00:00 UTC": 0, "2026-11-20 12:00:00 EST": 5, "Nov 20, 2026 12:00:00+02:00": -2, "2026-11-20 12:00:00": -1,
		"2026-11-20 12:00:00 CET": -1, "2026-11-20T12:00Z": 0,
	} {
		at, ok := filter.ParseTime(text, berlin)
		if want := noon.Add(time.Duration(hours) * time.Hour).UnixNano(); !ok || at != want {
			t.Errorf("%s: %d, %v, want %d", text, at, ok, want)
		}
	}
	for _, text := range []string{"2026-11-20 12:00:00 JST", "2026-11-20 12:00:00 CEST", "2026-11-20 12:00:00 hello"} {
		if _, ok := filter.ParseTime(text, berlin); ok {
			t.Errorf("%s is accepted as a time", text)
		}
	}
}
