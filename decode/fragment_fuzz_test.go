package decode

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
		length = min(length, math.MaxInt32) // of a record in a capture file
		frame = slices.Clip(frame)
		before := bytes.Clone(frame)
		var p packet
		v := findPacket(link, frame, length, &p)
		stale := packet{src: testSrc6, protocol: 1, missing: 9, fragment: true, more: true, offset: 8, id: 3}
		if again := findPacket(link, frame, length, &stale); again != v || v == found && !samePacket(&p, &stale) {
			t.Fatalf("a used struct makes a difference: %+v and %+v", p, stale)
		}
		if !bytes.Equal(frame, before) {
			t.Fatal("the frame was changed")
		}
		if v != found {
			return
		}
		checkFound(t, frame, length, &p)

		// The snap length takes bytes away and changes nothing else.
		wire := max(length, len(frame))
		for n := range frame {
			var cut packet
			switch v := findPacket(link, frame[:n:n], wire, &cut); v {
			case truncated:
			case found:
				cut.missing -= len(p.payload) - len(cut.payload)
				if !bytes.HasPrefix(p.payload, cut.payload) {
					t.Fatalf("cut at %d: another payload", n)
				}
				cut.payload = p.payload
				if !samePacket(&cut, &p) {
					t.Fatalf("cut at %d: %+v, whole: %+v", n, cut, p)
				}
			default:
				t.Fatalf("cut at %d: verdict %d", n, v)
			}
		}
	})
}

// checkFound checks what holds for every packet found.
func checkFound(t *testing.T, frame []byte, length int, p *packet) {
	t.Helper()
	if !p.src.IsValid() || p.src.Is4() != p.dst.Is4() {
		t.Fatalf("addresses %v and %v", p.src, p.dst)
	}
	if p.missing < 0 || len(p.payload) > len(frame)-ipv4HeaderSize {
		t.Fatalf("%d bytes and %d missing of %d", len(p.payload), p.missing, len(frame))
	}
	if len(p.payload) > 0 {
		start := len(frame) - cap(p.payload)
		if start < 0 || &frame[start] != &p.payload[0] {
			t.Fatal("the payload is not a part of the frame")
		}
	}
	if p.fragment != (p.more || p.offset > 0) || p.offset%8 != 0 || p.offset < 0 || p.offset > 65528 {
		t.Fatalf("fragment %t, offset %d, more %t", p.fragment, p.offset, p.more)
	}
	if max(length, len(frame)) < len(p.payload)+p.missing && len(p.payload)+p.missing > 65535 {
		t.Fatalf("%d bytes and %d missing of %d on the wire", len(p.payload), p.missing, length)
	}
}

// FuzzDefragment reads fragments of few datagrams from the input, 5 bytes each, and compares
// with the model: which datagram and flags, offset, size, bytes cut off.
func FuzzDefragment(f *testing.F) {
	const more, udp, ipv6, bytewise = 4, 8, 16, 32
	f.Add([]byte{more, 0, 0, 2, 0, 0, 0, 2, 1, 0})
	f.Add([]byte{0, 0, 2, 1, 0, more, 0, 0, 2, 0})
	f.Add([]byte{more, 0, 0, 3, 0, more, 0, 1, 3, 0, bytewise, 0, 4, 3, 0})
	f.Add([]byte{more | udp, 0, 0, 2, 5, more | ipv6, 0, 0, 2, 0, udp, 0, 2, 1, 0, ipv6, 0, 2, 1, 3})
	f.Add([]byte{more, 0x1f, 0xfe, 1, 0, bytewise, 0x1f, 0xff, 7, 0, more, 0, 0, 200, 0})
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) > 5*200 {
			return // long scripts find nothing that short ones do not
		}
		c := newComparison(t)
		for ; len(script) >= 5; script = script[5:] {
			p := packet{src: testSrc4, dst: testDst4, protocol: 6, id: uint32(script[0] & 3), fragment: true}
			p.more = script[0]&more != 0
			if script[0]&udp != 0 {
				p.protocol = 17
			}
			if script[0]&ipv6 != 0 {
				p.src, p.dst = testSrc6, testDst6
			}
			p.offset = 8 * (int(script[1])<<8 | int(script[2])) & 0xffff
			size := int(script[3]) * 8
			if script[0]&bytewise != 0 {
				size = int(script[3])
			}
			p.missing = min(int(script[4]), size)
			p.payload = bytes.Repeat([]byte{byte(c.frame + 1)}, size-p.missing)
			c.add(p)
			checkDefragmenter(t, c.quick)
		}
		c.flush()
	})
}
