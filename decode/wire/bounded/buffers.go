package bounded

import "math/bits"

// Buffers make byte slices and keep those that are given back, so that who needs many of them for a short time
// makes few. They count what they made, so that its owner can bound it. The zero value is ready for use.
type Buffers struct {
	spare [32][][]byte // by the logarithm of their capacity
	bytes int
}

// Bytes is how many bytes the buffers have, those in use and those given back.
func (b *Buffers) Bytes() int { return b.bytes }

// Spare is how many of these bytes the buffers have that were given back.
func (b *Buffers) Spare() (bytes int) {
	for class, spare := range b.spare {
		bytes += len(spare) << class
	}
	return bytes
}

// Cost is by how much Bytes would grow to make a buffer with room for size bytes, at least one: 0 if one that was
// given back serves.
func (b *Buffers) Cost(size int) int {
	if class := bits.Len(uint(size - 1)); len(b.spare[class]) == 0 {
		return 1 << class
	}
	return 0
}

// Get gives an empty buffer with room for size bytes, at least one: the next power of two.
func (b *Buffers) Get(size int) []byte {
	class := bits.Len(uint(size - 1))
	if len(b.spare[class]) > 0 {
		return b.take(class)
	}
	b.bytes += 1 << class
	return make([]byte, 0, 1<<class)
}

// Put takes back a buffer that came from Get. One without any room is none.
func (b *Buffers) Put(buffer []byte) {
	if cap(buffer) > 0 {
		class := bits.Len(uint(cap(buffer) - 1))
		b.spare[class] = append(b.spare[class], buffer[:0])
	}
}

// Drop leaves a buffer that was given back to the garbage collector, the largest first. It reports whether there
// was one.
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
