package main

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// A pump moves packets from a source to an engine until it ends, enough have come, the user interrupts or
// nobody reads the output. Files that are wrong somewhere are read up to there.
type pump struct {
	from   interface{ Next(*capture.Packet) error }
	engine *decode.Engine
	stop   *interrupt

	wanted func(*capture.Packet) bool   // which packets count; nil: every one
	start  func(*capture.Packet)        // before the engine sees a packet; nil: nobody
	taken  func(*capture.Packet) error  // after the engine has seen a packet; nil: nobody
	pause  func(quiet bool) (goOn bool) // after each packet, and when there is none for a moment; nil: nobody
	warn   func(error)                  // of what does not end a live capture
	count  int64                        // packets to take; 0: all
	bytes  int64                        // taken so far
	last   decode.Frame

	timeless      int64 // packets with a time that cannot be told
	firstTimeless wire.Place
}

// run moves packets until the end, and closes the engine.
func (p *pump) run() error {
	defer p.engine.Close()
	var (
		packet  capture.Packet
		trouble error
	)
	for n := int64(0); (p.count == 0 || n < p.count) && !p.stop.flag.Load(); {
		err := p.from.Next(&packet)
		switch {
		case err == io.EOF || p.stop.flag.Load():
			return p.ended(trouble)
		case err == capture.ErrQuiet:
			if p.pause != nil && !p.pause(true) {
				return p.ended(trouble)
			}
			continue
		case err != nil:
			if p.passes(err) {
				continue
			}
			trouble = errors.Join(trouble, err)
			reportCut(err, p.engine.Find)
			if p.warn != nil {
				return p.ended(trouble)
			}
			continue
		}
		if p.wanted != nil && !p.wanted(&packet) {
			continue
		}
		n++
		if err := p.take(&packet); err != nil {
			return p.ended(errors.Join(trouble, err))
		}
		if p.pause != nil && !p.pause(false) {
			break
		}
	}
	return p.ended(trouble)
}

// passes tells of errors after which a live capture goes on, and says them.
func (p *pump) passes(err error) bool {
	if p.warn == nil || !errors.Is(err, capture.ErrDown) {
		return false
	}
	p.warn(err)
	return true
}

func (p *pump) take(packet *capture.Packet) error {
	p.last = decode.Frame{Data: packet.Data, Length: packet.Length, Time: packet.Time, Link: uint16(packet.LinkType), Number: packet.Number, File: packet.File}
	p.bytes += int64(len(packet.Data))
	if packet.Time == math.MaxInt64 || packet.Time == math.MinInt64 {
		if p.timeless++; p.timeless == 1 {
			p.firstTimeless = wire.Place{File: packet.File, Frame: packet.Number}
		}
	}
	if p.start != nil {
		p.start(packet)
	}
	p.engine.Frame(&p.last)
	if p.taken != nil {
		return p.taken(packet)
	}
	return nil
}

// ended adds to what else went wrong that times were, and that the user interrupted. A live capture is meant
// to end so.
func (p *pump) ended(trouble error) error {
	if p.timeless > 0 {
		trouble = errors.Join(trouble, fmt.Errorf("%s: %s from packet %d on with a time more than 292 years from 1970, as after a wrong shift; they pass for simultaneous",
			p.firstTimeless.File, counted(p.timeless, "packet"), p.firstTimeless.Frame))
	}
	if p.stop.flag.Load() && p.warn == nil {
		trouble = errors.Join(trouble, fmt.Errorf("interrupted after %s; what is shown is of those", counted(p.engine.Counters().Packets, "packet")))
	}
	return trouble
}

// unreadLinks is an error if there were packets that nothing is known of.
func unreadLinks(c decode.Counters) error {
	var unread []error
	for _, l := range c.UnknownLinks {
		name := capture.LinkType(l.Type).String()
		if number := fmt.Sprintf("link type %d", l.Type); name != number {
			name = number + " (" + name + ")"
		}
		unread = append(unread, fmt.Errorf("%s: %s from packet %d on not read: %s; Ethernet, Linux cooked, loopback and raw IP are",
			l.File, counted(l.Packets, "packet"), l.First, name))
	}
	return errors.Join(unread...)
}

// reportCut makes findings of files that end inside a record.
func reportCut(err error, finding func(*wire.TrafficFinding)) {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range several.Unwrap() {
			reportCut(one, finding)
		}
		return
	}
	if bad, ok := errors.AsType[*capture.Error](err); ok && bad.Cut {
		finding(&wire.TrafficFinding{
			Place: wire.Place{Frame: bad.Packet, File: bad.File, Time: bad.Time},
			Rule:  decode.RuleFileCut, Text: bad.Reason,
		})
	}
}
