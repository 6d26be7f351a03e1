package bzflag

import (
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Roster maps the players of a server to their call signs. It is immutable, because each message keeps the names that
// were valid when it was sent. A nil Roster is empty.
type Roster struct {
	parts [rosterParts]rosterPart
	bytes int // number of bytes of names and entries
}

// The names are in several parts, so that a change copies only one part. A full part drops its oldest name. All numbers
// below 256 have room, and no game has more players.
const (
	rosterParts   = 16
	rosterPartMax = 16
)

// rosterPart has the names of some players, by number.
type rosterPart []named

type named struct {
	number uint64
	name   string
}

var _ wire.Roster = (*Roster)(nil)

func partOf(number uint64) int {
	return int((number ^ number>>16 ^ number>>32 ^ number>>48) % rosterParts)
}

func (p rosterPart) find(number uint64) int {
	return slices.IndexFunc(p, func(n named) bool { return n.number == number })
}

func (r *Roster) Name(number uint64) string {
	if r == nil {
		return ""
	}
	p := r.parts[partOf(number)]
	if i := p.find(number); i >= 0 {
		return p[i].name
	}
	return ""
}

// With returns a roster in which name replaces one player's name. An empty name removes the player.
func (r *Roster) With(number uint64, name string) *Roster {
	if r.Name(number) == name {
		return r
	}
	changed := new(Roster)
	if r != nil {
		*changed = *r
	}
	part := &changed.parts[partOf(number)]
	changed.bytes -= part.held()
	kept := make(rosterPart, 0, min(len(*part)+1, rosterPartMax))
	for i, n := range *part {
		full := i == 0 && len(*part) == rosterPartMax && part.find(number) < 0
		if n.number != number && !full {
			kept = append(kept, n)
		}
	}
	if name != "" {
		kept = append(kept, named{number, name})
	}
	*part = kept
	changed.bytes += part.held()
	return changed
}

// held returns the number of bytes that the names of a part occupy.
func (p rosterPart) held() int {
	n := cap(p) * int(unsafe.Sizeof(named{}))
	for i := range p {
		n += len(p[i].name)
	}
	return n
}

// Held returns the number of bytes that the roster occupies. It is 0 for a nil Roster.
func (r *Roster) Held() int {
	if r == nil {
		return 0
	}
	return int(unsafe.Sizeof(*r)) + r.bytes
}
