package wiretest

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unsafe"
)

// sizer measures all data reachable from a value: the number of elements of each map and list, and the total size in
// bytes.
type sizer struct {
	seen    map[uintptr]bool // targets of pointers, lists and texts already visited
	entries []span           // memory of the entries of all LRUs, sorted; pointers to them are not followed

	measured []lru

	finding bool // first pass, which only fills entries
}

type span struct{ from, to uintptr }

// lru is a bounded.LRU that was measured.
type lru struct {
	path             string
	actual, reported int // bytes that its values refer to: as measured, and as Held reported
}

// size returns the size of the given parts in bytes, and the number of elements at each path.
func (s *sizer) size(parts map[string]any) (bytes int, found map[string]int) {
	roots := make(map[string]*spot)
	for _, s.finding = range []bool{true, false} {
		s.seen = make(map[uintptr]bool)
		bytes = 0
		for name, part := range parts {
			roots[name] = &spot{path: name}
			bytes += s.visit(reflect.ValueOf(part), roots[name])
		}
		slices.SortFunc(s.entries, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	}
	found = make(map[string]int)
	for _, root := range roots {
		root.collect(found)
	}
	return bytes, found
}

// visit returns the size of the data that a value refers to.
func (s *sizer) visit(v reflect.Value, at *spot) (bytes int) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || isProtocol(v.Type().Elem()) || s.isEntry(v.Pointer()) || s.again(v.Pointer()) {
			return 0
		}
		return sizeOf(v.Type().Elem()) + s.visit(v.Elem(), at)
	case reflect.Interface:
		if v.IsNil() {
			return 0
		}
		if v = v.Elem(); v.Kind() != reflect.Pointer {
			bytes = sizeOf(v.Type())
		}
		return bytes + s.visit(v, at)
	case reflect.String:
		if v.Len() > 0 && !s.again(uintptr(unsafe.Pointer(unsafe.StringData(v.String())))) {
			return v.Len()
		}
	case reflect.Struct:
		if strings.HasSuffix(v.Type().PkgPath(), "decode/wire/bounded") {
			return s.bounded(v, at)
		}
		for i, f := range at.fieldsOf(v.Type()) {
			bytes += s.visit(v.Field(f.index), at.part(i, f.name))
		}
	case reflect.Slice:
		return s.list(v, at)
	case reflect.Array:
		return s.elements(v, at)
	case reflect.Map:
		return s.table(v, at)
	}
	return bytes
}

func (s *sizer) list(v reflect.Value, at *spot) int {
	if v.Cap() == 0 || s.again(v.Pointer()) {
		return 0
	}
	element := v.Type().Elem()
	if element.Kind() != reflect.Uint8 { // a slice of bytes is a text
		at.most = max(at.most, v.Len())
	}
	return v.Cap()*sizeOf(element) + s.elements(v, at)
}

// elements returns the size of the data that the elements of an array or a list refer to.
func (s *sizer) elements(v reflect.Value, at *spot) (bytes int) {
	if isFlat(v.Type().Elem()) {
		return 0
	}
	for i := range v.Len() {
		bytes += s.visit(v.Index(i), at.part(0, "[]"))
	}
	return bytes
}

func (s *sizer) table(v reflect.Value, at *spot) int {
	if v.IsNil() || s.again(v.Pointer()) {
		return 0
	}
	at.most = max(at.most, v.Len())
	key, value := v.Type().Key(), v.Type().Elem()
	bytes := 48 + v.Len()*(sizeOf(key)+sizeOf(value)+1)*3/2 // an estimate, with some spare room
	if isFlat(key) && isFlat(value) {
		return bytes
	}
	for i := v.MapRange(); i.Next(); {
		bytes += s.visit(i.Key(), at.part(0, "[key]")) + s.visit(i.Value(), at.part(1, "[]"))
	}
	return bytes
}

// bounded visits the values of a container of package bounded. It does not count the elements, because a budget limits
// their number.
func (s *sizer) bounded(v reflect.Value, at *spot) (bytes int) {
	switch name, _, _ := strings.Cut(v.Type().Name(), "["); name {
	case "LRU":
		return s.lru(v, at)
	case "Endpoints":
		return s.visit(v.FieldByName("far"), at)
	case "Deadlines":
		heap := v.FieldByName("heap")
		return heap.Cap()*sizeOf(heap.Type().Elem()) + s.elements(heap, at)
	}
	return 0
}

