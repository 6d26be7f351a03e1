package tribes

import (
	"math"
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// Intervals and timeouts of real programs, in nanoseconds.
const (
	patience   = 5 * int64(time.Second)   // how long a query stays open; longer while its list is coming
	maxSilence = 250 * int64(time.Second) // the shortest time after which a real master drops a server
	promptly   = int64(time.Second) / 2   // usual maximum time to an answer or to the next packet of a list
	memory     = 30 * int64(time.Second)  // an answer within this time after its query is late, but not unsolicited
	sweepEvery = int64(time.Second) / 2
	oneList    = int64(time.Second) // how long the packets of a list may take: masters send them without a pause
)

// captureTime is the time of the capture. It never decreases.
type captureTime struct {
	started           bool
	start, now, swept int64
	forgot            clock.Moment // the last time when queries had to make room for newer ones
}

// advance advances the time and reports whether a sweep is due.
func (c *captureTime) advance(now int64) (sweep bool) {
	if !c.started {
		c.started, c.start, c.now, c.swept = true, now, now, now
	}
	c.now = max(c.now, now)
	return clock.Elapsed(c.swept, c.now) > sweepEvery
}

// isEarly reports whether a query from before the capture may still be open.
func (c *captureTime) isEarly() bool { return clock.Elapsed(c.start, c.now) <= patience }

// seconds returns the time between two moments; ok is false if the second moment is earlier than the first.
func seconds(from, to int64) (s float64, ok bool) {
	return float64(clock.Elapsed(from, to)) / 1e9, to >= from
}

// reporter reports values and findings, some of them about earlier messages.
type reporter struct {
	*wire.Reporter
	ends     endpoints
	protocol *wire.Protocol // protocol of the current message
	files    *attempt.Files
	expanded wire.Place // result of the last expand
}

// compactPlace is a wire.Place without its endpoints. It has no padding, because there may be hundreds of thousands of
// them.
type compactPlace struct {
	high         int32 // upper half of the time
	low          uint32
	frame        uint32
	conversation int32
	file         uint16 // number from reporter.files
}

func (r *reporter) compact(p *wire.Place) compactPlace {
	return compactPlace{
		high: int32(p.Time >> 32), low: uint32(p.Time), frame: uint32(min(max(p.Frame, 0), math.MaxUint32)),
		conversation: int32(p.Conversation), file: r.files.Number(p.File),
	}
}

func (c *compactPlace) time() int64 { return int64(c.high)<<32 | int64(c.low) }

// expand returns a place that is valid until the next call.
func (r *reporter) expand(c *compactPlace, src, dst endpoint) *wire.Place {
	r.expanded = wire.Place{Frame: int(c.frame), File: r.files.Name(c.file), Time: c.time(), Transport: wire.UDP,
		Conversation: int(c.conversation), Src: r.ends.AddrPort(src), Dst: r.ends.AddrPort(dst), Protocol: r.protocol}
	return &r.expanded
}

// The tables of measured values, with the host that each row describes.
const (
	serverTable = "servers" // game server
	listTable   = "lists"   // master
	queryTable  = "queries" // client
)

// measure reports a value. It does nothing if no one collects values.
func (r *reporter) measure(p *wire.Place, table string, who netip.AddrPort, what string, number float64, unit string) {
	if r.Value != nil {
		r.Measured(wire.Value{Place: *p, Table: table, Server: who, What: what, Number: number, Unit: unit})
	}
}

// measureState reports a state of the server that sent the current message.
func (r *reporter) measureState(p *wire.Place, what, text string) {
	r.Measured(wire.Value{Place: *p, Table: serverTable, Server: p.Src, What: what, State: true, Text: text})
}

// reportHeader reports a finding about the packet as a whole.
func reportHeader(l wire.Layer, rule *wire.Rule, format string, args ...any) {
	core := l.Core()
	core.Report(rule, 0, min(minimum, len(core.Contents)), format, args...)
}
