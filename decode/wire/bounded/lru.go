package bounded

// An LRU keeps values by key, but no more than a number of them: the one that was used longest ago
// makes room. Trackers keep in it what strangers can make many of.
type LRU[K comparable, V any] struct {
	most    int
	dropped func(K, *V) // called before a value makes room; may be nil
	entries map[K]*entry[K, V]
	newest  *entry[K, V]
	oldest  *entry[K, V]
}

type entry[K comparable, V any] struct {
	key          K
	value        V
	newer, older *entry[K, V]
}

// NewLRU makes an LRU for most values. What makes room is shown to dropped, which may be nil.
func NewLRU[K comparable, V any](most int, dropped func(K, *V)) *LRU[K, V] {
	return &LRU[K, V]{most: most, dropped: dropped, entries: make(map[K]*entry[K, V])}
}

// Len is the number of values.
func (b *LRU[K, V]) Len() int { return len(b.entries) }

// Get gives the value of a key, nil if there is none. It counts as use.
func (b *LRU[K, V]) Get(k K) *V {
	if p := b.newest; p != nil && p.key == k {
		return &p.value // who was there last mostly goes on
	}
	p := b.entries[k]
	if p == nil {
		return nil
	}
	b.unlink(p)
	b.link(p)
	return &p.value
}

// Make gives the value of a key, an empty one if there was none. It counts as use. A value that makes
// room is not to be used any more.
func (b *LRU[K, V]) Make(k K) *V {
	if v := b.Get(k); v != nil {
		return v
	}
	var p *entry[K, V]
	if len(b.entries) >= b.most {
		p = b.oldest // its memory serves again
		if b.dropped != nil {
			b.dropped(p.key, &p.value)
		}
		b.remove(p)
	} else {
		p = new(entry[K, V])
	}
	*p = entry[K, V]{key: k}
	b.entries[k] = p
	b.link(p)
	return &p.value
}

// Delete forgets a key. It is not shown to dropped.
func (b *LRU[K, V]) Delete(k K) {
	if p := b.entries[k]; p != nil {
		b.remove(p)
	}
}

// Each calls a function with every key and value, the one used longest ago first. The function may
// delete that one.
func (b *LRU[K, V]) Each(f func(K, *V)) {
	for p := b.oldest; p != nil; {
		next := p.newer
		f(p.key, &p.value)
		p = next
	}
}

func (b *LRU[K, V]) remove(p *entry[K, V]) {
	b.unlink(p)
	delete(b.entries, p.key)
}

func (b *LRU[K, V]) link(p *entry[K, V]) {
	p.newer, p.older = nil, b.newest
	if b.newest != nil {
		b.newest.newer = p
	} else {
		b.oldest = p
	}
	b.newest = p
}

func (b *LRU[K, V]) unlink(p *entry[K, V]) {
	if p.newer != nil {
		p.newer.older = p.older
	} else {
		b.newest = p.older
	}
	if p.older != nil {
		p.older.newer = p.newer
	} else {
		b.oldest = p.newer
	}
}
