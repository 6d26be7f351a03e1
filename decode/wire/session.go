package wire

import "net/netip"

// A Session remembers, for one capture and protocol, what decoding needs of earlier messages: which endpoint is a
// master, say. It sees every datagram of the protocol before it is decoded and after.
type Session interface {
	Before(Layer, *Datagram)
	After(Layer, *Datagram)
}

// A Keeper is a layer whose message depends on state that a Session put into the layer. With that state another
// layer of the protocol can decode the message again later.
type Keeper interface {
	// Keep returns the Session's state, before and after the message was decoded: a comparable value that never
	// changes; nil if there is none. The caller also keeps the Context, without the Roster.
	Keep() any

	// Recall decodes a message again, as DecodeFromBytes did. The caller sets the Context first. Findings of sessions
	// and trackers are not repeated.
	Recall(data []byte, kept any) error
}

// An Expecter is a Session that learns of servers from messages.
type Expecter interface {
	// Expects reports whether what goes to this endpoint is likely to be the protocol's.
	Expects(server netip.AddrPort) bool
}

// A Forgetter is a Session that joins several messages.
type Forgetter interface {
	// Lost reports that bytes from src to dst are missing on a connection.
	Lost(src, dst netip.AddrPort)
}
