package wire

import "strings"

// Privacy classifies the private content of a field.
type Privacy uint8

// The kinds of privacy.
const (
	Public         Privacy = iota // not about people: codes, versions, map names
	PrivateName                   // names of people and servers, and how to reach them
	PrivateChat                   // chat, which may contain a secret
	PrivateSecret                 // a password or token
	PrivateAddress                // a binary address
	PrivateBytes                  // bytes of unknown content

	// For HTTP: the target of a request, the value of a header, and a document.
	PrivateTarget
	PrivateHeader
	PrivateDocument
)

var privacyNames = [...]string{"", "name", "chat", "secret", "address", "unknown", "target", "header", "document"}

// String returns the name of the privacy, or "" for Public.
func (p Privacy) String() string { return privacyNames[p] }

// Privacies classifies the fields of a protocol. A key is the path of a field, the last part of the path, or a group,
// which covers its fields: "servers.ip", "name", "servers". With a message's name before it, a key applies only to that
// message: "Reject.text". Fields that are not listed are PrivateName if they are texts, PrivateBytes if they are bytes,
// PrivateAddress if they are addresses, and otherwise Public.
type Privacies map[string]Privacy

// Of returns the privacy of a field, given the message's name and the path below the message. listed reports whether
// the table lists the field or a group around it.
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

// OfNode is Of for a field of a tree. A key of Pairs is public unless it is listed by its path.
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

// lookUp finds a field of a message in a table by its path, by the last part of the path, or by a group around it.
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

// Role says whether a field's value is the same in other captures, so that an expectation recorded from one capture can
// require it.
type Role uint8

// The roles.
const (
	Lasting    Role = iota // the same in other captures: a name, a limit, a setting
	Passing                // different in each game: a time, a key, a sequence number, a port
	Structural             // part of the message's format: its code, its length
)

// Roles lists the roles of a protocol's fields. Its keys have the same form as the keys of Privacies. Fields that are
// not listed are Lasting.
type Roles map[string]Role

// Of returns the role of a field, given the message's name and the path below the message.
func (r Roles) Of(message, path string) (role Role, listed bool) { return lookUp(r, message, path) }
