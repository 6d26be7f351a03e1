package session

import (
	"errors"
	"io"

	"github.com/gamedissect/gamedissect/capture"
)

// A pump reads packets from a source until it ends, enough have come, or the user interrupts. Files that are
// wrong somewhere are read up to there.
type pump struct {
	from interface {
		Next(*capture.Packet) error
		Halt() bool
	}
	stop   *Interrupt
	count  int64                      // packets to take; 0: all
	wanted func(*capture.Packet) bool // which packets count; nil: every one
	failed func(error)                // told of each error of the source
}

// errEnough ends a pump before its source does.
var errEnough = errors.New("enough packets")

// each calls take for every packet, and with nil when there is none for a moment. trouble tells what could not
// be read; err is what take returned, unless that was errEnough.
func (p *pump) each(take func(*capture.Packet) error) (trouble, err error) {
	var packet capture.Packet
	for n := int64(0); (p.count == 0 || n < p.count) && !p.over(); {
		given := &packet
		err := p.from.Next(given)
		switch {
		case err == io.EOF || p.over():
			return trouble, nil
		case err == capture.ErrQuiet:
			given = nil
		case err != nil:
			trouble = errors.Join(trouble, err)
			p.failed(err)
			continue
		case p.wanted != nil && !p.wanted(given):
			continue
		default:
			n++
		}
		switch err := take(given); {
		case err == errEnough:
			return trouble, nil
		case err != nil:
			return trouble, err
		}
	}
	return trouble, nil
}

// over reports whether the user interrupted, and the source has nothing left to give.
func (p *pump) over() bool { return p.stop.Flag.Load() && !p.from.Halt() }
