package wiretest

import (
	"bytes"
	"math"
	"net/netip"
	"unsafe"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// A mistake is a bug in the toy protocol. One of the checks must detect it.
type mistake int

const (
	none mistake = iota
	fieldNotWritten
	countFixedWrong
	cannotBeWritten
	bytesLeft
	findingTooEarly
	findingBeyond
	findingWithoutText
	changedByTree
	fieldNotDescribed
	wrongKindDescribed
	allocates
	judgesCutMessage
	layoutFromLastByte
	notRecognised
	rawText
	lostPayload
	keepsOldState
	wrongDirection
	quadratic
	rereadsBytes
	splitsByPieces
	neverDue
	alwaysDue
	unbounded
	unboundedServers
	readAsConstant
	heldReturnsZero
	heldTooMuch
	sharedState
	hiddenState
)

var (
	toyType = gopacket.RegisterLayerType(1999, gopacket.LayerTypeMetadata{Name: "Toy"})
	toyRule = &wire.Rule{ID: "toy.empty", Severity: wire.Warning, Title: "no name", Why: "each player needs a name", Source: "nowhere"}
	toyBad  = &wire.Rule{ID: "toy.beyond", Severity: wire.Note, Title: "used by mistakes", Why: "tests need it", Source: "nowhere"}
	toyHi   = &wire.MessageType{Name: "Hi", Body: wire.Like(hi{})}
	toyInfo = &wire.MessageType{Name: "Info", Body: wire.Like(info{})}
	toyElse = &wire.MessageType{Name: "Unknown", Body: wire.Like(wire.Undefined{})}
	toyJSON = &wire.MessageType{Name: "JSON", Body: wire.Like(jsonText{})}
	toyList = wire.NewMessages(toyHi, toyInfo, toyJSON, toyElse)
)

const toyPort = 1999

// toy returns the protocol with a mistake. Its messages have a length and a code; "h" and "i" also have a body.
func toy(m mistake) *wire.Protocol {
	return &wire.Protocol{
		Name: "toy", Type: toyType, UDP: []uint16{toyPort}, Messages: toyList, Rules: []*wire.Rule{toyRule, toyBad},
		New: func() wire.Layer { return &toyLayer{mistake: m} },
		Probe: func(p *wire.Probe) wire.Verdict {
			if m == notRecognised {
				return wire.Verdict{}
			}
			v := wire.Verdict{Confidence: wire.Sure}
			if m == wrongDirection && p.ToPort {
				v.Direction = wire.FromServer
			}
			return v
		},
		ProbeStream: func(*wire.Probe) wire.Verdict { return wire.Verdict{Confidence: wire.Sure} },
		NewSplitter: func() wire.Splitter { return toySplitter{m} },
		NewTracker:  func(r *wire.Reporter) wire.Tracker { return newToyTracker(m, r) },
		NewSession:  toySession,
	}
}

// toySplitter splits by length. A message without a length extends to the end of the stream.
type toySplitter struct{ mistake mistake }

func (s toySplitter) Next(way wire.Direction, data []byte, ended bool, p *wire.Progress) int {
	n := s.Plausible(way, data, p)
	if n == wire.NeedMore && ended {
		return p.Passed + len(data)
	}
	return n
}

func (s toySplitter) Plausible(_ wire.Direction, data []byte, p *wire.Progress) int {
	switch {
	case p.Passed == 0 && data[0] > 0:
		return int(data[0])
	case s.mistake == splitsByPieces:
		return len(data)
	case s.mistake != rereadsBytes:
		p.Passed += len(data)
	}
	return wire.NeedMore
}

func (toySplitter) Lost(wire.Direction) {}

type toyLayer struct {
	wire.Base
	Length  uint8
	Code    uint8
	mistake mistake
	walked  int
	past    int // with the mistake keepsOldState: size of all messages so far
	wire.State[uint8]
	hidden uint8 // part of the state that wire.Keep does not return
}

func (l *toyLayer) Walk(c *wire.Cursor) {
	wire.U8(c, "length", &l.Length)
	if c.Reading() && !c.Failed() {
		c.Limit(int(l.Length))
	}
	wire.U8(c, "code", &l.Code)
	t := toyElse
	switch l.Code {
	case 'h':
		t = toyHi
	case 'i':
		t = toyInfo
	case 'j':
		t = toyJSON
	}
	if l.Code == 'i' {
		l.After = 1
	}
	if before := l.Before + l.hidden; c.When(before > 0) {
		c.ComputedUint("informed", uint64(before))
	}
	body := l.Use(c, toyList, t)
	switch b := body.(type) {
	case *hi:
		b.mistake = l.mistake
	case *info:
		b.mistake = l.mistake
	}
	body.Walk(c)
	if l.mistake == changedByTree && c.Reading() {
		l.walked++
	}
}

func (l *toyLayer) LayerType() gopacket.LayerType  { return toyType }
func (l *toyLayer) CanDecode() gopacket.LayerClass { return toyType }

func (l *toyLayer) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	l.Length, l.Code, l.walked = 0, 0, 0
	err := l.Decode(l, data, df)
	switch l.mistake {
	case lostPayload:
		l.Payload = nil
	case quadratic: // each message reads all later ones many times, so the check detects it even on busy machines
		for range len(data) >> 10 {
			sink = append(sink[:0], bytes.ToLower(data)...)
		}
	case keepsOldState:
		l.past += len(data)
	}
	return err
}

