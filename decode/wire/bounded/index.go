package bounded

// An Index is a hash table of positions in an array, from 1. The array's owner compares the keys. An Index has no
// pointers, so the garbage collector does not scan it.
type Index struct {
	buckets []bucket // a power of two
	used    int      // buckets
}

// Len returns the number of positions.
func (x *Index) Len() int { return x.used }

// A bucket is free if its place is 0.
type bucket struct{ hash, place uint32 }

const (
	fewestBuckets = 8
	bucketSize    = 8 // bytes
)

// Bytes returns the memory of the index.
func (x *Index) Bytes() int { return len(x.buckets) * bucketSize }

// Find returns the position with a hash for which right reports true, or 0.
func (x *Index) Find(hash uint32, right func(place uint32) bool) uint32 {
	if len(x.buckets) == 0 {
		return 0
	}
	mask := uint32(len(x.buckets) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		b := x.buckets[i]
		if b.place == 0 || b.hash == hash && right(b.place) {
			return b.place
		}
	}
}

// Put adds a position by its hash.
func (x *Index) Put(hash, place uint32) {
	if x.used >= len(x.buckets)/8*7 {
		x.resize(2 * len(x.buckets))
	}
	x.used++
	x.fill(bucket{hash, place})
}

func (x *Index) fill(b bucket) {
	mask := uint32(len(x.buckets) - 1)
	i := b.hash & mask
	for x.buckets[i].place != 0 {
		i = (i + 1) & mask
	}
	x.buckets[i] = b
}

// resize changes the number of buckets, a power of two.
func (x *Index) resize(size int) {
	old := x.buckets
	x.buckets = make([]bucket, max(fewestBuckets, size))
	for _, b := range old {
		if b.place != 0 {
			x.fill(b)
		}
	}
}

// Remove removes a position, if it is there. Buckets after it move up, so that none is free between
// a bucket and its preferred place.
func (x *Index) Remove(hash, place uint32) {
	if len(x.buckets) == 0 {
		return
	}
	mask := uint32(len(x.buckets) - 1)
	at := hash & mask
	for x.buckets[at].place != place {
		if x.buckets[at].place == 0 {
			return
		}
		at = (at + 1) & mask
	}
	x.used--
	for i := (at + 1) & mask; x.buckets[i].place != 0; i = (i + 1) & mask {
		if best := x.buckets[i].hash & mask; (i-best)&mask >= (i-at)&mask {
			x.buckets[at] = x.buckets[i]
			at = i
		}
	}
	x.buckets[at] = bucket{}
	if len(x.buckets) > fewestBuckets && x.used < len(x.buckets)/4 {
		x.resize(len(x.buckets) / 2)
	}
}
