package session

import (
	"errors"
	"fmt"
	"math"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/report"
)

// timeless counts packets whose time does not fit in 64 bits of nanoseconds.
type timeless struct {
	count int64
	first wire.Place
}

func (t *timeless) note(p *capture.Packet) {
	if p.Time != math.MaxInt64 && p.Time != math.MinInt64 {
		return
	}
	if t.count++; t.count == 1 {
		t.first = wire.Place{File: p.File, Frame: p.Number}
	}
}

// trouble returns an error if there were such packets.
func (t *timeless) trouble() error {
	if t.count == 0 {
		return nil
	}
	return fmt.Errorf("%s: %s from packet %d on with a time more than 292 years from 1970, perhaps because "+
		"the times were shifted by mistake; they count as simultaneous", t.first.File, report.Plural(t.count, "packet"),
		t.first.Frame)
}

// UnreadLinks returns an error if there were packets of link types that the engine does not support.
func UnreadLinks(c decode.Counters) error {
	var unread []error
	for _, l := range c.UnknownLinks {
		name := capture.LinkType(l.Type).String()
		if number := fmt.Sprintf("link type %d", l.Type); name != number {
			name = number + " (" + name + ")"
		}
		where := ""
		if l.File != "" {
			where = l.File + ": "
		}
		unread = append(unread, fmt.Errorf("%s%s from packet %d on not read: %s; gamedissect reads Ethernet, Wi-Fi, "+
			"Linux cooked, PPP, MPLS, loopback, raw IP, PKTAP and packet filter logs",
			where, report.Plural(l.Packets, "packet"), l.First, name))
	}
	if c.FurtherLinks > 0 {
		unread = append(unread, fmt.Errorf("%s of further link types not read", report.Plural(c.FurtherLinks, "packet")))
	}
	return errors.Join(unread...)
}

// reportCut calls find for each error, among those joined in err, that says that a file ends inside a record.
func reportCut(err error, find func(*wire.TrafficFinding)) {
	for one := range term.Causes(err) {
		if bad, ok := errors.AsType[*capture.Error](one); ok && bad.Truncated {
			find(&wire.TrafficFinding{
				Place: wire.Place{Frame: bad.Packet, File: bad.File, Time: bad.Time},
				Rule:  decode.RuleFileCut, Text: bad.Reason,
			})
		}
	}
}
