package decode

import "github.com/gamedissect/gamedissect/decode/wire"

// A stage receives decoded messages in capture order. It is the dispatcher, or a pipeline that runs the dispatcher.
type stage interface {
	// tick advances the time. The first tick sets it.
	tick(tick)

	// jump sets the time after a gap in the capture or a jump of the capture's clock.
	jump(tick)

	// message passes a message. at is its offset in its datagram, or its position in its stream. The layer is valid
	// until the next message.
	message(p *protocol, l wire.Layer, place *wire.Place, at int64)

	// lost reports that bytes of a stream are missing.
	lost(p *protocol, place *wire.Place)

	// ended reports the end of a stream.
	ended(p *protocol, place *wire.Place)

	// signal passes a signal, which is an event of a conversation and not a message.
	signal(s wire.Signal, p *protocol, place *wire.Place)

	// finding passes a finding that does not belong to a message.
	finding(f *wire.TrafficFinding)
}

// A tick is the time of a packet that is newer than all earlier packets.
type tick struct {
	now        int64
	remembered int // number of bytes that decoding uses, so trackers cannot use them
}
