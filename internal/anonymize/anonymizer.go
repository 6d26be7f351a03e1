package anonymize

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// DefaultLimit is the default of Options.Limit. A capture of one gigabyte in which every message has the address of a
// player needs about 500 MB.
const DefaultLimit = 512 << 20

// ErrMemory is the error if a capture needs more memory than Options.Limit.
var ErrMemory = errors.New("not enough memory")

// Options determine how a capture is changed.
type Options struct {
	Protocols []*wire.Protocol
	Dialect   wire.Dialect
	DecodeAs  []decode.DecodeAs

	// Key determines the replacements. Captures anonymized with the same key have the same replacements.
	Key []byte

	// SecretsOnly replaces only passwords and tokens, with asterisks. Addresses and the rest of messages stay
	// unchanged.
	SecretsOnly bool

	// KeepOthers keeps packets that belong to no recognised conversation, but without their content.
	KeepOthers bool

	Limit  int // bytes stored between the two passes; 0: DefaultLimit
	Memory int // memory of the engine, see decode.Options
}

// A Report counts what an Anonymizer did.
type Report struct {
	Packets  int64 // kept packets
	Dropped  int64
	Wrapped  int64 // dropped packets of games that could not be moved out of tunnels or Wi-Fi frames
	Messages int64
	Changed  int64 // messages with private content
	Foreign  int64 // messages that now decode to different fields or findings
	Opaque   int64 // messages with a packed message that was replaced as a whole

	// Engine contains the engine's counters: what it could not read, and what it dropped because of Options.Memory. If
	// it dropped something, messages may be missing.
	Engine decode.Counters
}

// An Anonymizer changes a capture. The caller passes all frames to Learn, calls Learned, and then passes the same
// frames in the same order to Rewrite.
type Anonymizer struct {
	options   Options
	addresses *addresses
	texts     *texts
	engine    *decode.Engine
	serial    int64 // number of the current frame, from 1
	spare     map[*wire.Protocol]*reader

	plan       plan
	again      retransmitted
	recognised map[wire.ConversationID]bool // conversations whose protocol is known
	datagrams  map[int64]*datagram          // reassembled datagrams, by number
	lost       map[int64]bool               // incomplete datagrams of recognised conversations
	at         *decode.Frame                // current frame
	info       *decode.PacketInfo           // info about its packet; nil if there is no packet
	located    located                      // location of that packet
	moved      []byte                       // buffer of located
	rewriting  bool
	buffer     []byte
	report     Report
}

// New returns an Anonymizer.
func New(o Options) *Anonymizer {
	if o.Limit == 0 {
		o.Limit = DefaultLimit
	}
	key := secret(o.Key)
	a := &Anonymizer{
		options: o, addresses: newAddresses(key), texts: newTexts(key), spare: make(map[*wire.Protocol]*reader),
		recognised: make(map[wire.ConversationID]bool), datagrams: make(map[int64]*datagram), lost: make(map[int64]bool),
		again: newRetransmitted(),
	}
	if o.SecretsOnly {
		a.addresses = nil
	}
	a.engine = a.newEngine()
	return a
}

func (a *Anonymizer) newEngine() *decode.Engine {
	return decode.New(decode.Options{
		Protocols: a.options.Protocols, Dialect: a.options.Dialect, DecodeAs: a.options.DecodeAs,
		Memory: a.options.Memory, Message: a.message, Partial: a.partial, Packet: a.packetInfo,
		Lost: func(datagram int64) { a.lost[datagram] = true },
	})
}

// Learn handles the next frame of the first pass. Its only error is ErrMemory.
func (a *Anonymizer) Learn(f *decode.Frame) error {
	a.frame(f)
	return a.tooMuch()
}

func (a *Anonymizer) tooMuch() error {
	if a.plan.size > a.options.Limit {
		return fmt.Errorf("%w: the replacements take more than %d MB after %s; anonymize the capture in pieces, "+
			"with one key", ErrMemory, a.options.Limit/1e6, wire.Counted(int(a.serial), "packet"))
	}
	return nil
}

