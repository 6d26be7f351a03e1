package decode

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

func TestStreamRecognition(t *testing.T) {
	for _, c := range []struct {
		name, to string
		sends    []string
		want     []string
		ours     int64
	}{
		{"by content", offPort, []string{saying("S?", "a")}, []string{"4@4 chess#0 40000>9000 c2s a"}, 4},
		{"by port", server, []string{saying("W?", "a")}, []string{"4@4 chess#0 40000>7000 c2s a"}, 4},
		{"not by port", offPort, []string{saying("W?", "a"), saying("S?", "b")}, nil, 0},
		{"maybe, then sure", offPort, []string{saying("M?", "a"), saying("M?", "sure")},
			[]string{"4@4 chess#0 40000>9000 c2s a", "5@5 chess#0 40000>9000 c2s sure"}, 5},
		{"undecided for too long", offPort, []string{"M?" + strings.Repeat("x", undecided), saying("M?", "sure")}, nil, 0},
		{"undecided just long enough", offPort, []string{saying("M?", "a") + strings.Repeat("S?\x00", 100), "M?\x04sure"}, nil, 5},
		{"foreign", server, []string{"GET / HTTP/1.1\r\n\r\n", saying("S?", "a")}, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWired(t, client, c.to)
			w.open()
			for _, s := range c.sends {
				w.send(0, s)
			}
			w.Close()
			if c.want != nil || c.ours == 0 {
				w.expect(c.want...)
			}
			w.expectFindings()
			w.expectOurs(c.ours, int64(w.number)-c.ours)
		})
	}
}

// Even if one side sends foreign bytes, the other side may show the connection's protocol.
func TestStreamForeignSide(t *testing.T) {
	for _, c := range []struct {
		name  string
		sends []string // client and server alternate
		want  []string
	}{
		{"the server shows the protocol", []string{"HELLO", saying("S<", "a")}, []string{"5@5 chess#0 9000>40000 s2c a"}},
		{"and the client's messages are then found", []string{"HELLO", saying("S<", "a"), saying("S>", "b") + saying("S>", "c")},
			[]string{"5@5 chess#0 9000>40000 s2c a", "6@6 chess#0 40000>9000 c2s b", "6@6 chess#0 40000>9000 c2s c"}},
		{"both sides send foreign bytes", []string{"HELLO", "HELLO", saying("S>", "a") + saying("S>", "b")}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWired(t, client, offPort)
			w.open()
			for i, s := range c.sends {
				w.send(i%2, s)
			}
			w.Close()
			w.expect(c.want...)
		})
	}
}

// If only one protocol is likely, the stream belongs to it. If two are likely, the engine waits for more bytes.
func TestStreamLikely(t *testing.T) {
	likely := func(name string, not byte) *wire.Protocol {
		p := *toyStreams()
		p.Name = name
		p.ProbeStream = func(s *wire.Probe) wire.Verdict {
			if bytes.IndexByte(s.Payload, not) >= 0 {
				return wire.Verdict{}
			}
			return wire.Verdict{Confidence: wire.Likely}
		}
		return &p
	}
	for _, c := range []struct {
		sends []string
		want  []string
	}{
		{[]string{saying("S?", "a")}, []string{"4@4 red#0 40000>9000 c2s a"}},
		{[]string{saying("S?", "b")}, []string{"4@4 blue#0 40000>9000 c2s b"}},
		{[]string{saying("S?", "c"), saying("S?", "a")}, []string{"4@4 red#0 40000>9000 c2s c", "5@5 red#0 40000>9000 c2s a"}},
		{[]string{saying("S?", "c")}, nil},
		{[]string{saying("S?", "ab")}, nil},
	} {
		w := &wired{table: newTable(t, Options{Protocols: []*wire.Protocol{likely("red", 'b'), likely("blue", 'a')}}),
			ends: [2]string{client, offPort}, seq: [2]uint32{1000, 5000}}
		w.open()
		for _, s := range c.sends {
			w.send(0, s)
		}
		w.Close()
		w.expect(c.want...)
	}
}

