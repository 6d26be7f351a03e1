package anonymize

import (
	"crypto/aes"
	"crypto/cipher"
	"net/netip"
)

// A permuter permutes bit strings of one length and preserves the length of common prefixes. It uses the construction
// of Crypto-PAn (Xu, Fan, Ammar, Moon: "Prefix-Preserving IP Address Anonymization", 2002): whether a bit is flipped
// depends on the key and on the bits before it. For each bit, Crypto-PAn takes the first bit of the cipher's output.
// But where an address equals the pad, the input of the cipher and so its output repeat, and one address in a thousand
// would not change. So the permuter takes bit i of the output for bit i.
type permuter struct {
	block cipher.Block
	pad   [aes.BlockSize]byte
}

func newPermuter(s secret, purpose string) *permuter {
	p := &permuter{block: s.block(purpose)}
	p.block.Encrypt(p.pad[:], s.derive(purpose + " pad")[:aes.BlockSize])
	return p
}

// permute changes the bits in place. fixed reports whether a bit is never flipped. Its result must depend only on the
// bits before that bit.
func (p *permuter) permute(bits []byte, fixed func(i int) bool) {
	var in, out [aes.BlockSize]byte
	flips := make([]byte, len(bits))
	in = p.pad
	for i := range 8 * len(bits) {
		if !fixed(i) {
			p.block.Encrypt(out[:], in[:])
			flips[i/8] |= out[i/8] & (0x80 >> (i % 8))
		}
		mask := byte(0x80) >> (i % 8)
		in[i/8] = in[i/8]&^mask | bits[i/8]&mask // the original bit becomes part of the prefix
	}
	for i := range bits {
		bits[i] ^= flips[i]
	}
}

// Addresses of a special class are mapped to addresses of the same class.
var (
	classes4 = prefixes("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
		"192.168.0.0/16", "224.0.0.0/4", "255.255.255.255/32", "0.0.0.0/32")
	classes6 = prefixes("::/128", "::1/128", "::ffff:0:0/96", "2000::/3", "fc00::/7", "fe80::/10", "ff00::/8")

	solicited = netip.MustParsePrefix("ff02::1:ff00:0/104") // for neighbour discovery; contains bits of a host's address
)

func prefixes(list ...string) []netip.Prefix {
	var p []netip.Prefix
	for _, s := range list {
		p = append(p, netip.MustParsePrefix(s))
	}
	return p
}

// addresses maps IP and MAC addresses. A nil addresses leaves them unchanged.
type addresses struct {
	four, six, mac *permuter
	cache          map[netip.Addr]netip.Addr
}

func newAddresses(s secret) *addresses {
	return &addresses{
		four: newPermuter(s, "IPv4"), six: newPermuter(s, "IPv6"), mac: newPermuter(s, "MAC"),
		cache: make(map[netip.Addr]netip.Addr),
	}
}

// ip maps an address. An IPv4 address inside an IPv6 address is mapped like the IPv4 address.
func (m *addresses) ip(a netip.Addr) netip.Addr {
	if m == nil {
		return a
	}
	a = a.WithZone("")
	if v, ok := m.cache[a]; ok {
		return v
	}
	if len(m.cache) >= maxCached {
		clear(m.cache)
	}
	v := m.compute(a)
	m.cache[a] = v
	return v
}

// maxCached limits the cached addresses. A cache helps, because a packet has two addresses, and mapping one needs an
// AES block for each bit.
const maxCached = 1 << 15

func (m *addresses) compute(a netip.Addr) netip.Addr {
	switch {
	case a.Is4In6():
		return netip.AddrFrom16(m.ip(a.Unmap()).As16())
	case solicited.Contains(a):
		b := a.As16()
		m.six.permute(b[:], func(i int) bool { return i < solicited.Bits() })
		return netip.AddrFrom16(b)
	case a.IsMulticast():
		return a
	case a.Is4():
		b := a.As4()
		m.four.permute(b[:], fixedBits(a, classes4))
		return netip.AddrFrom4(b)
	}
	b := a.As16()
	m.six.permute(b[:], fixedBits(a, classes6))
	return netip.AddrFrom16(b)
}

// fixedBits returns a function that reports whether bit i must not be flipped, because that would move the address into
// or out of a class.
func fixedBits(a netip.Addr, classes []netip.Prefix) func(i int) bool {
	stays := 0
	for _, c := range classes {
		// A class fixes the bits that it shares with the address, and the first bit that differs.
		stays = max(stays, min(sharedBits(a, c.Addr())+1, c.Bits()))
	}
	return func(i int) bool { return i < stays }
}

// sharedBits counts the leading bits that two addresses of one family share.
func sharedBits(a, b netip.Addr) int {
	n := a.BitLen()
	for bits := range n {
		p, err := a.Prefix(bits + 1)
		if err != nil || !p.Contains(b) {
			return bits
		}
	}
	return n
}

// bytes maps an address of four or sixteen bytes in place.
func (m *addresses) bytes(b []byte) {
	if a, ok := netip.AddrFromSlice(b); ok {
		copy(b, m.ip(a).AsSlice())
	}
}

// hardware maps a MAC address in place. It does not change the zero address and group addresses, except the groups of
// IPv6's neighbour discovery. It never flips the bits that mark group addresses and locally administered addresses.
func (m *addresses) hardware(b []byte) {
	switch {
	case m == nil:
	case b[0] == 0x33 && b[1] == 0x33 && b[2] == 0xff:
		group := solicited.Addr().As16()
		copy(group[13:], b[3:])
		m.bytes(group[:])
		copy(b[3:], group[13:])
	case [6]byte(b) == [6]byte{} || b[0]&1 != 0:
	default:
		m.mac.permute(b, func(i int) bool { return i == 6 || i == 7 })
	}
}
