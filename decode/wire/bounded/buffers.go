package bounded

import "math/bits"

// Buffers is a pool of byte slices. It counts the bytes of its slices, so the owner can bound them. The zero value is
// ready for use.
type Buffers struct {
	spare [32][][]byte // by class, the binary logarithm of their capacity
	bytes int
}

// Bytes returns the bytes of all buffers, both in use and spare.
func (b *Buffers) Bytes() int { return b.bytes }

// Spare returns the bytes of the spare buffers.
func (b *Buffers) Spare() (bytes int) {
	for class, spare := range b.spare {
		bytes += len(spare) << class
	}
	return bytes
}

// Cost returns by how much Get(size) would increase Bytes: 0 if there is a spare buffer of the right capacity. size
// must be at least 1.
func (b *Buffers) Cost(size int) int {
	if class := bits.Len(uint(size - 1)); len(b.spare[class]) == 0 {
		return 1 << class
	}
	return 0
}

// Get returns an empty buffer with room for size bytes, rounded up to a power of two. size must be at least 1.
func (b *Buffers) Get(size int) []byte {
	class := bits.Len(uint(size - 1))
	if len(b.spare[class]) > 0 {
		return b.take(class)
	}
	b.bytes += 1 << class
	return make([]byte, 0, 1<<class)
}

// Put takes back a buffer that Get returned. It ignores a buffer without capacity.
func (b *Buffers) Put(buffer []byte) {
	if cap(buffer) > 0 {
		class := bits.Len(uint(cap(buffer) - 1))
		b.spare[class] = append(b.spare[class], buffer[:0])
	}
}

// Drop drops the largest spare buffer. It reports whether there was one.
func (b *Buffers) Drop() bool {
	for class := len(b.spare) - 1; class >= 0; class-- {
		if len(b.spare[class]) > 0 {
			b.bytes -= cap(b.take(class))
			return true
		}
	}
	return false
}

func (b *Buffers) take(class int) []byte {
	last := len(b.spare[class]) - 1
	buffer := b.spare[class][last]
	b.spare[class][last] = nil
	b.spare[class] = b.spare[class][:last]
	return buffer
}