// If the first bytes of a message show that it is invalid, they are decoded even if the message never becomes complete.
func TestStreamNeverWhole(t *testing.T) {
	for _, c := range []struct {
		name  string
		sends []string
		want  []string
	}{
		{"too large", []string{saying("S?", "a"), "S?\xff", "and no more"}, []string{"5@5 chess#0 192.0.2.1:40000>198.51.100.2:7000 toy.empty: too large"}},
		{"too large, in its second packet", []string{saying("S?", "a") + "S?", "\xffand no more"}, []string{"4@4 chess#0 192.0.2.1:40000>198.51.100.2:7000 toy.empty: too large"}},
		{"only too short", []string{saying("S?", "a"), "S?\xf0and no more"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWired(t, client, server)
			w.open()
			for _, s := range c.sends {
				w.send(0, s)
			}
			w.finish(0)
			w.Close()
			w.expect("4@4 chess#0 40000>7000 c2s a")
			w.expectFindings(c.want...)
		})
	}
}

// The direction in the verdict takes precedence over the SYN.
func TestStreamDirection(t *testing.T) {
	for _, c := range []struct {
		name, from, to, say, want string
		syn                       bool
	}{
		{"SYN", client, offPort, "S?", "c2s", true},
		{"port", server, client, "S?", "s2c", false},
		{"neither", client, offPort, "S?", "", false},
		{"verdict", client, offPort, "S<", "s2c", false},
		{"verdict against SYN", client, offPort, "S<", "s2c", true},
	} {
		w := newWired(t, c.from, c.to)
		if c.syn {
			w.open()
		}
		w.send(0, saying(c.say, "a"))
		if got := strings.Split(w.messages[0], " ")[3]; got != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// On a port named in DecodeAs, a stream need not look like the protocol. A stream is split from its first byte. If it
// began before the capture, it is split from the first two messages that are found.
func TestStreamDecodeAs(t *testing.T) {
	for _, c := range []struct {
		name     string
		as       DecodeAs
		middle   bool
		sends    []string // client and server alternate
		want     []string
		findings int
	}{
		{"to the port", DecodeAs{wire.TCP, 9000, nil}, false, []string{saying("??", "a"), saying("??", "b")},
			[]string{"4@4 chess#0 40000>9000 c2s a", "5@5 chess#0 9000>40000 s2c b"}, 0},
		{"from the port", DecodeAs{wire.TCP, 40000, nil}, false, []string{saying("??", "a"), saying("??", "b")},
			[]string{"4@4 chess#0 40000>9000 s2c a", "5@5 chess#0 9000>40000 c2s b"}, 0},
		{"in the middle", DecodeAs{wire.TCP, 9000, nil}, true, []string{"tail" + saying("S?", "a") + saying("S?", "b"), saying("??", "c")},
			[]string{"1@1 chess#0 40000>9000 c2s a", "1@1 chess#0 40000>9000 c2s b"}, 1},
		{"of another port", DecodeAs{wire.TCP, 9001, nil}, false, []string{saying("??", "a")}, nil, 0},
		{"of UDP", DecodeAs{wire.UDP, 9000, nil}, false, []string{saying("??", "a")}, nil, 0},
		{"a protocol without TCP", DecodeAs{wire.TCP, 9000, poker}, false, []string{saying("??", "a")}, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			over := toyStreams()
			if c.as.Protocol == nil {
				c.as.Protocol = over
			}
			w := &wired{table: newTable(t, Options{Protocols: []*wire.Protocol{over, poker}, DecodeAs: []DecodeAs{c.as}}),
				ends: [2]string{client, offPort}, seq: [2]uint32{1000, 5000}}
			if !c.middle {
				w.open()
			}
			for i, s := range c.sends {
				w.send(i%2, s)
			}
			w.expect(c.want...)
			if len(w.findings) != c.findings {
				t.Errorf("%q", w.findings)
			}
		})
	}
}
