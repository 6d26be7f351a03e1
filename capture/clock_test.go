package capture

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// exact converts a timestamp in units of 10^-n or 2^-n seconds to nanoseconds, without overflow.
func exact(stamp uint64, resolution byte, offset int64) int64 {
	base, n := int64(10), int64(resolution)
	if resolution >= 0x80 {
		base, n = 2, n-0x80
	}
	ns := new(big.Int).Mul(new(big.Int).SetUint64(stamp), big.NewInt(1e9))
	ns.Div(ns, new(big.Int).Exp(big.NewInt(base), big.NewInt(n), nil))
	if !ns.IsInt64() {
		ns.SetInt64(math.MaxInt64) // saturated before the offset is added
	}
	ns.Add(ns, new(big.Int).Mul(big.NewInt(offset), big.NewInt(1e9)))
	switch {
	case ns.IsInt64():
		return ns.Int64()
	case ns.Sign() > 0:
		return math.MaxInt64
	default:
		return math.MinInt64
	}
}

func TestClock(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	stamps := []uint64{0, 1, 999, 1e6, 1e9, 1<<63 - 1, 1 << 63, math.MaxUint64}
	offsets := []int64{0, 1, -1, 3600, 9_223_372_036, -9_223_372_036, math.MaxInt64}
	for range 200 {
		stamps = append(stamps, rnd.Uint64()>>rnd.UintN(64))
	}
	for resolution := range 256 {
		for _, stamp := range stamps {
			for _, offset := range offsets {
				c := newClock(byte(resolution))
				c.offset = offset
				if got, want := c.nanoseconds(stamp), exact(stamp, byte(resolution), offset); got != want {
					t.Fatalf("resolution %#x, offset %d: %d is %d ns, want %d", resolution, offset, stamp, got, want)
				}
			}
		}
	}
}
