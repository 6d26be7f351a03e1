package tcp

import (
	"fmt"
	"testing"
	"time"
)

func TestConnectionOpens(t *testing.T) {
	for _, c := range []struct {
		name         string
		send         func(k *talk)
		want0, want1 string
	}{
		{"handshake", func(k *talk) {
			k.packet(0, 999, SYN, "")
			k.packet(1, 4999, SYN, "", 1000)
			k.bytes(0, 1000, "ab")
			k.bytes(1, 5000, "cd")
		}, "ab", "cd"},
		{"SYN twice", func(k *talk) {
			k.packet(0, 999, SYN, "")
			k.packet(0, 999, SYN, "")
			k.packet(1, 4999, SYN, "", 1000)
			k.bytes(0, 1000, "ab")
			k.packet(1, 4999, SYN, "", 1000)
			k.packet(0, 999, SYN, "")
			k.bytes(1, 5000, "cd")
		}, "ab", "cd"},
		{"SYN with bytes", func(k *talk) {
			k.packet(0, 999, SYN, "ab")
			k.packet(1, 4999, SYN, "xy", 1002)
			k.bytes(0, 1000, "abcd")
		}, "abcd", "xy"},
		{"both at once", func(k *talk) {
			k.packet(0, 999, SYN, "")
			k.packet(1, 4999, SYN, "")
			k.packet(0, 999, SYN, "", 5000)
			k.packet(1, 4999, SYN, "", 1000)
			k.bytes(1, 5000, "cd")
			k.bytes(0, 1000, "ab")
		}, "ab", "cd"},
		{"only the answer to the SYN captured", func(k *talk) {
			k.packet(1, 4999, SYN, "", 1000)
			k.bytes(0, 1002, "cd")
			k.bytes(0, 1000, "ab")
		}, "abcd", ""},
		{"from the middle", func(k *talk) {
			k.packet(0, 1000, 0, "", 5000)
			k.packet(0, 999, 0, "", 5000) // keep-alive
			k.bytes(0, 1000, "ab")
			k.bytes(0, 1002, "cd")
			k.packet(1, 5000, FIN, "")
		}, "mid abcd", "mid finished"},
		{"from the middle, SYN late", func(k *talk) {
			k.bytes(0, 1000, "ab")
			k.packet(0, 999, SYN, "")
			k.bytes(0, 1002, "cd")
		}, "mid abcd", ""},
	} {
		k := newTalk(t, nil)
		c.send(k)
		if got := k.journals[0].story(); got != c.want0 {
			t.Errorf("%s: side 0: got %s, want %s", c.name, got, c.want0)
		}
		if got := k.journals[1].story(); got != c.want1 {
			t.Errorf("%s: side 1: got %s, want %s", c.name, got, c.want1)
		}
	}
}

func TestConnectionReplaced(t *testing.T) {
	for _, c := range []struct {
		name    string
		send    func(k *talk)
		side    int
		seq     uint32
		flags   Flags
		another bool
	}{
		{"the same SYN", func(k *talk) { k.packet(0, 999, SYN, "") }, 0, 999, SYN, false},
		{"another SYN", func(k *talk) { k.packet(0, 999, SYN, "") }, 0, 1000, SYN, true},
		{"another answer", func(k *talk) { k.packet(1, 999, SYN, "", 7) }, 1, 998, SYN | ACK, true},
		{"SYN after the end", func(k *talk) { k.packet(0, 999, SYN, ""); k.packet(1, 0, RST, "", 1000) }, 0, 5, SYN, true},
		{"SYN after the end, again", func(k *talk) { k.packet(0, 999, SYN, ""); k.packet(1, 0, RST, "", 1000) }, 0, 999, SYN, false},
		{"SYN just before the middle", func(k *talk) { k.bytes(0, 1000, "ab") }, 0, 990, SYN, false},
		{"SYN far before the middle", func(k *talk) { k.bytes(0, 100000, "ab") }, 0, 100000 - maxEarly - 2, SYN, true},
		{"SYN as far before the middle as possible", func(k *talk) { k.bytes(0, 100000, "ab") }, 0, 100000 - maxEarly - 1, SYN, false},
		{"SYN after the middle", func(k *talk) { k.bytes(0, 1000, "ab") }, 0, 1000, SYN, true},
		{"SYN to a side seen from the middle", func(k *talk) { k.bytes(1, 1000, "ab") }, 0, 5, SYN, true},
		{"SYN that crosses another", func(k *talk) { k.packet(1, 1000, SYN, "ab") }, 0, 5, SYN, false},
		{"a reset with SYN", func(k *talk) { k.packet(0, 999, SYN, "") }, 0, 5000, SYN | RST, false},
	} {
		k := newTalk(t, nil)
		c.send(k)
		before := fmt.Sprint(k.journals, k.Connection.streams)
		if got := !k.try(c.side, c.seq, c.flags, "", 0); got != c.another {
			t.Errorf("%s: another connection: %t", c.name, got)
		} else if got && fmt.Sprint(k.journals, k.Connection.streams) != before {
			t.Errorf("%s: refused, but the state has changed", c.name)
		}
	}
}

