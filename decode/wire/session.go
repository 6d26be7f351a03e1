package wire

import "net/netip"

// A Session remembers, for one capture and protocol, who is who: which endpoint is a master,
// say. It sees every datagram of the protocol before it is decoded and after.
type Session interface {
	Before(Layer, *Datagram)
	After(Layer, *Datagram)
}

// An Expecter is a Session that learns of servers from what it hears.
type Expecter interface {
	// Expects reports whether what goes to this endpoint is likely to be the protocol's.
	Expects(server netip.AddrPort) bool
}

// A Forgetter is a Session that joins what is said in several messages.
type Forgetter interface {
	// Lost tells that bytes are missing of what src sent to dst over a connection.
	Lost(src, dst netip.AddrPort)
}

// A Roster tells what players and the like are called. Sessions learn it.
type Roster interface {
	// Name is "" for a number that nobody is known by.
	Name(number uint64) string
}
