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

// DefaultLimit bounds what is remembered of a capture between its two readings, in bytes. A capture of a
// gigabyte in which every message names a player by address takes some 500 MB.
const DefaultLimit = 512 << 20

// ErrMemory says that a capture takes more than Options.Limit.
var ErrMemory = errors.New("not enough memory")

// Options say how a capture is changed.
type Options struct {
	Protocols []*wire.Protocol
	Dialect   wire.Dialect
	DecodeAs  []decode.DecodeAs

	// Key decides what everything is replaced by: the same key does it alike in several captures.
	Key []byte

	// SecretsOnly puts asterisks in the place of passwords and tokens, and leaves the rest of messages, and addresses, as
	// they are.
	SecretsOnly bool

	// KeepOthers keeps packets that belong to no conversation of the protocols, without their content.
	KeepOthers bool

	Limit  int // bytes remembered of what is to be replaced; 0: DefaultLimit
	Memory int // of the engine besides, see decode.Options
}

// A Report counts what was done.
type Report struct {
	Packets  int64 // kept
	Dropped  int64
	Wrapped  int64 // of these, packets of the protocols that came through tunnels or Wi-Fi
	Messages int64
	Changed  int64 // messages that hold something private
	Foreign  int64 // messages that are read differently now: their fields, or the rules that they break

	Forgotten []bounded.Forgotten // what Options.Memory had no room for; messages may be missed for it
}

// An Anonymizer changes a capture: give it all frames with Learn, then the same frames again, in the same order, with
// Rewrite.
type Anonymizer struct {
	options   Options
	addresses *addresses
	texts     *texts
	engine    *decode.Engine
	serial    int64 // of the frame at hand, from 1
	spare     map[*wire.Protocol]*reader

	plan       plan
	recognised map[wire.ConversationID]bool // conversations of the protocols
	datagrams  map[int64]*datagram          // that came in fragments, by their number
	lost       map[int64]bool               // datagrams of the protocols that never became whole
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

// Learn takes the next frame of the first reading. The error is that too much would have to be remembered.
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

// frame gives the engine a frame, numbered through all files.
func (a *Anonymizer) frame(f *decode.Frame) {
	a.serial++
	numbered := *f
	numbered.Number, numbered.File = int(a.serial), ""
	a.info = nil
	a.src, a.dst = endpoints(f)
	a.engine.Frame(&numbered)
}

// Report counts what was done so far.
func (a *Anonymizer) Report() Report {
	r := a.report
	r.Forgotten = a.engine.Counters().Forgotten
	return r
}

// packetInfo takes what the frame at hand carries.
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

// partial takes the beginning of a message that never became whole.
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

// conversationOf names the conversation of a packet.
func conversationOf(c *decode.PacketInfo) wire.ConversationID {
	return wire.ConversationID{Transport: c.Transport, Number: c.Conversation}
}
