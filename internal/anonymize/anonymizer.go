package anonymize

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// DefaultLimit is the default of Options.Limit. A capture of a gigabyte in which every message names a
// player by address takes some 500 MB.
const DefaultLimit = 512 << 20

// ErrMemory says that a capture takes more than Options.Limit.
var ErrMemory = errors.New("not enough memory")

// Options say how a capture is changed.
type Options struct {
	Protocols []*wire.Protocol
	Dialect   wire.Dialect
	DecodeAs  []decode.DecodeAs

	// Key determines the replacements: captures anonymized with the same key have the same ones.
	Key []byte

	// SecretsOnly replaces passwords and tokens by asterisks, and leaves the rest of messages, and addresses,
	// unchanged.
	SecretsOnly bool

	// KeepOthers keeps packets that belong to no conversation of the protocols, without their content.
	KeepOthers bool

	Limit  int // bytes kept between the two readings; 0: DefaultLimit
	Memory int // of the engine, see decode.Options
}

// A Report counts what was done.
type Report struct {
	Packets  int64 // kept
	Dropped  int64
	Wrapped  int64 // of these, packets of the protocols that came through tunnels or Wi-Fi
	Messages int64
	Changed  int64 // messages that hold something private
	Foreign  int64 // messages that now decode to other fields or findings

	Forgotten []bounded.Forgotten // state beyond Options.Memory; messages may be missed for it
}

// An Anonymizer changes a capture. The caller passes all frames to Learn, calls Learned, and passes the same frames in
// the same order to Rewrite.
type Anonymizer struct {
	options   Options
	addresses *addresses
	texts     *texts
	engine    *decode.Engine
	serial    int64 // of the frame at hand, from 1
	spare     map[*wire.Protocol]*reader

	plan       plan
	recognised map[wire.ConversationID]bool // conversations of the protocols
	datagrams  map[int64]*datagram          // reassembled from fragments, by number
	lost       map[int64]bool               // incomplete datagrams of the protocols
	src, dst   netip.Addr                   // of the frame at hand
	info       *decode.PacketInfo           // of the frame at hand; nil: none
	rewriting  bool
	buffer     []byte
	report     Report
}

// New makes an Anonymizer.
func New(o Options) *Anonymizer {
	if o.Limit == 0 {
		o.Limit = DefaultLimit
	}
	key := secret(o.Key)
	a := &Anonymizer{
		options: o, addresses: newAddresses(key), texts: newTexts(key), spare: make(map[*wire.Protocol]*reader),
		recognised: make(map[wire.ConversationID]bool), datagrams: make(map[int64]*datagram), lost: make(map[int64]bool),
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

// Learn takes the next frame of the first reading. The error is ErrMemory.
func (a *Anonymizer) Learn(f *decode.Frame) error {
	a.frame(f)
	return a.tooMuch()
}

func (a *Anonymizer) tooMuch() error {
	if a.plan.size > a.options.Limit {
		return fmt.Errorf("%w: what has to be replaced takes more than %d MB after %s; anonymize the capture in pieces, "+
			"with one key", ErrMemory, a.options.Limit/1e6, wire.Counted(int(a.serial), "packet"))
	}
	return nil
}

// Learned ends the first reading.
func (a *Anonymizer) Learned() error {
	a.engine.Close()
	a.plan.sort()
	for _, d := range a.datagrams {
		a.rewriteDatagram(d)
	}
	a.rewriting, a.serial = true, 0
	a.engine = a.newEngine()
	return a.tooMuch()
}

// frame passes a frame to the engine, numbered through all files.
func (a *Anonymizer) frame(f *decode.Frame) {
	a.serial++
	numbered := *f
	numbered.Number, numbered.File = int(a.serial), ""
	a.info = nil
	a.src, a.dst = endpoints(f)
	a.engine.Frame(&numbered)
}

// Report returns the counts so far.
func (a *Anonymizer) Report() Report {
	r := a.report
	r.Forgotten = a.engine.Counters().Forgotten
	return r
}

// packetInfo takes the content of the frame at hand.
func (a *Anonymizer) packetInfo(c *decode.PacketInfo) {
	copied := *c
	a.info = &copied
	if a.rewriting {
		return
	}
	id := conversationOf(c)
	if c.Protocol != nil && !a.recognised[id] {
		a.recognised[id] = true
		a.plan.size += costOfConversation
	}
	if c.Joined != nil {
		a.datagrams[c.Datagram] = &datagram{
			content: bytes.Clone(c.Joined), missing: c.Missing, before: c.Before, serial: a.serial,
			src: a.src, dst: a.dst, info: copied,
		}
		a.plan.size += len(c.Joined) + costOfConversation
	}
}

// message takes a message of the first reading.
func (a *Anonymizer) message(m *decode.Message) {
	if a.rewriting {
		return
	}
	a.report.Messages++
	a.planMessage(m)
}

// partial takes the beginning of an incomplete message.
func (a *Anonymizer) partial(m *decode.Message) {
	if !a.rewriting {
		a.planMessage(m)
	}
}

func (a *Anonymizer) planMessage(m *decode.Message) {
	data := a.rewrite(m)
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

// conversationOf returns the conversation of a packet.
func conversationOf(c *decode.PacketInfo) wire.ConversationID {
	return wire.ConversationID{Transport: c.Transport, Number: c.Conversation}
}