func TestConnectionReset(t *testing.T) {
	for _, c := range []struct {
		name string
		seq  uint32
		ends bool
	}{
		{"at the next byte", 1002, true},
		{"after a gap", 1007, true},
		{"after the acknowledged bytes", 1020, true},
		{"as far after them as possible", 1020 + maxBeyond, true},
		{"too far after them", 1020 + maxBeyond + 1, false},
		{"very far after them", 1002 + 2<<20, false},
		{"before the next byte", 1001, false},
		{"anywhere", 1<<31 + 5000, false},
	} {
		k := opened(t, none)
		k.bytes(0, 1000, "ab")
		k.bytes(0, 1005, "fg")
		k.packet(1, 5000, 0, "xyz", 1020)
		k.packet(0, c.seq, RST, "connection torn down", 1<<30)
		if ended := k.Stream(1).ended; ended != c.ends || k.Stream(0).ended {
			t.Errorf("%s: ends: %t", c.name, ended)
		}
		if !c.ends {
			continue
		}
		k.time += 10 * time.Second
		k.tick() // must not report the gaps before the reset again
		k.bytes(0, 1002, "too late")
		k.Connection.Close(k.a, CaptureEnded)
		k.expect(0, "ab gap:3 fg gap:13 aborted")
		k.expect(1, "xyz aborted")
	}
	k := newTalk(t, nil)
	k.packet(0, 999, SYN, "")
	k.packet(1, 0, RST, "", 1000) // the connection is refused
	k.expect(0, "aborted")
	k.expect(1, "")
}

// If segments follow a reset in the capture but were sent before it, their data is delivered, on both sides. No other
// data is delivered after a reset.
func TestConnectionResetBeforeItsData(t *testing.T) {
	for _, c := range []struct {
		name  string
		reset func(k *talk)
		want0 string
		want1 string
		left  [2]int
	}{
		{"with an acknowledgement", func(k *talk) { k.packet(0, 1006, RST, "", 5006) }, "abcdef aborted", "uvwxyz aborted", [2]int{1, 2}},
		{"without an acknowledgement", func(k *talk) { k.packet(0, 1006, RST, "") }, "abcdef aborted", "uvwx aborted", [2]int{1, 4}},
		{"after a FIN", func(k *talk) { k.packet(0, 1006, FIN, "", 5004); k.packet(0, 1007, RST, "") }, "abcdef finished", "uvwx aborted", [2]int{1, 4}},
		{"with a text", func(k *talk) { k.packet(0, 1006, RST, "away") }, "abcdef aborted", "uvwx aborted", [2]int{5, 4}},
	} {
		k := opened(t, nil)
		k.packet(1, 5000, 0, "uv", 1002)
		k.packet(0, 1000, 0, "ab", 5004)
		c.reset(k)
		k.bytes(1, 5002, "wx")
		k.bytes(0, 1002, "cdefg")
		k.bytes(0, 1002, "cdefg")
		k.bytes(1, 5004, "yzyz")
		k.expect(0, c.want0)
		k.expect(1, c.want1)
		if k.unread != c.left || !k.done() {
			t.Errorf("%s: %d bytes unread, want %d", c.name, k.unread, c.left)
		}
	}
}

