package wire

import (
	"errors"
	"fmt"
)

// The reasons of a FieldError, for use with errors.Is.
var (
	ErrShort    = errors.New("the message ends in a field")
	ErrTooLarge = errors.New("the value is too large for its field")
	ErrTooMany  = errors.New("lists have too many elements to be kept")
)

// FieldError describes why a field could not be read or written. It unwraps to its reason.
type FieldError struct {
	Group  string // the list or group that contains the field, or ""
	Index  int    // index of the field's element in that list, or -1
	Field  string
	Offset int   // offset of the field in its message
	Need   int   // bytes of the field; ErrTooLarge: largest value that fits; ErrTooMany: limit on bytes of lists
	Have   int   // number of bytes left; writing: the size of the value
	Text   bool  // the field is a counted text whose count exceeds the message
	Lead   int   // size of that count in bytes
	Err    error // ErrTooLarge, ErrTooMany or ErrPacked; nil means ErrShort
}

// Path returns the names of the groups and lists that contain the field, and the field's name.
func (e *FieldError) Path() string {
	in := e.Group
	if e.Index >= 0 {
		in = fmt.Sprintf("%s[%d]", in, e.Index)
	}
	switch {
	case in == "":
		return e.Field
	case e.Field == "": // the element is a single value
		return in
	}
	return in + "." + e.Field
}

func (e *FieldError) Error() string {
	switch e.Err {
	case ErrTooMany:
		return fmt.Sprintf("%s at offset %d: lists take more than %d bytes; no more is read", e.Path(), e.Offset, e.Need)
	case ErrPacked:
		return fmt.Sprintf("%s at offset %d cannot be unpacked", e.Path(), e.Offset)
	case ErrTooLarge:
		return fmt.Sprintf("%s: %d is too large; at most %d fit", e.Path(), e.Have, e.Need)
	}
	return fmt.Sprintf("%s at offset %d needs %s, %d left", e.Path(), e.Offset, Counted(e.Need, "byte"), e.Have)
}

func (e *FieldError) Unwrap() error {
	if e.Err == nil {
		return ErrShort
	}
	return e.Err
}

// Counted returns a number with its noun, for the texts of errors and findings: "1 byte", "2 bytes".
func Counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
