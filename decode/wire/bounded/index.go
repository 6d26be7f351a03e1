package bounded

// An Index is a hash table of places. A place is the position of a value in the caller's array, from 1. The caller also
// keeps and compares the keys. An Index contains no pointers, so the garbage collector does not scan it.
type Index struct {
	buckets []bucket
	used    int // number of buckets in use
}

// Len returns the number of places.
func (x *Index) Len() int { return x.used }

// A bucket is free if its place is 0.
type bucket struct{ hash, place uint32 }

const (
	fewestBuckets = 8
	bucketSize    = 8 // in bytes
)

// Bytes returns the memory of the index.
func (x *Index) Bytes() int { return len(x.buckets) * bucketSize }

// Find returns a place that has the hash and for which right returns true, or 0.
func (x *Index) Find(hash uint32, right func(place uint32) bool) uint32 {
	if len(x.buckets) == 0 {
		return 0
	}
	for i := x.preferred(hash); ; i = x.next(i) {
		b := x.buckets[i]
		if b.place == 0 || b.hash == hash && right(b.place) {
			return b.place
		}
	}
}

// preferred returns the index of the bucket where a search for a hash begins. A larger hash has a larger or equal
// index, so resize accesses the old and the new buckets in order.
func (x *Index) preferred(hash uint32) int { return int(uint64(hash) * uint64(len(x.buckets)) >> 32) }

// next returns the index of the bucket after bucket i.
func (x *Index) next(i int) int {
	if i++; i < len(x.buckets) {
		return i
	}
	return 0
}

// Put adds a place with its hash.
func (x *Index) Put(hash, place uint32) {
	if n := len(x.buckets); x.used >= n*7/8 {
		x.resize(n + n/4 + fewestBuckets)
	}
	x.used++
	x.fill(bucket{hash, place})
}

func (x *Index) fill(b bucket) {
	i := x.preferred(b.hash)
	for x.buckets[i].place != 0 {
		i = x.next(i)
	}
	x.buckets[i] = b
}

// resize changes the number of buckets.
func (x *Index) resize(size int) {
	old := x.buckets
	x.buckets = make([]bucket, max(fewestBuckets, size))
	for _, b := range old {
		if b.place != 0 {
			x.fill(b)
		}
	}
}

// Remove removes a place if it is in the index. It moves later entries back, so no free bucket lies between
// an entry and its preferred bucket.
func (x *Index) Remove(hash, place uint32) {
	if len(x.buckets) == 0 {
		return
	}
	at := x.preferred(hash)
	for x.buckets[at].place != place {
		if x.buckets[at].place == 0 {
			return
		}
		at = x.next(at)
	}
	x.used--
	for i := x.next(at); x.buckets[i].place != 0; i = x.next(i) {
		if x.distance(x.preferred(x.buckets[i].hash), i) >= x.distance(at, i) {
			x.buckets[at] = x.buckets[i]
			at = i
		}
	}
	x.buckets[at] = bucket{}
	if len(x.buckets) > fewestBuckets && x.used < len(x.buckets)/4 {
		x.resize(len(x.buckets) / 2)
	}
}

// distance returns the number of steps from one bucket to another.
func (x *Index) distance(from, to int) int {
	if to -= from; to < 0 {
		to += len(x.buckets)
	}
	return to
}