// Learned ends the first pass.
func (a *Anonymizer) Learned() error {
	a.engine.Close()
	a.plan.sort()
	a.plan.size += a.again.sort(func(key int64) bool {
		return a.recognised[wire.ConversationID{Transport: wire.TCP, Number: int(key >> 2)}]
	})
	for _, number := range slices.Sorted(maps.Keys(a.datagrams)) {
		a.rewriteDatagram(a.datagrams[number])
	}
	a.rewriting, a.serial = true, 0
	a.engine = a.newEngine()
	return a.tooMuch()
}

// frame passes a frame to the engine. It numbers the frames across all files.
func (a *Anonymizer) frame(f *decode.Frame) {
	a.serial++
	numbered := *f
	numbered.Number, numbered.File = int(a.serial), ""
	a.info, a.at = nil, f
	a.located = locate(f)
	a.engine.Frame(&numbered)
}

// segment records the position of a TCP segment in its stream. If the segment was joined from fragments, it returns the
// part of it that an earlier packet may also have contained in one piece.
func (a *Anonymizer) segment(c *decode.PacketInfo, protocol uint8, content []byte, missing int) extent {
	if _, size, ok := decode.SplitTransport(protocol, content, missing); ok && c.At > 0 && !c.Damaged && size > 0 {
		before, cost := a.again.learn(streamKey(c.Conversation, c.Second),
			extent{c.At, c.At + int64(size)}, c.Joined != nil)
		a.plan.size += cost
		return before
	}
	return extent{}
}

// Report returns the current counts.
func (a *Anonymizer) Report() Report {
	r := a.report
	r.Engine = a.engine.Counters()
	return r
}

// packetInfo processes the packet of the current frame.
func (a *Anonymizer) packetInfo(c *decode.PacketInfo) {
	own := *c
	own.Packet = nil
	if a.rewriting && a.located.moved && a.isRecognised() {
		a.located.several = a.recognised[conversationOf(c)]
		return
	}
	if at := a.located; c.Tunnels > 0 || !at.ok || at.moved {
		a.located = a.move(c.Packet)
	}
	if a.located.moved {
		own.Datagram, own.Joined, own.Missing, own.Before = 0, nil, 0, 0
	}
	a.info = &own
	if a.rewriting {
		return
	}
	if at := &a.located; at.ok && own.Datagram == 0 {
		a.segment(&own, at.layout.Protocol, at.data[at.layout.Transport:at.layout.End], at.layout.Missing)
	}
	id := conversationOf(c)
	if c.Protocol != nil && !a.recognised[id] {
		a.recognised[id] = true
		a.plan.size += costOfConversation
	}
	if c.Joined != nil {
		a.datagrams[c.Datagram] = &datagram{
			content: bytes.Clone(c.Joined), missing: c.Missing, before: c.Before, serial: a.serial,
			src: c.Packet.Src, dst: c.Packet.Dst, info: *c,
		}
		d := a.datagrams[c.Datagram]
		d.info.Packet, d.moved = nil, a.located.moved
		if !d.moved {
			d.again = a.segment(c, d.protocol(), c.Joined, c.Missing)
		}
		a.plan.size += len(c.Joined) + costOfConversation
	}
}

// message processes a message in the first pass.
func (a *Anonymizer) message(m *decode.Message) {
	if a.rewriting {
		return
	}
	a.report.Messages++
	a.planMessage(m, false)
}

// partial processes the beginning of an incomplete message.
func (a *Anonymizer) partial(m *decode.Message) {
	if !a.rewriting {
		a.planMessage(m, true)
	}
}

func (a *Anonymizer) planMessage(m *decode.Message, partial bool) {
	data := a.rewrite(m, partial)
	if !bytes.Equal(data, m.Data) {
		a.report.Changed++
	}
	k := datagramKey(int64(m.Frame))
	if m.Transport == wire.TCP {
		k = streamKey(m.Conversation, decode.FromSecondEnd(m.Src, m.Dst))
	} else if m.Protocol.Unwrap != nil {
		a.plan.around(k, m.At, int64(len(data)))
	}
	a.plan.add(k, m.At, m.Data, data)
}

func conversationOf(c *decode.PacketInfo) wire.ConversationID {
	return wire.ConversationID{Transport: c.Transport, Number: c.Conversation}
}
