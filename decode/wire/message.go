package wire

import (
	"reflect"
	"slices"
	"unsafe"
)

// A Walker lists its fields. It is a message, a part of a message, or a layer.
type Walker interface {
	Walk(*Cursor)
}

// A Body contains the fields of one message type.
type Body interface{ Walker }

// A Prototype makes the bodies of one message type, and clears them for the next message.
type Prototype struct {
	fresh func() Body
	empty func(Body)
}

// Like makes the Prototype of bodies that begin as a copy of blank, usually a zero struct. Messages that differ only in
// their field names can share a struct type; blank then contains the names. If a list is nil in blank, each body reuses
// the list's memory for the next message. Otherwise all bodies share the list, so Walk must not change it.
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
			for _, at := range lists { // all lists have the same memory layout as a list of bytes
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

// listsOf returns the offsets of the lists in a struct that begins at the given offset. It omits byte slices, because
// they alias messages.
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

// A Summarizer appends the few values that describe the message in one line of output.
type Summarizer interface {
	AppendSummary([]byte) []byte
}

// MessageType is an entry of a protocol's table of messages.
type MessageType struct {
	Name      string
	Code      string    // "" for protocols whose code is an ordinary field
	Direction Direction // the only direction in which it is sent; Unknown: any
	Recurs    Recurrence
	Body      Prototype
	Answers   []string // names of the messages from the other side that it answers, in the same conversation

	table *Messages // the table that contains it, at index id
	id    int
}

// A Keyed is a body with a key that is the same in a question and its answer.
type Keyed interface {
	AnswerKey() []byte // nil: the body has no key
}

// Recurrence describes where a kind of message may occur in a conversation.
type Recurrence uint8

// The recurrences.
const (
	InOrder Recurrence = iota // at a fixed place in the order of messages
	InParts                   // like InOrder, but possibly as several consecutive messages
	Anytime                   // anywhere among other messages
)

// Messages is the table of a protocol's messages.
type Messages struct {
	list  []*MessageType
	asked map[string]bool // names of the messages that are questions
}

// NewMessages makes a table.
func NewMessages(list ...*MessageType) *Messages {
	table := &Messages{list: list, asked: make(map[string]bool)}
	for i, m := range list {
		for _, question := range m.Answers {
			if !slices.ContainsFunc(list, func(o *MessageType) bool { return o.Name == question }) {
				panic("wire: message " + m.Name + " answers " + question + ", which is not in the table")
			}
			table.asked[question] = true
		}
		if m.table != nil {
			panic("wire: message " + m.Name + " is in two tables")
		}
		m.id, m.table = i, table
	}
	return table
}

// IsQuestion reports whether there is a message that answers this one.
func (m *MessageType) IsQuestion() bool { return m.table != nil && m.table.asked[m.Name] }

// All returns the messages of the table.
func (m *Messages) All() []*MessageType { return m.list }
