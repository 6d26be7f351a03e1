package ip

import (
	"bytes"
	"math"
	"slices"
	"testing"
)

func FuzzFindPacket(f *testing.F) {
	for _, c := range linkCases(f) {
		content := ipv4Packet(f)
		if c.ipv6 {
			content = extended(f, hopByHopOptions, []byte{44, 0, 1, 4, 0, 0, 0, 0}, []byte{17, 0, 0, 9, 1, 2, 3, 4})
		}
		frame := slices.Concat(c.header, content)
		f.Add(c.link, frame, len(frame))
		f.Add(c.link, frame[:len(frame)-9], len(frame))
	}
	f.Fuzz(func(t *testing.T, link uint16, frame []byte, length int) {
		length = min(length, math.MaxInt32) // no record in a capture file is larger
		frame = slices.Clip(frame)
		before := bytes.Clone(frame)
		var p Packet
		v := Find(link, frame, length, &p)
		stale := Packet{Src: testSrc6, Protocol: 1, Missing: 9, Fragment: true, More: true, Offset: 8, ID: 3}
		if again := Find(link, frame, length, &stale); again != v || v == Found && !samePacket(&p, &stale) {
			t.Fatalf("the old content of the struct affects the result: %+v and %+v", p, stale)
		}
		if !bytes.Equal(frame, before) {
			t.Fatal("the frame was changed")
		}
		if v != Found {
			return
		}
		checkFound(t, frame, length, &p)

		// If the snap length removes bytes, nothing else may change.
		wire := max(length, len(frame))
		for n := range frame {
			var cut Packet
			switch v := Find(link, frame[:n:n], wire, &cut); v {
			case Truncated:
			case Found:
				cut.Missing -= len(p.Payload) - len(cut.Payload)
				if !bytes.HasPrefix(p.Payload, cut.Payload) {
					t.Fatalf("cut at %d: the payload differs", n)
				}
				cut.Payload = p.Payload
				if !samePacket(&cut, &p) {
					t.Fatalf("cut at %d: %+v, whole: %+v", n, cut, p)
				}
			default:
				t.Fatalf("cut at %d: outcome %d", n, v)
			}
		}
	})
}

// checkFound checks the invariants of every packet found.
func checkFound(t *testing.T, frame []byte, length int, p *Packet) {
	t.Helper()
	if !p.Src.IsValid() || p.Src.Is4() != p.Dst.Is4() {
		t.Fatalf("addresses %v and %v", p.Src, p.Dst)
	}
	if p.Missing < 0 || len(p.Payload) > len(frame)-ipv4HeaderSize {
		t.Fatalf("%d bytes and %d missing of %d", len(p.Payload), p.Missing, len(frame))
	}
	if len(p.Payload) > 0 {
		start := len(frame) - cap(p.Payload)
		if start < 0 || &frame[start] != &p.Payload[0] {
			t.Fatal("the payload is not a part of the frame")
		}
	}
	if p.Fragment != (p.More || p.Offset > 0) || p.Offset%8 != 0 || p.Offset < 0 || p.Offset > 65528 {
		t.Fatalf("fragment %t, offset %d, more %t", p.Fragment, p.Offset, p.More)
	}
	if max(length, len(frame)) < len(p.Payload)+p.Missing && len(p.Payload)+p.Missing > 65535 {
		t.Fatalf("%d bytes and %d missing of %d on the wire", len(p.Payload), p.Missing, length)
	}
}

// FuzzDefragment makes fragments of a few datagrams from the input and compares the Defragmenter with the model. Each
// fragment takes 5 bytes: one for the datagram and flags, then the offset, the size, and the number of bytes cut off.
func FuzzDefragment(f *testing.F) {
	const more, udp, ipv6, bytewise = 4, 8, 16, 32
	f.Add([]byte{more, 0, 0, 2, 0, 0, 0, 2, 1, 0})
	f.Add([]byte{0, 0, 2, 1, 0, more, 0, 0, 2, 0})
	f.Add([]byte{more, 0, 0, 3, 0, more, 0, 1, 3, 0, bytewise, 0, 4, 3, 0})
	f.Add([]byte{more | udp, 0, 0, 2, 5, more | ipv6, 0, 0, 2, 0, udp, 0, 2, 1, 0, ipv6, 0, 2, 1, 3})
	f.Add([]byte{more, 0x1f, 0xfe, 1, 0, bytewise, 0x1f, 0xff, 7, 0, more, 0, 0, 200, 0})
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) > 5*200 {
			return // long inputs find no more than short ones
		}
		c := newComparison(t)
		for ; len(script) >= 5; script = script[5:] {
			p := Packet{Src: testSrc4, Dst: testDst4, Protocol: 6, ID: uint32(script[0] & 3), Fragment: true}
			p.More = script[0]&more != 0
			if script[0]&udp != 0 {
				p.Protocol = 17
			}
			if script[0]&ipv6 != 0 {
				p.Src, p.Dst = testSrc6, testDst6
			}
			p.Offset = 8 * (int(script[1])<<8 | int(script[2])) & 0xffff
			size := int(script[3]) * 8
			if script[0]&bytewise != 0 {
				size = int(script[3])
			}
			p.Missing = min(int(script[4]), size)
			p.Payload = bytes.Repeat([]byte{byte(c.frame + 1)}, size-p.Missing)
			c.add(p)
			checkDefragmenter(t, c.quick)
		}
		c.flush()
	})
}
