package tcp

import "testing"

// summed sends a segment whose checksum has the given result.
func (k *talk) summed(side int, seq uint32, sum Sum, payload string, ack uint32) *Segment {
	k.t.Helper()
	k.tick()
	s := &Segment{Seq: seq, Ack: ack, Flags: ACK, Payload: []byte(payload), Sum: sum}
	if !k.Add(k.a, side, s) {
		k.t.Fatal("the segment was attributed to another connection")
	}
	return s
}

// trusted returns a talk in which side 0 has sent three bytes with right checksums.
func trusted(t *testing.T) *talk {
	k := opened(t, nil)
	for i, c := range "abc" {
		k.summed(0, 1000+uint32(i), Right, string(c), 5000)
	}
	return k
}

// A segment with a wrong checksum is not used until the peer accepts it. A correct retransmission replaces it.
func TestDamagedSegments(t *testing.T) {
	for _, c := range []struct {
		name string
		send func(k *talk)
		want string
	}{
		{"retransmitted", func(k *talk) {
			k.summed(0, 1003, Wrong, "XX", 5000)
			k.summed(0, 1005, Right, "fg", 5000)
			k.summed(0, 1003, Right, "de", 5000)
			k.summed(1, 5000, Right, "", 1007)
		}, "abcdefg cut"},
		{"in pieces", func(k *talk) {
			k.summed(0, 1003, Wrong, "XX", 5000)
			k.summed(0, 1003, Right, "d", 5000)
			k.summed(0, 1004, Right, "e", 5000)
			k.summed(1, 5000, Right, "", 1005)
		}, "abcde cut"},
		{"accepted by the peer", func(k *talk) {
			k.summed(0, 1003, Wrong, "de", 5000)
			k.summed(1, 5000, Right, "", 1005)
			k.summed(0, 1005, Right, "f", 5000)
		}, "abcdef cut"},
		{"the last of the capture", func(k *talk) { k.summed(0, 1003, Wrong, "de", 5000) }, "abcde cut"},
		{"damaged again", func(k *talk) {
			k.summed(0, 1000, Wrong, "X", 5000)
			k.summed(0, 1003, Right, "d", 5000)
		}, "abcd cut"},
		{"two are wrong", func(k *talk) {
			k.summed(0, 1003, Wrong, "d", 5000)
			k.summed(0, 1004, Wrong, "e", 5000)
			k.summed(0, 1003, Unchecked, "d", 5000)
		}, "abcde cut"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := trusted(t)
			c.send(k)
			k.Connection.Close(k.a, CaptureEnded)
			k.expect(0, c.want)
			if len(k.a.doubts) > 0 {
				t.Errorf("%d doubts remain", len(k.a.doubts))
			}
		})
	}
}

// If a sender leaves checksums to its network device, wrong checksums are ignored.
func TestOffloadedChecksums(t *testing.T) {
	k := opened(t, nil)
	k.summed(0, 1000, Wrong, "a", 5000)
	k.summed(0, 1001, Right, "b", 5000)
	k.summed(0, 1002, Wrong, "c", 5000)
	k.expect(0, "abc")
}

// The number of doubtful segments of all streams is limited.
func TestDoubtsAreBounded(t *testing.T) {
	k := trusted(t)
	for i := range uint32(100) {
		for range 5 {
			k.summed(0, 1000, Right, "a", 5000)
		}
		k.summed(0, 2000+10*i, Wrong, "XX", 5000)
		if len(k.a.doubts) > maxDoubts {
			t.Fatalf("%d doubts", len(k.a.doubts))
		}
	}
}

// If the peer answers a stray SYN with a challenge ACK, the connection continues. If the peer accepts or refuses the
// SYN, another connection begins.
func TestStraySYN(t *testing.T) {
	for _, c := range []struct {
		name    string
		after   func(k *talk) bool
		another bool
	}{
		{"a challenge ACK", func(k *talk) bool { return k.try(1, 5001, ACK, "", 0, 1001) }, false},
		{"bytes as before", func(k *talk) bool { return k.try(0, 1001, ACK, "b", 0, 5001) }, false},
		{"an answer", func(k *talk) bool { return k.try(1, 77, SYN|ACK, "", 0, 1<<30+1) }, true},
		{"a refusal", func(k *talk) bool { return k.try(1, 0, RST|ACK, "", 0, 1<<30+1) }, true},
		{"bytes after the SYN", func(k *talk) bool { return k.try(0, 1<<30+1, ACK, "new", 0, 78) }, true},
	} {
		k := opened(t, nil)
		k.packet(0, 1000, ACK, "a", 5000)
		k.packet(1, 5000, ACK, "x", 1001)
		k.packet(0, 1<<30, SYN, "")
		if got := !c.after(k); got != c.another {
			t.Errorf("%s: another connection: %t", c.name, got)
		}
		if syn, side, ok := k.a.Stray(&k.Connection); !ok || side != 0 || syn.Seq != 1<<30 {
			t.Errorf("%s: the SYN was not kept", c.name)
		}
		k.Connection.Close(k.a, Replaced)
		if len(k.a.strays) > 0 {
			t.Errorf("%s: a SYN remains", c.name)
		}
	}
}
