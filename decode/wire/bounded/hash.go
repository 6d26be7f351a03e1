package bounded

import (
	"fmt"
	"hash/maphash"
	"reflect"
	"unsafe"
)

// A hasher hashes keys by their bytes. maphash.Comparable does the same, but allocates memory for keys with pointers,
// such as addresses. Since attackers can choose keys, each hasher has its own seed.
type hasher struct {
	seed maphash.Seed
	runs []run
}

// A run is a range of a key's bytes without padding.
type run struct{ from, size uintptr }

// newHasher makes a hasher for keys of a type. Keys must be numbers, addresses, pointers, or structs and arrays of
// these types, because equal values of these types have equal bytes.
func newHasher(key reflect.Type) *hasher {
	h := &hasher{seed: maphash.MakeSeed()}
	h.add(key, 0)
	return h
}

func (h *hasher) add(t reflect.Type, from uintptr) {
	switch k := t.Kind(); k {
	case reflect.Struct:
		for f := range t.Fields() {
			h.add(f.Type, from+f.Offset)
		}
	case reflect.Array:
		for i := range t.Len() {
			h.add(t.Elem(), from+uintptr(i)*t.Elem().Size())
		}
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128, reflect.String, reflect.Interface:
		panic(fmt.Sprintf("bounded: a key has a %s", k))
	default:
		if last := len(h.runs) - 1; last >= 0 && h.runs[last].from+h.runs[last].size == from {
			h.runs[last].size += t.Size()
		} else {
			h.runs = append(h.runs, run{from, t.Size()})
		}
	}
}

func (h *hasher) hash(key unsafe.Pointer) uint32 {
	sum := uint64(0)
	for _, r := range h.runs {
		bytes := unsafe.Slice((*byte)(unsafe.Add(key, r.from)), r.size)
		sum = sum*0x9e3779b97f4a7c15 ^ maphash.Bytes(h.seed, bytes)
	}
	return uint32(sum ^ sum>>32)
}
