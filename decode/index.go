package decode

// An index finds things of a table by a hash: it says where in the table they are, and the table looks whether they
// are the right ones. It has no pointers, so that the garbage collector need not look at it, however many there are.
type index struct {
	buckets []bucket // a power of two
	used    int
}

// A bucket is free if its place is 0.
type bucket struct{ hash, place uint32 }

const (
	fewestBuckets = 64
	bucketSize    = 8 // bytes
)

// bytes is how much memory the index takes.
func (x *index) bytes() int { return len(x.buckets) * bucketSize }

// find gives the place of the thing with a hash that is the right one, 0 if there is none.
func (x *index) find(hash uint32, right func(place uint32) bool) uint32 {
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

// put adds a place by its hash.
func (x *index) put(hash, place uint32) {
	if x.used >= len(x.buckets)/8*7 {
		x.grow()
	}
	x.used++
	x.fill(bucket{hash, place})
}

func (x *index) fill(b bucket) {
	mask := uint32(len(x.buckets) - 1)
	i := b.hash & mask
	for x.buckets[i].place != 0 {
		i = (i + 1) & mask
	}
	x.buckets[i] = b
}

func (x *index) grow() {
	old := x.buckets
	x.buckets = make([]bucket, max(fewestBuckets, 2*len(old)))
	for _, b := range old {
		if b.place != 0 {
			x.fill(b)
		}
	}
}

// remove takes a place with its hash out, if it is there. Buckets behind it move up, so that none is free between
// a bucket and where it would be best.
func (x *index) remove(hash, place uint32) {
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
}
