package wire

// A Book keeps values by key, but no more than a number of them: the one that was used longest ago
// makes room. Trackers keep in it what strangers can make many of.
type Book[K comparable, V any] struct {
	most    int
	dropped func(K, *V) // called before a value makes room; may be nil
	pages   map[K]*page[K, V]
	newest  *page[K, V]
	oldest  *page[K, V]
}

type page[K comparable, V any] struct {
	key          K
	value        V
	newer, older *page[K, V]
}

// NewBook makes a book for most values. What makes room is shown to dropped, which may be nil.
func NewBook[K comparable, V any](most int, dropped func(K, *V)) *Book[K, V] {
	return &Book[K, V]{most: most, dropped: dropped, pages: make(map[K]*page[K, V])}
}

// Len is the number of values.
func (b *Book[K, V]) Len() int { return len(b.pages) }

// Get gives the value of a key, nil if there is none. It counts as use.
func (b *Book[K, V]) Get(k K) *V {
	if p := b.newest; p != nil && p.key == k {
		return &p.value // who was there last mostly goes on
	}
	p := b.pages[k]
	if p == nil {
		return nil
	}
	b.unlink(p)
	b.link(p)
	return &p.value
}

// Make gives the value of a key, an empty one if there was none. It counts as use. A value that makes
// room is not to be used any more.
func (b *Book[K, V]) Make(k K) *V {
	if v := b.Get(k); v != nil {
		return v
	}
	p := new(page[K, V])
	if len(b.pages) >= b.most {
		p = b.oldest
		if b.dropped != nil {
			b.dropped(p.key, &p.value)
		}
		b.remove(p)
	}
	*p = page[K, V]{key: k}
	b.pages[k] = p
	b.link(p)
	return &p.value
}

// Delete forgets a key. It is not shown to dropped.
func (b *Book[K, V]) Delete(k K) {
	if p := b.pages[k]; p != nil {
		b.remove(p)
	}
}

// Each calls a function with every key and value, the one used longest ago first. The function may
// delete that one.
func (b *Book[K, V]) Each(f func(K, *V)) {
	for p := b.oldest; p != nil; {
		next := p.newer
		f(p.key, &p.value)
		p = next
	}
}

func (b *Book[K, V]) remove(p *page[K, V]) {
	b.unlink(p)
	delete(b.pages, p.key)
}

func (b *Book[K, V]) link(p *page[K, V]) {
	p.newer, p.older = nil, b.newest
	if b.newest != nil {
		b.newest.newer = p
	} else {
		b.oldest = p
	}
	b.newest = p
}

func (b *Book[K, V]) unlink(p *page[K, V]) {
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
