package decode

import "github.com/gamedissect/gamedissect/decode/wire"

// A sink takes what is decoded, in the order of the capture.
type sink interface {
	// tick tells how late it is. Time does not go back, but for what came before the first packet.
	tick(tick)

	// message takes a message, whose place in the datagram or stream is at. The layer is its alone until the
	// next message.
	message(p *protocol, l wire.Layer, place *wire.Place, at int64)

	// lost tells that bytes of a stream are missing.
	lost(p *protocol, place *wire.Place)

	// ended tells that one side of a connection says nothing more.
	ended(p *protocol, place *wire.Place)

	// finding takes a finding that no message carries.
	finding(f *wire.TrafficFinding)
}

// A tick is what a packet with a newer time tells.
type tick struct {
	now        int64
	remembered int // bytes that the decoding side has in use: so many less are there for trackers
}
