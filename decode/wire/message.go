package wire

import (
	"reflect"
	"slices"
	"unsafe"
)

// A Walker lists fields: a message, a part of one, or a layer.
type Walker interface {
	Walk(*Cursor)
}

// A Body is one kind of message.
type Body interface{ Walker }

// A Prototype makes the bodies of one type, and clears them for the next message.
type Prototype struct {
	fresh func() Body
	empty func(Body)
}

// Like makes the Prototype of bodies that begin as a copy of blank. blank is usually a zero struct. Messages that
// differ only in the names of their fields share a struct, and blank contains the names. Lists that are nil in blank
// keep their memory for the next message. Lists that are not nil are shared, so Walk must not change them.
func Like[T any, P interface {
	*T
	Body
}](blank T) Prototype {
	empty := func(b Body) { *b.(P) = blank }
	if lists := listsOf(reflect.TypeFor[T](), 0); len(lists) > 0 {
		empty = func(b Body) {
			p := b.(P)
			old := *p
			*p = blank
			for _, at := range lists { // any list has the layout of a list of bytes
				was, is := (*[]byte)(unsafe.Add(unsafe.Pointer(&old), at)), (*[]byte)(unsafe.Add(unsafe.Pointer(p), at))
				if *is == nil {
					*is = (*was)[:0]
				}
			}
		}
	}
	return Prototype{
		fresh: func() Body {
			p := P(new(T))
			*p = blank
			return p
		},
		empty: empty,
	}
}

// listsOf returns the offsets of the lists in a struct that begins at an offset, without byte slices, which alias
// messages.
func listsOf(t reflect.Type, at uintptr) (found []uintptr) {
	if t.Kind() != reflect.Struct {
		return nil
	}
	for f := range t.Fields() {
		found = append(found, listsOf(f.Type, at+f.Offset)...)
		if f.Type.Kind() == reflect.Slice && f.Type.Elem() != reflect.TypeFor[byte]() {
			found = append(found, at+f.Offset)
		}
	}
	return found
}

// New makes a body.
func (p Prototype) New() Body { return p.fresh() }

// A Summarizer appends the few values that describe a message in one line.
type Summarizer interface {
	AppendSummary([]byte) []byte
}

// MessageType is an entry of a protocol's table of messages.
type MessageType struct {
	Name      string
	Code      string    // "" for protocols whose code is an ordinary field
	Direction Direction // the only direction in which it is sent; Unknown: both
	Recurs    Recurrence
	Body      Prototype
	Answers   []string // names of the other side's messages that it answers in the same conversation

	table *Messages // the table that lists it, at index id
	id    int
}

// A Keyed is a body with a key that a question and its answer share.
type Keyed interface {
	AnswerKey() []byte // nil: no key
}

// Recurrence says where a kind of message occurs in a conversation.
type Recurrence uint8

// The recurrences.
const (
	InOrder Recurrence = iota // at its place in an exchange
	InParts                   // at its place, as one or several consecutive messages
	Anytime                   // in no order with other messages
)

// Messages is the table of a protocol's messages.
type Messages struct {
	list  []*MessageType
	asked map[string]bool // names of messages that have answers
}

// NewMessages makes a table.
func NewMessages(list ...*MessageType) *Messages {
	table := &Messages{list: list, asked: make(map[string]bool)}
	for i, m := range list {
		for _, question := range m.Answers {
			if !slices.ContainsFunc(list, func(o *MessageType) bool { return o.Name == question }) {
				panic("wire: message " + m.Name + " answers " + question + ", which is none")
			}
			table.asked[question] = true
		}
		if m.table != nil {
			panic("wire: message " + m.Name + " stands in two tables")
		}
		m.id, m.table = i, table
	}
	return table
}

// IsQuestion reports whether another message answers this one.
func (m *MessageType) IsQuestion() bool { return m.table != nil && m.table.asked[m.Name] }

// All returns the messages of the table.
func (m *Messages) All() []*MessageType { return m.list }
