package stats

import (
	"encoding/binary"
	"net/netip"
)

// hashBits is the size of a hash in bits. A JSON number holds that many bits exactly.
const hashBits = 53

// A digest computes a hash. The hash of a key must never change, because merged Stats must agree on which rows a list
// keeps.
type digest uint64

// add adds a number.
func (d digest) add(v uint64) digest {
	x := (uint64(d) ^ v) * 0x9e3779b97f4a7c15
	return digest(x ^ x>>32)
}

// addEnd adds an endpoint.
func (d digest) addEnd(e netip.AddrPort) digest {
	a := e.Addr().As16()
	rest := uint64(e.Port())<<8 | uint64(e.Addr().BitLen())
	return d.add(binary.BigEndian.Uint64(a[:])).add(binary.BigEndian.Uint64(a[8:])).add(rest)
}

// addText adds a text.
func (d digest) addText(s string) digest {
	d = d.add(uint64(len(s)))
	for ; len(s) >= 8; s = s[8:] {
		d = d.add(binary.LittleEndian.Uint64([]byte(s[:8])))
	}
	last := uint64(0)
	for i := range len(s) {
		last = last<<8 | uint64(s[i])
	}
	return d.add(last)
}

// sum returns the hash. Every bit of it depends on every bit that was added.
func (d digest) sum() uint64 {
	x := uint64(d)
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return (x ^ x>>33) >> (64 - hashBits)
}

func (p ConversationKey) hash() uint64 {
	return digest(1).add(uint64(p.Transport)).addEnd(p.A).addEnd(p.B).sum()
}

func (e EndpointKey) hash() uint64 { return digest(2).add(uint64(e.Transport)).addEnd(e.At).sum() }

func (s RowKey) hash() uint64 {
	return digest(3).addEnd(s.Server).addText(s.Who).addText(s.Whom).sum()
}
