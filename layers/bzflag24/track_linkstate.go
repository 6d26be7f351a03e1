package bzflag24

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// link is the UDP link of a connection, as far as the capture shows it.
type link struct {
	from   netip.AddrPort // source of the client's last request; not valid: no request
	asked  int64          // time of the last request
	in     bool           // the server confirms that it hears the client
	out    bool           // the client confirms that it hears the server, or the server sends the game by UDP
	served bool           // a datagram of the server was captured
	noted  bool           // a problem with a direction was noted

	rejected  [2]int // datagrams reported by ICMP: to the server, and from it
	goesOn    bool   // the client sent something over TCP after that
	strangers uint8  // strangers noted that claim to be the player

	updates int32 // from the client over TCP since it was accepted
	replies int32 // from the server over TCP since in, of kinds that would go by UDP
	shown   string
}

// state returns which directions work. whole says that the capture has the connection from its beginning.
func (l *link) state(whole bool) string {
	switch {
	case l.out:
		return "both"
	case l.in && l.from.IsValid():
		return "in"
	case whole && !l.in:
		return "none"
	}
	return "" // the capture lacks the datagrams
}

// claimed returns the player that a client's datagram claims as its sender.
func claimed(l *Layer) (id PlayerID, ok bool) {
	if l.Fault() != nil || l.Truncated() {
		return 0, false
	}
	switch b := l.Body.(type) {
	case *LinkRequest:
		return b.Player.ID, true
	case *PlayerUpdate:
		return b.Player.ID, true
	case *PlayerUpdateSmall:
		return b.Player.ID, true
	case *ShotBegin:
		return b.Shot.Shooter.ID, true
	case *GMUpdate:
		return b.Shot.Shooter.ID, true
	}
	return 0, false
}

// mayLink reports whether a datagram from a port of its own may belong to the client's link: it requests the link, or
// the request was not captured.
func (c *connection) mayLink(m message, r bzflag.Route) bool {
	if r.Client.Addr() != c.Client.Addr() {
		return false
	}
	_, asks := m.layer.Body.(*LinkRequest)
	return asks && !(c.link.in && c.isWhole()) || c.link.in && !c.link.from.IsValid()
}

// isWhole reports whether the capture has all of the connection since its beginning, in both directions.
func (c *connection) isWhole() bool { return c.begun && c.hello && c.tcp && !c.missed.Known() }
