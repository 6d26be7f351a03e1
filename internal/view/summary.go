package view

import (
	"reflect"

	"github.com/gamedissect/gamedissect/internal/summary"
)

// summary answers with the summary of the files. It has no commands, since the page has its own ways to what they show.
func (v *View) summary(*struct{}) (*summary.Summary, error) {
	s := summary.Make(&summary.Source{Source: v.counted(), Files: v.files.counts})
	s.Next = []string{}
	makePlain(reflect.ValueOf(s).Elem())
	return s, nil
}

// makePlain makes all texts of a value plain.
func makePlain(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(plain(v.String()))
	case reflect.Slice:
		for i := range v.Len() {
			makePlain(v.Index(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			makePlain(v.Elem())
		}
	case reflect.Struct:
		for _, f := range v.Fields() {
			if f.CanSet() {
				makePlain(f)
			}
		}
	}
}
