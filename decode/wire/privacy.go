package wire

import "strings"

// Privacy says what a field tells a stranger.
type Privacy uint8

// The kinds of privacy.
const (
	Public         Privacy = iota // nothing of people: codes, versions, the names of maps
	PrivateName                   // how people and their servers are called and found
	PrivateChat                   // what people say; a secret may be in it
	PrivateSecret                 // a password, or what serves as one
	PrivateAddress                // an address, as binary
	PrivateBytes                  // nobody knows: it may be anything

	// Of HTTP: what is asked for, the value of a header, a document.
	PrivateTarget
	PrivateHeader
	PrivateDocument
)

var privacyNames = [...]string{"", "name", "chat", "secret", "address", "unknown", "target", "header", "document"}

// String is "" for Public.
func (p Privacy) String() string { return privacyNames[p] }

// Privacies tells of the fields of a protocol how private they are. A key is the field's name with
// those of the groups it stands in, or its last part, or a group for all in it; the name of a
// message in front makes it that message's: "servers.ip", "name", "Reject.text". Texts that are not
// listed are taken for names, opaque bytes for PrivateBytes and addresses for PrivateAddress;
// everything else is public.
type Privacies map[string]Privacy

// Of tells how private a field of a message is, given its path below the message. listed reports whether
// it, or a group it is in, is in the table.
func (p Privacies) Of(message, path string, kind Kind) (privacy Privacy, listed bool) {
	if v, ok := lookUp(p, message, path); ok {
		return v, true
	}
	switch kind {
	case String:
		return PrivateName, false
	case Bytes:
		return PrivateBytes, false
	case Address:
		return PrivateAddress, false
	}
	return Public, false
}

// OfNode is Of for a field of a tree. The keys of Pairs are public unless they are listed by their path.
func (p Privacies) OfNode(message, path string, n *Node) Privacy {
	if !n.Key {
		privacy, _ := p.Of(message, path, n.Kind)
		return privacy
	}
	if v, ok := p[message+"."+path]; ok {
		return v
	}
	return p[path]
}

// lookUp finds what a table says of a field of a message: by its path, its last name, or a group it is in.
func lookUp[V any](table map[string]V, message, path string) (v V, ok bool) {
	last := path[strings.LastIndexByte(path, '.')+1:]
	for _, key := range [...]string{message + "." + path, path, last} {
		if v, ok := table[key]; ok {
			return v, true
		}
	}
	for at := strings.LastIndexByte(path, '.'); at > 0; at = strings.LastIndexByte(path[:at], '.') {
		if v, ok := table[path[:at]]; ok {
			return v, true
		}
	}
	return v, false
}

// Role says what a field's value is worth in an expectation that is made from one capture and has to hold
// in others.
type Role uint8

// The roles.
const (
	Lasting    Role = iota // comes again the next time: a name, a limit, a setting
	Passing                // another one when the game is started anew: a time, a key, a number in a sequence, a port
	Structural             // only says which kind of message it is: its code, its length
)

// Roles tells the roles of a protocol's fields. The keys are those of Privacies; what is not listed is
// Lasting.
type Roles map[string]Role

// Of tells the role of a field of a message, given its path below the message.
func (r Roles) Of(message, path string) (role Role, listed bool) { return lookUp(r, message, path) }
