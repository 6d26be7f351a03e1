package wire

import (
	"net/netip"

	"github.com/google/gopacket"
)

// A Session keeps, for one capture and protocol, what decoding needs of earlier messages: for example which endpoint is
// a master. It sees every datagram of the protocol before and after it is decoded.
type Session interface {
	Before(Layer, *Datagram)
	After(Layer, *Datagram)
}

// A Keeper is a layer that needs state from a Session to decode its message. With that state, another layer of the
// protocol can decode the message again later, as the viewer does. A layer with a State needs no Keeper.
type Keeper interface {
	// Keep returns the Session's state from before and after the message was decoded: a comparable value that never
	// changes, or nil if there is none. The caller also keeps the Context, without the Roster.
	Keep() any

	// Recall decodes a message again, as DecodeFromBytes did. The caller sets the Context first. It does not repeat
	// findings of sessions and trackers.
	Recall(data []byte, kept any) error
}

// Keep returns what Recall needs in addition to a message's bytes and Context: a comparable value, or nil.
func Keep(l Layer) any {
	if k, ok := l.(interface{ Keep() any }); ok {
		return k.Keep()
	}
	return nil
}

// Recall decodes a message again. The caller sets the Context first.
func Recall(l Layer, data []byte, kept any) error {
	switch k := l.(type) {
	case Keeper:
		return k.Recall(data, kept)
	case interface{ restore(kept any) }:
		k.restore(kept)
	}
	return l.DecodeFromBytes(data, gopacket.NilDecodeFeedback)
}

// An Expecter is a Session that learns about servers from messages.
type Expecter interface {
	// Expects reports whether packets to this endpoint are likely to be the protocol's.
	Expects(server netip.AddrPort) bool
}

// A Forgetter is a Session that joins several messages.
type Forgetter interface {
	// Lost reports that bytes from src to dst are missing on a connection.
	Lost(src, dst netip.AddrPort)
}

// A Closer is a Session that keeps state of connections.
type Closer interface {
	// Closed reports that a connection is over, or is silent for so long that the engine drops it. Later packets
	// between its ends belong to another one.
	Closed(t Transport, a, b netip.AddrPort)
}
