package session

import (
	"errors"
	"slices"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/other"
)

// Others is the set of packets that belong to no game, as a bitmap indexed by serial number. It is made before the run,
// because the engine may know only long after a packet whether the packet belongs to a game.
type Others []uint64

func (o *Others) add(serial int64) {
	for int64(len(*o)) <= serial>>6 {
		*o = append(*o, 0)
	}
	(*o)[serial>>6] |= 1 << (serial & 63)
}

func (o Others) has(serial int64) bool {
	return serial>>6 < int64(len(o)) && o[serial>>6]&(1<<(serial&63)) != 0
}

// ErrOthersTwice is the error for selecting packets of no game from an input that cannot be read twice.
var ErrOthersTwice = errors.New("-Y other reads files twice, to find the packets that belong to no game: " +
	"write the packets to a " +
	"file first (-w)")

var errNoOthers = errors.New("this command takes only messages of games: gamedissect -r FILE -Y other shows other " +
	"packets")

// FindOthers reads files to find the packets of no game. It ignores errors in the files, because the second reading
// reports them.
func FindOthers(in *InputOptions, o decode.Options, wanted func(*capture.Packet) bool, std term.Streams,
	stop *Interrupt) (found Others, err error) {
	if slices.Contains(in.Names, "-") {
		return nil, ErrOthersTwice
	}
	found = Others{} // not nil, even if it stays empty
	o.Other = found.add
	e := decode.New(o)
	all := *in
	all.Count = 0
	taken := int64(0)
	_, _, err = all.Each(std, stop, func(p *capture.Packet) error {
		if wanted != nil && !wanted(p) {
			return nil
		}
		if taken++; in.Count > 0 && taken > in.Count {
			return errEnough
		}
		f := FrameOf(p)
		e.Frame(&f)
		return nil
	})
	e.Close()
	return found, err
}

// passOther passes a packet of no game to the sinks that show or write messages, if it is selected.
func (r *Run) passOther(f *decode.Frame) {
	m := other.Message(f)
	if !r.Selection.message(m) {
		return
	}
	for i := range r.delivery.sinks {
		switch s := &r.delivery.sinks[i]; {
		case s.Text != nil && s.Later:
			r.writer.Message(m)
		case s.Message != nil && (s.Text != nil || s.WritePacket != nil):
			s.Message(m)
		}
	}
}
