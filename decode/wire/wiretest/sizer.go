package wiretest

import (
	"reflect"
	"strings"
	"sync"
)

// sizer notes for each map and list that can be reached from a value how many elements it has: for those that
// stand in elements of others, the most.
type sizer struct {
	found map[string]int
	seen  map[uintptr]bool
}

func (s *sizer) visit(v reflect.Value, path string) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || s.seen[v.Pointer()] || strings.HasSuffix(v.Type().Elem().PkgPath(), "decode/wire") {
			return // of the protocol, not of what was said
		}
		s.seen[v.Pointer()] = true
		s.visit(v.Elem(), path)
	case reflect.Interface:
		s.visit(v.Elem(), path)
	case reflect.Struct:
		if strings.HasSuffix(v.Type().PkgPath(), "decode/wire/bounded") {
			s.bounded(v, path)
			return
		}
		for _, f := range fieldsOf(v.Type()) {
			s.visit(v.Field(f.index), path+f.name)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return // a text
		}
		s.note(path, v.Len())
		for i := 0; i < v.Len() && !flat(v.Type().Elem()); i++ {
			s.visit(v.Index(i), path+"[]")
		}
	case reflect.Array:
		for i := 0; i < v.Len() && !flat(v.Type().Elem()); i++ {
			s.visit(v.Index(i), path+"[]")
		}
	case reflect.Map:
		s.note(path, v.Len())
		if flat(v.Type().Elem()) {
			return
		}
		for i := v.MapRange(); i.Next(); {
			s.visit(i.Value(), path+"[]")
		}
	}
}

// bounded visits what stands in a bounded.LRU, whose size is bounded by what it is, and nothing of bounded.Deadlines,
// which hold no more than what is waited for, and let go of it in time.
func (s *sizer) bounded(v reflect.Value, path string) {
	entries := v.FieldByName("entries")
	if !entries.IsValid() {
		return
	}
	value, _ := entries.Type().Elem().Elem().FieldByName("value")
	if flat(value.Type) {
		return
	}
	for i := entries.MapRange(); i.Next(); {
		s.visit(i.Value().Elem().FieldByIndex(value.Index), path+"[]")
	}
}

func (s *sizer) note(path string, size int) { s.found[path] = max(s.found[path], size) }

// field is one of a struct that leads somewhere.
type field struct {
	index int
	name  string
}

var fieldsByType sync.Map // of reflect.Type to []field

func fieldsOf(t reflect.Type) []field {
	if known, ok := fieldsByType.Load(t); ok {
		return known.([]field)
	}
	var list []field
	for i := range t.NumField() {
		if f := t.Field(i); !flat(f.Type) {
			list = append(list, field{i, "." + f.Name})
		}
	}
	fieldsByType.Store(t, list)
	return list
}

// flat reports whether values of a type lead nowhere.
func flat(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
		return false
	case reflect.Array:
		return flat(t.Elem())
	case reflect.Struct:
		return len(fieldsOf(t)) == 0
	}
	return true
}
