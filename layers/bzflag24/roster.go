package bzflag24

import "unsafe"

// roster has call signs by number. It is never changed: messages show names as they were then. Nil
// has none.
type roster struct {
	parts []*rosterPart // of neighbouring numbers; nil: nobody there has a name
	bytes int           // of parts and names
}

// rosterPart is what has to be copied when a name changes.
type rosterPart [16]string

// Name implements wire.Roster.
func (r *roster) Name(number uint64) string {
	at := number / uint64(len(rosterPart{}))
	if r == nil || at >= uint64(len(r.parts)) || r.parts[at] == nil {
		return ""
	}
	return r.parts[at][number%uint64(len(rosterPart{}))]
}

// with gives the roster with another name.
func (r *roster) with(id PlayerID, name string) *roster {
	before := r.Name(uint64(id))
	if before == name {
		return r
	}
	if r == nil {
		r = new(roster)
	}
	at := int(id) / len(rosterPart{})
	changed := &roster{make([]*rosterPart, max(len(r.parts), at+1)), r.bytes + len(name) - len(before)}
	copy(changed.parts, r.parts)
	part := new(rosterPart)
	if old := changed.parts[at]; old != nil {
		*part = *old
	} else {
		changed.bytes += int(unsafe.Sizeof(*part))
	}
	changed.parts[at] = part
	part[int(id)%len(part)] = name
	return changed
}

// held is how many bytes a roster takes; nil is none.
func (r *roster) held() int {
	if r == nil {
		return 0
	}
	return int(unsafe.Sizeof(*r)) + 8*len(r.parts) + r.bytes
}
