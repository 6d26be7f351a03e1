package stats

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// Histogram counts integers in fixed buckets. Each number below 64 has its own bucket. Larger numbers share buckets
// whose width is at most 1/32 of the value. Percentiles are therefore off by at most 3 %, histograms merge exactly, and
// there are at most about two thousand buckets.
type Histogram struct {
	Count   int64    `json:"count"`
	Sum     int64    `json:"sum"` // saturates
	Min     int64    `json:"min"`
	Max     int64    `json:"max"`
	Buckets []Bucket `json:"buckets"` // in rising order

	latest int    // index of the bucket used last
	unit   string // see Series.Unit
}

// Bucket counts the values from Low up to the next bucket. A capture may need millions of buckets, so a Bucket has the
// index in its upper bits and the count in its lower bits.
type Bucket uint64

const (
	fineBits  = 5
	fine      = 1 << fineBits // number of buckets per power of two
	countBits = 53            // enough for any capture; a JSON number holds a count exactly
	maxCount  = 1<<countBits - 1
)

// bucketIndex returns the index of the bucket for a value, from 0.
func bucketIndex(v int64) uint64 {
	if v < fine {
		return uint64(max(v, 0))
	}
	shift := bits.Len64(uint64(v)) - 1 - fineBits
	return uint64(shift)<<fineBits + uint64(v>>shift)
}

// span returns the first value of the bucket and the number of values that share the bucket.
func (b Bucket) span() (low, width int64) {
	at := int64(b >> countBits)
	if at < 2*fine {
		return at, 1
	}
	shift := at>>fineBits - 1
	return (fine + at%fine) << shift, 1 << shift
}

// Low returns the smallest value that belongs in the bucket.
func (b Bucket) Low() int64 { low, _ := b.span(); return low }

// Count returns the number of values counted in the bucket.
func (b Bucket) Count() int64 { return int64(b & maxCount) }

// plainBucket is the JSON form of a bucket.
type plainBucket struct {
	Low   int64 `json:"low"`
	Count int64 `json:"count"`
}

// MarshalJSON writes {"low":32,"count":5}.
func (b Bucket) MarshalJSON() ([]byte, error) { return json.Marshal(plainBucket{b.Low(), b.Count()}) }

// UnmarshalJSON reads the output of MarshalJSON.
func (b *Bucket) UnmarshalJSON(text []byte) error {
	var p plainBucket
	if err := json.Unmarshal(text, &p); err != nil {
		return err
	}
	if *b = Bucket(bucketIndex(p.Low) << countBits); b.Low() != p.Low || p.Count < 0 || p.Count > maxCount {
		return fmt.Errorf("a bucket with %d values from %d on is not possible", p.Count, p.Low)
	}
	*b += Bucket(p.Count)
	return nil
}

// Add counts a value. Negative values count as zero.
func (h *Histogram) Add(v int64) {
	v = max(v, 0)
	if h.Count == 0 {
		h.Min, h.Max = v, v
	}
	h.Min, h.Max = min(h.Min, v), max(h.Max, v)
	h.Count = addSaturating(h.Count, 1)
	h.Sum = addSaturating(h.Sum, v)
	h.count(Bucket(bucketIndex(v)<<countBits | 1))
}

// count adds a bucket's count to the bucket with the same index.
func (h *Histogram) count(b Bucket) {
	at := b >> countBits
	if h.latest >= len(h.Buckets) || h.Buckets[h.latest]>>countBits != at { // often false, because values repeat
		i, found := slices.BinarySearchFunc(h.Buckets, at, func(x, at Bucket) int { return cmp.Compare(x>>countBits, at) })
		if !found {
			h.Buckets = slices.Insert(h.Buckets, i, at<<countBits)
		}
		h.latest = i
	}
	n := &h.Buckets[h.latest]
	*n = at<<countBits | min(*n&maxCount+b&maxCount, maxCount)
}

// Merge adds another histogram.
func (h *Histogram) Merge(o *Histogram) {
	if o.Count == 0 {
		return
	}
	if h.Count == 0 {
		h.Min, h.Max = o.Min, o.Max
	}
	h.Min, h.Max = min(h.Min, o.Min), max(h.Max, o.Max)
	h.Count = addSaturating(h.Count, o.Count)
	h.Sum = addSaturating(h.Sum, o.Sum)
	for _, b := range o.Buckets {
		h.count(b)
	}
}

// addSaturating returns the sum, limited to the range of int64.
func addSaturating(a, b int64) int64 {
	switch {
	case b > 0 && a > math.MaxInt64-b:
		return math.MaxInt64
	case b < 0 && a < math.MinInt64-b:
		return math.MinInt64
	}
	return a + b
}

// Quantile returns the value below which the given share of the values lies, for a share from 0 to 1. The result is the
// middle of a bucket, limited to the range from Min to Max.
func (h *Histogram) Quantile(share float64) int64 {
	if share >= 1 {
		return h.Max
	}
	rank := int64(math.Ceil(share * float64(h.Count)))
	for _, b := range h.Buckets {
		if rank -= b.Count(); rank <= 0 {
			low, width := b.span()
			return min(max(low+(width-1)/2, h.Min), h.Max)
		}
	}
	return h.Max
}
