package wire

import (
	"net/netip"

	"github.com/google/gopacket"
)

// A Session keeps, for one capture and protocol, the data from earlier messages that decoding needs, such as which
// endpoint is a master server. It is called for every datagram of the protocol, before and after decoding.
type Session interface {
	Before(Layer, *Datagram)
	After(Layer, *Datagram)
}

// A Keeper is a layer that needs state from a Session to decode its message. With that state, another layer of the
// protocol can decode the message again later, as the viewer does. A layer that embeds a State need not be a Keeper.
type Keeper interface {
	// Keep returns the Session's state before and after the message was decoded: a comparable value that never changes,
	// or nil if there is no state. The caller also keeps the Context, without the Roster.
	Keep() any

	// Recall decodes a message again, as DecodeFromBytes did. The caller must set the Context first. Recall does not
	// repeat findings of sessions and trackers.
	Recall(data []byte, kept any) error
}

// Keep returns the data that Recall needs in addition to the message's bytes and Context: a comparable value, or nil.
func Keep(l Layer) any {
	if k, ok := l.(interface{ Keep() any }); ok {
		return k.Keep()
	}
	return nil
}

// Recall decodes a message again. The caller must set the Context first.
func Recall(l Layer, data []byte, kept any) error {
	switch k := l.(type) {
	case Keeper:
		return k.Recall(data, kept)
	case interface{ restore(kept any) }:
		k.restore(kept)
	}
	return l.DecodeFromBytes(data, gopacket.NilDecodeFeedback)
}

// An Expecter is a Session that learns the endpoints of servers from messages.
type Expecter interface {
	// Expects reports whether packets to the endpoint probably belong to the protocol.
	Expects(server netip.AddrPort) bool
}

// A Forgetter is a Session that joins data from several messages, and must drop the data if a part of it is lost.
type Forgetter interface {
	// Lost records that bytes from src to dst are missing on a connection.
	Lost(src, dst netip.AddrPort)
}

// A Closer is a Session that keeps state of connections.
type Closer interface {
	// Closed records that a connection is over, or that the engine drops it after a long silence. Later packets between
	// its ends belong to another connection.
	Closed(t Transport, a, b netip.AddrPort)
}