func (l *toyLayer) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	return l.Encode(l, b, opts)
}

type hi struct {
	Name  []byte
	Count uint8
	Marks []mark
	Age   uint16
	Older bool // Age is present
	Rest  []byte

	mistake mistake
}

type mark uint8

// info is a message of text: pairs up to the end of the line, and a check byte.
type info struct {
	Pairs []wire.Pair
	End   []byte
	Check [1]byte

	mistake mistake
}

func (i *info) Walk(c *wire.Cursor) {
	wire.Pairs(c, "info", &i.Pairs, `\`, "\n")
	wire.Until(c, "end", &i.End, "\n")
	check := &i.Check
	if i.mistake == readAsConstant {
		check = &[1]byte{0x2a}
	}
	wire.Opaque(c, "check", check[:])
}

type jsonText struct{ Text []byte }

func (j *jsonText) Walk(c *wire.Cursor) {
	wire.TextUpTo(c, "text", &j.Text, c.Left())
	c.JSON("json", j.Text)
}

var sink []byte

func (h *hi) Walk(c *wire.Cursor) {
	is := func(m mistake) bool { return h.mistake == m }
	listed := !c.Reading() && !c.Writing()
	switch {
	case is(fieldNotWritten) && c.Writing():
	case is(fieldNotDescribed) && listed:
	default:
		wire.Text8(c, "name", &h.Name)
	}
	if len(h.Name) == 0 && (!c.Truncated() || is(judgesCutMessage)) {
		at := 2
		if is(findingTooEarly) {
			at--
		}
		c.ReportRange(toyRule, at, min(1, c.Left()), "the name is empty")
	}
	have := len(h.Marks)
	if is(countFixedWrong) {
		have++
	}
	wire.Count8(c, "count", &h.Count, have)
	if is(layoutFromLastByte) && c.Reading() && c.Left() > 0 && c.From(c.Offset() + c.Left() - 1)[0] == 0xff {
		c.LittleEndian()
	}
	wire.List(c, "marks", &h.Marks, wire.Count(h.Count), 1, func(v *mark, c *wire.Cursor) { wire.U8(c, "", v) })
	if is(wrongKindDescribed) && listed {
		var other int16
		wire.I16(c, "age", &other)
	} else if c.Present(&h.Older, 2) {
		wire.U16(c, "age", &h.Age)
	}
	if !is(bytesLeft) {
		wire.Trailing(c, &h.Rest)
	}
	h.mistakes(c)
}

// mistakes makes the mistakes that happen after the fields.
func (h *hi) mistakes(c *wire.Cursor) {
	switch h.mistake {
	case cannotBeWritten:
		if long := make([]byte, 256); c.Writing() {
			wire.Text8(c, "name", &long)
		}
	case allocates:
		sink = make([]byte, 100)
	case findingBeyond:
		c.ReportRange(toyBad, c.Offset(), 1, "beyond")
	case findingWithoutText:
		c.ReportRange(toyBad, 0, 1, "")
	}
}

func (h *hi) AppendSummary(b []byte) []byte {
	if h.mistake == rawText {
		return append(b, h.Name...)
	}
	return format.AppendQuoted(b, h.Name)
}

// toyTracker has the rule that each Hi must be answered within a second.
type toyTracker struct {
	mistake mistake
	to      *wire.Reporter
	clients *bounded.LRU[netip.AddrPort, toyClient]
	due     *bounded.Deadlines[netip.AddrPort]
	servers map[netip.AddrPort]bool
}

type toyClient struct{ asked []wire.Place }

const toyPatience = 1e9

func newToyTracker(m mistake, r *wire.Reporter) *toyTracker {
	kind := bounded.Kind{Name: "clients"}
	values := bounded.Values[netip.AddrPort, toyClient]{Held: func(c *toyClient) int {
		switch m {
		case heldReturnsZero:
			return 0
		case heldTooMuch:
			return 1000 * cap(c.asked)
		}
		return int(unsafe.Sizeof(wire.Place{})) * cap(c.asked)
	}}
	return &toyTracker{mistake: m, to: r, servers: make(map[netip.AddrPort]bool),
		clients: bounded.NewLRU(r.Memory, kind, values), due: bounded.NewDeadlines[netip.AddrPort](r.Memory, kind)}
}

func (t *toyTracker) Message(l wire.Layer, p *wire.Place) {
	if len(t.servers) < 100 || t.mistake == unboundedServers {
		t.servers[p.Dst] = true
	}
	who := p.Src
	if t.mistake == sharedState {
		who = netip.AddrPort{}
	}
	if l.(*toyLayer).Code == 'x' {
		t.clients.Delete(p.Dst)
		return
	}
	c := t.clients.MakeAt(p.Lane, who)
	if len(c.asked) < 10 || t.mistake == unbounded {
		c.asked = append(c.asked, *p)
		t.due.Add(p.Time+toyPatience, who)
	}
}

func (t *toyTracker) Lost(*wire.Place) {}

func (t *toyTracker) Time(now int64) {
	for who, _, ok := t.due.Due(now); ok; who, _, ok = t.due.Due(now) {
		c := t.clients.Peek(who)
		for c != nil && len(c.asked) > 0 && now-c.asked[0].Time >= toyPatience {
			t.to.Report(&c.asked[0], toyBad, "no answer")
			c.asked = c.asked[1:]
		}
	}
}

func (t *toyTracker) Jump(int64) {
	t.clients.Clear()
	t.due.Clear()
}

func (t *toyTracker) Next() int64 {
	switch t.mistake {
	case alwaysDue:
		return 0
	case neverDue:
		return math.MaxInt64
	}
	return t.due.Next()
}

func (t *toyTracker) Close(now int64) { t.Time(now) }

// toySession is the session of wire.NewStates. With the mistake hiddenState, it moves the state to a field that
// wire.Keep does not return.
func toySession(memory *bounded.Budget) wire.Session {
	return forgetful{wire.NewStates[uint8](memory)}
}

type forgetful struct{ wire.Session }

func (f forgetful) Before(l wire.Layer, d *wire.Datagram) {
	f.Session.Before(l, d)
	if t := l.(*toyLayer); t.mistake == hiddenState {
		t.hidden, t.Before = t.Before, 0
	}
}
