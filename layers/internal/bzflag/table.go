package bzflag

import (
	"fmt"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Lengths are the possible lengths of a body.
type Lengths struct {
	least, most int
	step        int // difference between the lengths from least to most
	also        int // an additional length; 0: none
}

// Exactly allows one length.
func Exactly(n int) Lengths { return Lengths{least: n, most: n, step: 1} }

// Between allows any length from n to m.
func Between(n, m int) Lengths { return Lengths{least: n, most: m, step: 1} }

// Either allows one of two lengths.
func Either(n, m int) Lengths { return Lengths{least: n, most: n, step: 1, also: m} }

// Each allows n bytes followed by a list whose elements have size bytes each.
func Each(n, size int) Lengths { return Lengths{least: n, most: MaxBody, step: size} }

// Fits reports whether n is one of the lengths.
func (l Lengths) Fits(n int) bool {
	inSteps := l.step == 1 || (n-l.least)%l.step == 0
	return n >= l.least && n <= l.most && inSteps || l.also > 0 && n == l.also
}

func (l Lengths) String() string {
	switch {
	case l.also > 0:
		return fmt.Sprintf("%d or %d", l.least, l.also)
	case l.least == l.most:
		return fmt.Sprint(l.least)
	case l.step > 1:
		return fmt.Sprintf("%d plus any multiple of %d", l.least, l.step)
	}
	return fmt.Sprintf("%d to %d", l.least, l.most)
}

// A Variant is a message as one side sends it, with the layout of its body.
type Variant struct {
	*wire.MessageType
	Lengths

	// Size computes the length of a body from its content. It returns -1 if the beginning of the body does not
	// determine the length. Size is nil if Lengths is sufficient.
	Size func(body []byte) int
}

// directionWords follow the name of a message in texts.
var directionWords = [...]string{
	wire.ToServer: " to the server", wire.FromServer: " from the server", wire.PeerToPeer: " from player to player",
}

func (v *Variant) String() string { return v.Name + directionWords[v.Direction] }

// A ByCode is the set of messages with one code.
type ByCode struct {
	ToServer, FromServer *Variant // nil: never sent; both equal: same layout
	Peers                bool     // players also send it to each other
}

// Variant returns the layout of a message. The direction determines the layout. If the direction is unknown, the length
// determines it.
func (k *ByCode) Variant(way wire.Direction, body int) *Variant {
	to, from := k.ToServer, k.FromServer
	switch {
	case way == wire.ToServer && to != nil, from == nil:
		return to
	case way == wire.FromServer && from != nil, to == nil:
		return from
	case to.Fits(body), !from.Fits(body) && body < from.least:
		return to
	}
	return from
}

// ambiguous reports whether both sides send a message with this body length, but with different layouts.
func (k *ByCode) ambiguous(body int) bool {
	to, from := k.ToServer, k.FromServer
	return to != from && to != nil && from != nil && to.Fits(body) && from.Fits(body)
}

// Allows reports whether a message may be sent in that direction.
func (k *ByCode) Allows(way wire.Direction) bool {
	switch way {
	case wire.ToServer:
		return k.ToServer != nil
	case wire.FromServer:
		return k.FromServer != nil
	case wire.PeerToPeer:
		return k.Peers
	}
	return true
}

// A Row is a row of a version's table of messages.
type Row struct {
	Code    Code
	Variant *Variant
}

// NewRow returns a row. If the direction is unknown, both sides send the message with the same layout.
func NewRow(code Code, name string, way wire.Direction, l Lengths, body wire.Prototype) Row {
	m := &wire.MessageType{Name: name, Code: code.String(), Direction: way, Body: body}
	return Row{code, &Variant{MessageType: m, Lengths: l}}
}

// Sized adds a function that computes the length of a body from its content (see Variant).
func (r Row) Sized(size func(body []byte) int) Row {
	r.Variant.Size = size
	return r
}

// Answers adds a message name to the row. The row's message is an answer to that message.
func (r Row) Answers(question string) Row {
	r.Variant.Answers = append(r.Variant.Answers, question)
	return r
}

// InParts marks a message that may be one of several consecutive parts.
func (r Row) InParts() Row {
	r.Variant.Recurs = wire.InParts
	return r
}

// Anytime marks a message that may be sent at any time, when something changes.
func (r Row) Anytime() Row {
	r.Variant.Recurs = wire.Anytime
	return r
}

// Table maps codes to messages. Nearly all codes consist of two lower-case letters, which index an array: a map would
// cost a third of the decoding time of a message.
type Table struct {
	letters [26][26]*ByCode
	others  map[Code]*ByCode
}

// letter returns a pointer to the entry for a code of two lower-case letters, or nil for other codes.
func (t *Table) letter(code Code) **ByCode {
	if a, b := code>>8-'a', code&0xff-'a'; a < 26 && b < 26 {
		return &t.letters[a][b]
	}
	return nil
}

// Get returns the messages with a code, or nil if there are none.
func (t *Table) Get(code Code) *ByCode {
	if k := t.letter(code); k != nil {
		return *k
	}
	return t.others[code]
}

// Make returns the entry for a code. If there is none, it adds an empty one, which the caller must fill.
func (t *Table) Make(code Code) *ByCode {
	k := t.Get(code)
	if k != nil {
		return k
	}
	k = new(ByCode)
	if at := t.letter(code); at != nil {
		*at = k
	} else {
		t.others[code] = k
	}
	return k
}

// NewTable makes a table from rows. It also returns the message types of the rows, in the same order.
func NewTable(rows []Row) (*Table, []*wire.MessageType) {
	table := &Table{others: make(map[Code]*ByCode)}
	list := make([]*wire.MessageType, 0, len(rows))
	for _, r := range rows {
		list = append(list, r.Variant.MessageType)
		k := table.Make(r.Code)
		if r.Variant.Direction != wire.FromServer {
			k.ToServer = r.Variant
		}
		if r.Variant.Direction != wire.ToServer {
			k.FromServer = r.Variant
		}
	}
	return table, list
}
