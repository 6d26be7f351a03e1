package bzflag17

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
)

const maxLinks = 16 // of a connection; real clients have one

// recordLink takes note of a client's port for the UDP link.
func (e *event) recordLink(b *LinkRequest) {
	v := e.view
	v.hasLink = true
	link := udpLink{netip.AddrPortFrom(e.route.Client.Addr(), b.Port), e.route.Server.Addr()}
	if e.links.Get(link) == nil {
		if v.links >= maxLinks {
			return
		}
		v.links++
	}
	*e.links.Make(link) = e.route
}

// recordRelay takes note that one side wants updates to go over the connection.
func (e *event) recordRelay() {
	e.view.relay = true
	e.view.settle(ruleRelay, PlayerID{}, e.place.Time)
}

// checkRelay checks that updates may go over the connection at all.
func (e *event) checkRelay() {
	v := e.view
	reported := &v.relayReported.fromServer
	if e.layer.Direction == c2s {
		reported = &v.relayReported.toServer
	} else if !v.clientSeen {
		return
	}
	// A robot's client may have asked on a connection of its own.
	if e.place.Transport != wire.TCP || v.relay || v.stage != playing || *reported || v.isRobot() {
		return
	}
	*reported = true
	text := e.layer.Message.Name + ", and neither side sent MsgNetworkRelay"
	e.postpone(pendingFinding{rule: ruleRelay, text: text, otherSide: true}, arrivalTime)
}
