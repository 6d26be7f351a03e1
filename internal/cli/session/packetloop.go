package session

import (
	"errors"
	"io"

	"github.com/gamedissect/gamedissect/capture"
)

// A Source returns the packets of a run.
type Source interface {
	// Next reads a packet. It returns io.EOF after the last one, and capture.ErrQuiet if no packet is available at the
	// moment.
	Next(*capture.Packet) error

	// Tick is called after each packet. It is also called with quiet set if no packet is available at the moment.
	Tick(quiet bool)

	// Halt makes an endless source end after the packets that are already waiting. It reports whether any packets are
	// waiting.
	Halt() bool

	// Done is called after the last Next, before sinks write their results.
	Done()

	// Endless reports whether packets come until the user interrupts the run.
	Endless() bool
}

// A packetLoop reads packets from a source until the source ends, count is reached, or the user interrupts.
type packetLoop struct {
	from   Source
	stop   *Interrupt
	count  int64                      // packets to take; 0: all
	wanted func(*capture.Packet) bool // reports whether a packet counts; nil: all packets count
	failed func(error)                // called for each error of the source
}

// errEnough is returned by take to end a loop without an error.
var errEnough = errors.New("enough packets")

// each passes every packet to take, and nil when no packet is available at the moment. trouble joins the errors
// of the source, which can continue after an error, for example with the next file. err is the error of take, unless
// that is errEnough.
func (p *packetLoop) each(take func(*capture.Packet) error) (trouble, err error) {
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

// over reports whether the user interrupted and the source has no more packets waiting.
func (p *packetLoop) over() bool { return p.stop.Flag.Load() && !p.from.Halt() }