func (s *sizer) lru(v reflect.Value, at *spot) (bytes int) {
	rows := v.FieldByName("rows")
	slabs := rows.FieldByName("slabs")
	inUse, holds := rows.FieldByName("inUse"), rows.FieldByName("held")
	slab := slabs.Type().Elem().Elem()
	row, entry := fieldNumbers(slab.Elem()), fieldNumbers(slab.Elem().Field(0).Type)
	flat := isFlat(slab.Elem().Field(0).Type.Field(entry["key"]).Type)
	keys, actual, reported := 0, 0, 0
	for i := range slabs.Len() {
		p := slabs.Index(i)
		if p.IsNil() {
			continue
		}
		bytes += sizeOf(slab)
		if s.finding {
			s.entries = append(s.entries, span{p.Pointer(), p.Pointer() + slab.Size()})
			continue
		}
		for j := range slab.Len() {
			r := p.Elem().Index(j)
			if inUse.Index(i).Uint()>>j&1 == 0 {
				continue
			}
			e := r.Field(row["value"])
			if !flat {
				keys += s.visit(e.Field(entry["key"]), at.part(0, "[key]"))
			}
			actual += s.visit(e.Field(entry["value"]), at.part(1, "[]"))
			if holds.Len() > 0 {
				reported += int(holds.Index(i*slab.Len() + j).Uint())
			}
		}
	}
	if !s.finding {
		s.measured = append(s.measured, lru{at.path, actual, reported})
	}
	bytes += keys + actual
	buckets := rows.FieldByName("index").FieldByName("buckets")
	for _, list := range []reflect.Value{v.FieldByName("lanes"), slabs, rows.FieldByName("free"), inUse, holds, buckets} {
		bytes += list.Cap() * sizeOf(list.Type().Elem())
	}
	return bytes
}

// fieldNumbers returns the indexes of a struct's fields by name.
func fieldNumbers(t reflect.Type) map[string]int {
	all := make(map[string]int)
	for i := range t.NumField() {
		all[t.Field(i).Name] = i
	}
	return all
}

// again records an address and reports whether it was recorded before.
func (s *sizer) again(at uintptr) bool {
	seen := s.seen[at]
	s.seen[at] = true
	return seen
}

func (s *sizer) isEntry(at uintptr) bool {
	if s.finding {
		return false
	}
	i, found := slices.BinarySearchFunc(s.entries, at, func(e span, at uintptr) int { return cmp.Compare(e.from, at) })
	return found || i > 0 && at < s.entries[i-1].to
}

// spot is a place in the structure of the state, such as a field of a type or the elements of a list.
type spot struct {
	path   string
	most   int // number of elements of the largest map or list at this place
	kind   reflect.Type
	fields []field // fields of kind that contain pointers
	parts  []*spot
}

func (at *spot) part(i int, name string) *spot {
	for len(at.parts) <= i {
		at.parts = append(at.parts, nil)
	}
	if at.parts[i] == nil {
		at.parts[i] = &spot{path: at.path + name}
	}
	return at.parts[i]
}

// fieldsOf returns the fields of a type that contain pointers.
func (at *spot) fieldsOf(t reflect.Type) []field {
	if at.kind != t {
		at.kind, at.fields = t, fieldsOf(t)
	}
	return at.fields
}

func (at *spot) collect(found map[string]int) {
	found[at.path] = max(found[at.path], at.most)
	for _, part := range at.parts {
		if part != nil {
			part.collect(found)
		}
	}
}

// field is a struct field that contains pointers.
type field struct {
	index int
	name  string
}

var fieldsByType sync.Map // map from reflect.Type to []field

func fieldsOf(t reflect.Type) []field {
	if known, ok := fieldsByType.Load(t); ok {
		return known.([]field)
	}
	var list []field
	for i := range t.NumField() {
		if f := t.Field(i); !isFlat(f.Type) {
			list = append(list, field{i, "." + f.Name})
		}
	}
	fieldsByType.Store(t, list)
	return list
}

// isFlat reports whether values of a type contain no pointers.
func isFlat(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map, reflect.String:
		return false
	case reflect.Array:
		return isFlat(t.Elem())
	case reflect.Struct:
		return t.PkgPath() == "net/netip" || len(fieldsOf(t)) == 0
	}
	return true
}

// isProtocol reports whether a pointer to this type leads to the description of a protocol, and not to state from
// traffic.
func isProtocol(t reflect.Type) bool {
	return strings.HasSuffix(t.PkgPath(), "decode/wire") && t.Name() != "Place"
}

func sizeOf(t reflect.Type) int { return int(t.Size()) }
