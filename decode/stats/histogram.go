package stats

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// Histogram counts values in fixed buckets: whole numbers below 32 each in its own, larger ones in
// buckets a 32nd of their value wide. So a percentile is off by 3 % at the most, two histograms add
// up exactly, and there are at most some two thousand buckets.
type Histogram struct {
	Count   int64    `json:"count"`
	Sum     int64    `json:"sum"` // saturates
	Min     int64    `json:"min"`
	Max     int64    `json:"max"`
	Buckets []Bucket `json:"buckets"` // in rising order

	hit int // the bucket met last
}

// Bucket is the number of values from Low on, up to where the next bucket begins.
type Bucket struct {
	Low   int64 `json:"low"`
	Count int64 `json:"count"`
}

const (
	fineBits = 5
	fine     = 1 << fineBits // buckets up to each power of two
)

// low is where the bucket of a value begins.
func low(v int64) int64 {
	if v < fine {
		return max(v, 0)
	}
	shift := bits.Len64(uint64(v)) - 1 - fineBits
	return v >> shift << shift
}

// Add counts a value. Negative ones count as zero.
func (h *Histogram) Add(v int64) {
	v = max(v, 0)
	if h.Count == 0 {
		h.Min, h.Max = v, v
	}
	h.Min, h.Max = min(h.Min, v), max(h.Max, v)
	h.Count++
	h.Sum = add(h.Sum, v)
	h.bucket(low(v)).Count++
}

// bucket gives the one that begins at low.
func (h *Histogram) bucket(low int64) *Bucket {
	if h.hit < len(h.Buckets) && h.Buckets[h.hit].Low == low {
		return &h.Buckets[h.hit] // lengths and times repeat
	}
	i, found := slices.BinarySearchFunc(h.Buckets, low, func(x Bucket, low int64) int { return cmp.Compare(x.Low, low) })
	if !found {
		h.Buckets = slices.Insert(h.Buckets, i, Bucket{Low: low})
	}
	h.hit = i
	return &h.Buckets[i]
}

// merge adds another histogram.
func (h *Histogram) merge(o *Histogram) {
	if o.Count == 0 {
		return
	}
	if h.Count == 0 {
		h.Min, h.Max = o.Min, o.Max
	}
	h.Min, h.Max = min(h.Min, o.Min), max(h.Max, o.Max)
	h.Count += o.Count
	h.Sum = add(h.Sum, o.Sum)
	for _, b := range o.Buckets {
		h.bucket(b.Low).Count += b.Count
	}
}

// add saturates; neither number is negative.
func add(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// Quantile gives the value below which a share of the values lies, from 0 to 1: the middle of its
// bucket, within the smallest and the largest value.
func (h *Histogram) Quantile(share float64) int64 {
	if share >= 1 {
		return h.Max
	}
	rank := int64(math.Ceil(share * float64(h.Count)))
	for _, b := range h.Buckets {
		if rank -= b.Count; rank <= 0 {
			width := int64(1)
			if b.Low >= fine {
				width = 1 << (bits.Len64(uint64(b.Low)) - 1 - fineBits)
			}
			return min(max(b.Low+(width-1)/2, h.Min), h.Max)
		}
	}
	return h.Max
}
