package view

import (
	"strings"
)

// Carrying finds the packets that carry the rows that a filter is true of, as far as the capture is read. It works until
// it is done.
func (v *View) Carrying(text string) (func(frame int) bool, error) {
	if strings.TrimSpace(text) == "" {
		return func(int) bool { return true }, nil
	}
	j, err := v.jobFor(text)
	if err != nil {
		return nil, err
	}
	for j.next < v.index.len() {
		if err := v.advance(j, newLimit(nil)); err != nil {
			return nil, err
		}
	}
	carry := make(frames, v.packets/64+1)
	for _, n := range j.matches {
		v.index.carry(carry, int(n))
	}
	return carry.has, nil
}

// frames is a set of packets by their number.
type frames []uint64

func (f frames) add(n int) {
	if i := n / 64; i >= 0 && i < len(f) {
		f[i] |= 1 << (n % 64)
	}
}

func (f frames) has(n int) bool { return n >= 0 && n/64 < len(f) && f[n/64]&(1<<(n%64)) != 0 }

// carry adds the packets that carry a row.
func (x *index) carry(to frames, n int) {
	to.add(int(x.row(n).frame))
}
