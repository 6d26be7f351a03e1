package bzflag24

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// link is the UDP link of a connection, as far as it was captured.
type link struct {
	from   netip.AddrPort // source of the client's last request; invalid: no request
	asked  int64          // time of that request
	in     bool           // the server confirmed that it receives the client's datagrams
	out    bool           // the client confirmed that it receives datagrams, or the server sent the game by UDP
	served bool           // a datagram from the server was captured
	noted  bool           // a problem with one direction was reported

	rejected  [2]int // datagrams to and from the server that ICMP reports as undelivered
	goesOn    bool   // the client sent a message over TCP after the first undelivered datagram
	strangers uint8  // number of other addresses that were reported for sending as the player

	updates int32 // updates that the client sent over TCP after the server accepted it
	replies int32 // messages that the server sent over TCP after in was set, although it could send them over UDP
	shown   string
}

// state returns which directions of the link work. whole means that the capture has the whole connection.
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

// claimed returns the player whom a client's datagram names as its sender.
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

// mayLink reports whether a datagram may belong to the client's link although its port is not the port of the
// connection. The datagram must request the link, or the capture must lack the request.
func (c *connection) mayLink(m message, r bzflag.Route) bool {
	if r.Client.Addr() != c.Client.Addr() {
		return false
	}
	_, asks := m.layer.Body.(*LinkRequest)
	return asks && !(c.link.in && c.isWhole()) || c.link.in && !c.link.from.IsValid()
}

// isWhole reports whether the capture has both directions of the connection, from the beginning and without gaps.
func (c *connection) isWhole() bool { return c.begun && c.hello && c.tcp && !c.missed.Known() }
