package bzflag17

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
)

const maxLinks = 16 // of a connection; real clients have one

// recordLink takes note of a client's port for the UDP link.
func (e *event) recordLink(b *LinkRequest) {
	c := e.conn
	c.hasLink = true
	link := udpLink{netip.AddrPortFrom(e.route.Client.Addr(), b.Port), e.route.Server.Addr()}
	if e.links.Get(link) == nil {
		if c.links >= maxLinks {
			return
		}
		c.links++
	}
	*e.links.Make(link) = e.route
}

// recordRelay takes note that one side wants updates to go over the connection.
func (e *event) recordRelay() {
	e.conn.relay = true
	e.conn.settle(ruleRelay, PlayerID{}, e.place.Time)
}

// checkRelay checks that updates may go over the connection at all.
func (e *event) checkRelay() {
	c := e.conn
	reported := &c.relayReported.fromServer
	if e.layer.Direction == c2s {
		reported = &c.relayReported.toServer
	} else if !c.clientSeen {
		return
	}
	// A robot's client may have asked on a connection of its own.
	if e.place.Transport != wire.TCP || c.relay || c.stage != playing || *reported || c.isRobot() {
		return
	}
	*reported = true
	text := e.layer.Message.Name + ", and neither side sent MsgNetworkRelay"
	e.postpone(pendingFinding{rule: ruleRelay, text: text, otherSide: true}, arrivalTime)
}
