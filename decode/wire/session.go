package wire

import "net/netip"

// A Session remembers, for one capture and protocol, who is who: which endpoint is a master,
// say. It sees every datagram of the protocol before it is decoded and after.
type Session interface {
	Before(Layer, *Datagram)
	After(Layer, *Datagram)
}

// A Keeper is a layer whose message depends on more than its bytes and its Context: on what a Session put into it. With
// what it kept a message can be decoded again later, by another layer of the protocol.
type Keeper interface {
	// Keep gives what the Session put into the layer, before the message was decoded and after: a value that can be
	// compared, and that is never changed; nil if there is nothing. The Context is to be kept besides, but for the Roster.
	Keep() any

	// Recall decodes a message again, as DecodeFromBytes did. The Context has to be set. What sessions and trackers
	// reported of the message is not among the findings.
	Recall(data []byte, kept any) error
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
