package anonymize

import (
	"math/rand/v2"
	"net/netip"
	"strconv"
	"testing"
)

// commonBits counts the leading bits that two addresses share, in the slow, simple way.
func commonBits(a, b []byte) int {
	for i := range 8 * len(a) {
		if (a[i/8]^b[i/8])>>(7-i%8)&1 != 0 {
			return i
		}
	}
	return 8 * len(a)
}

func TestPrefixesArePreserved(t *testing.T) {
	m := newAddresses(secret("k"))
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{4, 16} {
		kept := 0
		for range 3000 {
			a := make([]byte, size)
			for i := range a {
				a[i] = byte(r.Uint32())
			}
			if size == 16 {
				a[0], a[1] = 0x20, 0x01
			}
			b := append([]byte(nil), a...)
			bit := r.IntN(8 * size)
			b[bit/8] ^= 0x80 >> (bit % 8)
			x, _ := netip.AddrFromSlice(a)
			y, _ := netip.AddrFromSlice(b)
			if x.IsMulticast() || y.IsMulticast() {
				continue
			}
			got := commonBits(m.ip(x).AsSlice(), m.ip(y).AsSlice())
			if got != bit {
				t.Fatalf("%s and %s share %d bits, %s and %s share %d", x, y, bit, m.ip(x), m.ip(y), got)
			}
			if m.ip(x) == x {
				kept++
			}
		}
		if kept > 30 {
			t.Errorf("%d of 3000 addresses of %d bytes are unchanged", kept, size)
		}
	}
}

func TestClassesOfAddresses(t *testing.T) {
	m := newAddresses(secret("k"))
	for _, list := range [][]netip.Prefix{classes4, classes6} {
		for _, class := range list {
			last := class.Addr().AsSlice()
			for i := class.Bits(); i < 8*len(last); i++ {
				last[i/8] |= 0x80 >> (i % 8)
			}
			end, _ := netip.AddrFromSlice(last)
			for _, a := range []netip.Addr{class.Addr(), end} {
				if got := m.ip(a); !class.Contains(got.Unmap()) && !class.Contains(got) {
					t.Errorf("%s of %s becomes %s", a, class, got)
				}
			}
			if before := class.Addr().Prev(); before.IsValid() && !class.Contains(before) && class.Contains(m.ip(before)) {
				t.Errorf("%s, not of %s, becomes %s", before, class, m.ip(before))
			}
		}
	}
	for _, same := range []string{"255.255.255.255", "0.0.0.0", "224.0.1.117", "::", "::1", "ff02::1"} {
		if a := netip.MustParseAddr(same); m.ip(a) != a {
			t.Errorf("%s becomes %s", a, m.ip(a))
		}
	}
	four := netip.MustParseAddr("93.184.216.34")
	if got := m.ip(netip.AddrFrom16(four.As16())); got.Unmap() != m.ip(four) {
		t.Errorf("%s becomes %s inside an IPv6 address, and %s alone", four, got, m.ip(four))
	}
}

func TestHardwareAddresses(t *testing.T) {
	m := newAddresses(secret("k"))
	for _, a := range [][6]byte{{0, 1, 2, 3, 4, 5}, {2, 1, 2, 3, 4, 5}} {
		b := a
		m.hardware(b[:])
		if b == a || b[0]&3 != a[0]&3 {
			t.Errorf("%x becomes %x", a, b)
		}
	}
	for _, a := range [][6]byte{{}, {255, 255, 255, 255, 255, 255}, {1, 0, 0x5e, 1, 2, 3}} {
		b := a
		m.hardware(b[:])
		if b != a {
			t.Errorf("%x becomes %x", a, b)
		}
	}
	b := [6]byte{0x33, 0x33, 0xff, 1, 2, 3}
	m.hardware(b[:])
	group := netip.MustParseAddr("ff02::1:ff01:203")
	if want := m.ip(group).As16(); [3]byte(b[3:]) != [3]byte(want[13:]) || [3]byte(b[3:]) == [3]byte{1, 2, 3} {
		t.Errorf("the MAC address is %x for the group %s, which becomes %x", b, group, want)
	}
}

// With another key, an address changes. Two keys agree by chance only if 24 bits are equal.
func TestAddressesChange(t *testing.T) {
	same := make(map[string]int)
	for i := range 3000 {
		m := newAddresses(secret(strconv.Itoa(i)))
		for _, s := range []string{"127.0.1.4", "10.0.0.1", "8.8.8.8", "2001:db8::1"} {
			if a := netip.MustParseAddr(s); m.ip(a) == a {
				same[s]++
			}
		}
	}
	if len(same) > 0 {
		t.Errorf("unchanged addresses, with 3000 keys: %v", same)
	}
}
