package decode

import "github.com/gamedissect/gamedissect/decode/wire"

// A stage takes what is decoded, in the order of the capture: the dispatcher, or a pipeline before it.
type stage interface {
	// tick moves the time on. The first tick may go back.
	tick(tick)

	// jump sets the time, after a hole of the capture or a step of its clock.
	jump(tick)

	// message takes a message, which begins at an offset of its datagram or a position of its stream. The layer is valid
	// until the next message.
	message(p *protocol, l wire.Layer, place *wire.Place, at int64)

	// lost notes that bytes of a stream are missing.
	lost(p *protocol, place *wire.Place)

	// ended notes that a stream ends.
	ended(p *protocol, place *wire.Place)

	// signal takes what the engine sees of a conversation besides its messages.
	signal(s wire.Signal, p *protocol, place *wire.Place)

	// finding takes a finding that no message carries.
	finding(f *wire.TrafficFinding)
}

// A tick is the time of a packet that is newer than all before.
type tick struct {
	now        int64
	remembered int // bytes that decoding has in use, which trackers lack
}