// A gap whose bytes were acknowledged is given up after five seconds, no matter how many packets arrive in that time.
func TestConnectionSkipsAcknowledged(t *testing.T) {
	lost := func() *talk {
		k := opened(t, nil)
		k.bytes(0, 1000, "ab")
		k.bytes(0, 1004, "ef")
		k.expect(0, "ab")
		return k
	}
	for _, c := range []struct {
		name string
		send func(k *talk)
		want string
	}{
		{"not without an acknowledgement", func(k *talk) { k.chat(100, 1002) }, "ab"},
		{"not after an acknowledgement of a part", func(k *talk) { k.chat(100, 1003) }, "ab"},
		{"not at once", func(k *talk) { k.chat(64, 1006) }, "ab"},
		{"not after many packets", func(k *talk) { k.chat(500, 1006) }, "ab"},
		{"up to the gap's end", func(k *talk) { k.chat(1, 1004); k.wait(); k.chat(1, 1004) }, "ab gap:2 ef"},
		{"counted from the acknowledgement", func(k *talk) { k.chat(1, 1000); k.wait(); k.chat(1, 1006) }, "ab"},
		{"not before five seconds", func(k *talk) { k.chat(1, 1006); k.wait(); k.time--; k.chat(1, 1006) }, "ab"},
		{"after five seconds", func(k *talk) { k.chat(1, 1006); k.wait(); k.chat(1, 1006) }, "ab gap:2 ef"},
		{"filled in time", func(k *talk) { k.chat(1, 1006); k.wait(); k.bytes(0, 1002, "cd"); k.chat(1, 1006) }, "abcdef"},
		{"filled in part", func(k *talk) { k.chat(1, 1006); k.bytes(0, 1003, "d"); k.wait(); k.chat(1, 1006) }, "ab gap:1 def"},
		{"several gaps", func(k *talk) {
			k.bytes(0, 1007, "h")
			k.bytes(0, 1010, "k")
			k.chat(1, 1008)
			k.wait()
			k.chat(1, 1008)
		}, "ab gap:2 ef gap:1 h"},
		{"the next gap has its own time", func(k *talk) {
			k.chat(1, 1006)
			k.time += 3 * time.Second
			k.bytes(0, 1002, "cd")
			k.bytes(0, 1008, "i")
			k.chat(1, 1009)
			k.time += 3 * time.Second
			k.chat(1, 1009)
		}, "abcdef"},
		{"acknowledged before it was seen", func(k *talk) {
			k.bytes(0, 1002, "cd")
			k.chat(1, 1012)
			k.bytes(0, 1010, "k")
			k.chat(100, 1012)
			k.expect(0, "abcdef")
			k.wait()
			k.chat(1, 1012)
		}, "abcdef gap:4 k"},
		{"acknowledged only by an invalid reset", func(k *talk) {
			k.packet(1, 1<<30, RST, "", 1006)
			k.chat(80, 1000)
		}, "ab"},
		{"10 s", func(k *talk) { k.time += 10*time.Second - 1; k.tick() }, "ab"},
		{"10 s are enough", func(k *talk) { k.time += 10 * time.Second; k.tick() }, "ab gap:2 ef"},
		{"10 s without progress", func(k *talk) {
			k.time += 6 * time.Second
			k.bytes(0, 1002, "c")
			k.time += 6 * time.Second
			k.tick()
			k.expect(0, "abc")
			k.time += 4 * time.Second
			k.tick()
		}, "abc gap:1 ef"},
		{"10 s, several gaps", func(k *talk) {
			k.bytes(0, 1007, "h")
			k.time += 5 * time.Second
			k.bytes(0, 1009, "j")
			k.time += 5 * time.Second
			k.tick()
		}, "ab gap:2 ef gap:1 h"},
		{"the clock was set back slightly", func(k *talk) { k.time -= 9 * time.Second; k.tick() }, "ab"},
		{"the clock was set back", func(k *talk) { k.time -= 11 * time.Second; k.tick() }, "ab gap:2 ef"},
		{"the connection ends", func(k *talk) { k.Connection.Close(k.a, CaptureEnded) }, "ab gap:2 ef cut"},
		{"FIN after the gap", func(k *talk) { k.packet(0, 1008, FIN, ""); k.chat(1, 1009); k.wait(); k.chat(1, 1009) }, "ab gap:2 ef gap:2 finished"},
	} {
		k := lost()
		c.send(k)
		if got := k.journals[0].story(); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// wait advances the time by acknowledgedTime.
func (k *talk) wait() { k.time += time.Duration(acknowledgedTime) }

// chat sends n acknowledgements without data from side 1.
func (k *talk) chat(n int, ack uint32) {
	k.t.Helper()
	for range n {
		k.packet(1, 5000, 0, "", ack)
	}
}
