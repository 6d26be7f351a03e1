package decode

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// The protocol of a datagram depends on both its content and its ports.
func TestDetection(t *testing.T) {
	for _, c := range []struct {
		name, src, dst, payload string
		want                    string // "" if not recognised
	}{
		{"sure to the port", client, server, saying("S?", "x"), "chess c2s"},
		{"sure from the port", server, client, saying("S?", "x"), "chess s2c"},
		{"sure off the port", client, offPort, saying("S?", "x"), "chess "},
		{"sure off the port, with a direction", client, offPort, saying("S<", "x"), "chess s2c"},
		{"sure between two servers", server, "192.0.2.9:7000", saying("S?", "x"), "chess "},
		{"the content's direction against the ports'", client, server, saying("S<", "x"), "chess s2c"},
		{"maybe on the port", client, server, saying("M?", "x"), "chess c2s"},
		{"maybe off the port", client, offPort, saying("M?", "x"), ""},
		{"maybe for both, on the second one's port", client, "192.0.2.9:8000", saying("M?", "x"), "poker c2s"},
		{"sure for the second one on the first one's port", client, server, saying("P?", "x"), "poker "},
		{"weak on the port", client, server, saying("W?", "x"), ""},
		{"no on the port", client, server, foreign, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := newTable(t, Options{})
			e.say(c.src, c.dst, c.payload)
			got := ""
			for _, m := range e.messages {
				words := strings.Split(m, " ")
				got = strings.Split(words[1], "#")[0] + " " + words[3]
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// If an endpoint has certainly spoken the protocol as a server, weaker evidence is enough in its other conversations. A
// client's endpoint proves nothing.
func TestDetectionKnowsServers(t *testing.T) {
	e := newTable(t, Options{})
	e.say(other, offPort, saying("W>", "too early"))
	e.say(client, offPort, saying("S>", "sure"))
	e.say("192.0.2.77:40000", offPort, saying("W>", "known"))
	e.say(client, "192.0.2.9:9001", saying("W>", "another server"))
	e.expect("2@2 chess#1 40000>9000 c2s sure", "3@3 chess#2 40000>9000 c2s known")
	e.expectOurs(2, 2)
}

// A datagram that may belong to a protocol is held. If a later datagram proves the protocol, the held one is delivered
// first, with its own frame, time and direction.
func TestDetectionHoldsAndReleases(t *testing.T) {
	e := newTable(t, Options{})
	e.say(client, offPort, saying("M>", "one"))
	e.say(client, "192.0.2.9:53", foreign)
	e.say(offPort, client, saying("M?", "two"))
	e.say(client, offPort, foreign)
	e.expect()
	e.expectOurs(0, 4)
	e.say(client, offPort, saying("S>", "three"))
	e.expect(
		"1@1 chess#0 40000>9000 c2s one",
		"3@3 chess#0 9000>40000 s2c two",
		"5@5 chess#0 40000>9000 c2s three",
	)
	e.expectOurs(3, 2)
	e.say(offPort, client, saying("M?", "four"))
	e.expect("6@6 chess#0 9000>40000 s2c four")
	if e.heldBytes() != 0 {
		t.Errorf("%d bytes are still held", e.heldBytes())
	}
}

// A datagram that was held for one protocol is not delivered to another.
func TestDetectionHeldForAnother(t *testing.T) {
	e := newTable(t, Options{})
	e.say(client, offPort, saying("M>", "one"))
	e.say(client, offPort, saying("P>", "two"))
	e.expect("2@2 poker#0 40000>9000 c2s two")
	e.expectOurs(1, 1)
	if e.heldBytes() != 0 {
		t.Errorf("%d bytes are still held", e.heldBytes())
	}
}

// All packets with fragments of a held datagram are counted, and a truncated datagram stays truncated.
func TestDetectionHoldsFragmentsAndCuts(t *testing.T) {
	e := newTable(t, Options{})
	for _, p := range inFragments(udpPacket(t, client, offPort, saying("M>", strings.Repeat("x", 40))), 1, 16) {
		e.packet(p)
	}
	whole := udpPacket(t, client, offPort, saying("M>", "abcdef"))
	e.frame(ip.LinkRaw, whole[:len(whole)-2], len(whole))
	e.expectOurs(0, 5)
	e.say(client, offPort, saying("S>", "sure"))
	e.expect(
		"4@4 chess#0 40000>9000 c2s "+strings.Repeat("x", 40),
		"5@5 chess#0 40000>9000 c2s abcd ! capture.truncated: 7 of 9 bytes were captured",
		"6@6 chess#0 40000>9000 c2s sure",
	)
	e.expectOurs(6, 0)
}

func TestDetectionHoldsLittle(t *testing.T) {
	e := newTable(t, Options{})
	long := saying("M>", "long") + strings.Repeat("x", maxHeldSize)
	e.say(client, offPort, long)
	if e.heldBytes() != 0 {
		t.Error("a long datagram is held")
	}
	for n := range maxHeld + 2 {
		e.say(client, offPort, saying("M>", string(rune('a'+n))))
	}
	if e.heldBytes() != 4*maxHeld {
		t.Errorf("%d bytes are held", e.heldBytes())
	}
	e.say(client, offPort, saying("S>", "sure"))
	e.expect(
		"2@2 chess#0 40000>9000 c2s a", "3@3 chess#0 40000>9000 c2s b", "4@4 chess#0 40000>9000 c2s c",
		"5@5 chess#0 40000>9000 c2s d", "6@6 chess#0 40000>9000 c2s e", "7@7 chess#0 40000>9000 c2s f",
		"8@8 chess#0 40000>9000 c2s g", "9@9 chess#0 40000>9000 c2s h", "12@12 chess#0 40000>9000 c2s sure",
	)
	e.expectOurs(9, 3)
}

// heldBytes returns the total size of the held datagrams.
func (e *Engine) heldBytes() int {
	n := 0
	e.recogniser.waiting.Each(func(_ uint32, w *waiting) {
		for _, h := range w.datagrams {
			n += len(h.payload)
		}
	})
	return n
}

// Datagrams are held for as many conversations as fit in the memory. Beyond that, the oldest are dropped, and this is
// reported.
func TestDetectionHoldsWhatItCan(t *testing.T) {
	e := newTable(t, Options{Memory: 1 << 20})
	peer := func(i int) string { return fmt.Sprintf("192.0.2.9:%d", 10000+i) }
	n := 0
	for ; len(e.findings) == 0; n++ {
		e.say(client, peer(n), saying("M>", "held"))
		e.say(client, peer(n), saying("M>", "held"))
	}
	if want := "capture.memory: memory is full: from here on, first datagrams of conversations not recognised yet " +
		"are dropped, those idle longest first"; !strings.HasSuffix(e.findings[0], want) {
		t.Errorf("%q", e.findings)
	}
	if forgotten := e.Counters().Forgotten; len(forgotten) != 1 || forgotten[0].Count != 1 || n < 20 || n > 100 {
		t.Errorf("datagrams of %d conversations were held; dropped: %v", n, forgotten)
	}
	e.say(client, peer(0), saying("S>", "sure"))
	e.say(client, peer(5), saying("S>", "sure"))
	if len(e.messages) != 1+3 {
		t.Errorf("%q", e.messages)
	}
}

// If a conversation is not recognised after many datagrams, it becomes foreign, even on a known port. Then nothing
// about it is reported, and none of its datagrams is held.
func TestDetectionGivesUp(t *testing.T) {
	for _, dst := range []string{server, offPort} {
		e := newTable(t, Options{})
		if dst == offPort {
			e.say(client, dst, saying("M>", "perhaps"))
		}
		for e.number < maxMisses-1 {
			e.say(client, dst, foreign)
		}
		if held := e.heldBytes() > 0; held != (dst == offPort) {
			t.Errorf("%d bytes are held", e.heldBytes())
		}
		e.say(client, dst, foreign)
		e.say(client, dst, saying("S>", "too late"))
		e.say(dst, client, saying("M>", "too late"))
		e.expect()
		e.expectFindings()
		e.expectOurs(0, maxMisses+2)
		if e.heldBytes() != 0 {
			t.Errorf("%d bytes of a foreign conversation are held", e.heldBytes())
		}
		e.say("192.0.2.77:40000", dst, saying("S>", "another conversation"))
		if len(e.messages) != 1 {
			t.Errorf("%q", e.messages)
		}
	}
}

// The last datagram before the limit can still identify the protocol.
func TestDetectionAtTheLastChance(t *testing.T) {
	e := newTable(t, Options{})
	e.say(client, offPort, saying("M>", "perhaps"))
	for e.number < maxMisses-1 {
		e.say(client, offPort, foreign)
	}
	e.say(client, offPort, saying("S>", "sure"))
	e.expect("1@1 chess#0 40000>9000 c2s perhaps", "16@16 chess#0 40000>9000 c2s sure")
}

func TestDecodeAs(t *testing.T) {
	e := newTable(t, Options{DecodeAs: []DecodeAs{{wire.TCP, 53, chess}, {wire.UDP, 9000, poker}, {wire.UDP, 9001, toyProtocol("absent", 1, 0, 0)}}})
	e.say(client, offPort, saying("??", "one")) // to the named port, so to the server
	e.say(offPort, client, saying("S?", "two"))
	e.say("192.0.2.9:9000", other, saying("??", "three"))
	e.say(client, "192.0.2.9:53", saying("??", "TCP only"))
	e.say(client, "192.0.2.9:9001", saying("S?", "four")) // a protocol that is not enabled
	e.expect(
		"1@1 poker#0 40000>9000 c2s one",
		"2@2 poker#0 9000>40000 s2c two",
		"3@3 poker#1 9000>50000 s2c three",
		"5@5 chess#3 40000>9001  four",
	)
	e.expectOurs(4, 1)

	e = newTable(t, Options{DecodeAs: []DecodeAs{{wire.UDP, 7000, poker}}})
	e.say(client, server, saying("S>", "against port and content"))
	e.expect("1@1 poker#0 40000>7000 c2s against port and content")
}

func TestDetectionWithoutProtocols(t *testing.T) {
	e := newTable(t, Options{Protocols: []*wire.Protocol{}})
	e.say(client, server, saying("S>", "one"))
	e.expect()
	e.expectOurs(0, 1)
}
