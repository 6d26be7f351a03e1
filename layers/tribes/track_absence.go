package tribes

import (
	"fmt"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// finish handles a complete list. It decides the outcome for known servers that the list does not name.
func (s *listedServers) finish(p *wire.Place, latest *latestList, l *list) {
	since := l.first
	for i := range l.packets {
		n := int(l.packets[i].number)
		if n >= len(latest.packets) || latest.packets[n].flawed || int(latest.packets[n].total) != len(l.packets) {
			return // a server may be in the unreadable part
		}
	}
	if !latest.counted {
		latest.counted = true
		s.Happened(p, p.Src, "", eventList, "%s has %s in its list", p.Src, wire.Counted(l.servers, "server"))
	}
	named := func(x *attempt.Attempt) bool {
		number := x.Tag() >> tagNumber
		in := &latest.packets[min(int(number), len(latest.packets)-1)]
		return number > 0 && in.seen >= since && in.serial&tagSerial == x.Tag()&tagSerial
	}
	var of map[netip.Addr]int // number of the list's servers by address; filled on demand
	s.account.Each(p.Src, func(game netip.AddrPort, x *attempt.Attempt) {
		o := x.Outcome()
		switch {
		case named(x):
		case o == wire.Done && !x.Reached(stepListed) && !s.outlived(x):
			if of == nil {
				of = make(map[netip.Addr]int)
				s.account.Each(p.Src, func(other netip.AddrPort, y *attempt.Attempt) { of[other.Addr()] += btoi(named(y)) })
			}
			s.missing(x, p, of[game.Addr()])
		case o == wire.Done, o == wire.NotKnown && x.Renewed().Known() && x.Reached(stepVerified):
			s.remove(x, p)
		case (o == wire.NotKnown || o == wire.Unanswered) && x.Reached(stepAnnounced) && !x.Reached(stepChallenged) &&
			x.Tag()&tagOtherVersion == 0:
			cause, detail := "the master drops its heartbeats", s.visits.find(game, p.Src).explain(game.Addr())
			if detail == "" {
				cause = "the master neither asks it back nor lists it: its heartbeats do not arrive, or are dropped"
			}
			x.Fail(p, wire.Asked, cause, detail)
		}
	})
}

// missing handles a verified server that a complete list lacks. others is the number of servers with the same address
// in the list.
func (s *listedServers) missing(x *attempt.Attempt, p *wire.Place, others int) {
	const cause = "it is verified, but a list lacks it"
	game, _ := x.Ends()
	after := x.Since(p, stepVerified)
	detail := fmt.Sprintf("%.1f s later", after.Seconds())
	if took := x.Since(p, stepChallenged) - x.Since(p, stepAnswered); took > quick {
		detail += fmt.Sprintf("; its answer to the verification took %.1f s; some masters wait 2 s", took.Seconds())
	}
	if others > 0 {
		detail += fmt.Sprintf(": it lists %d of its host, maybe the limit", others)
	} else if v := s.visits.find(game, p.Src); v != nil && v.ports >= fewestLimit {
		detail += fmt.Sprintf("; %s announced itself from %d ports: some masters count them all against a limit",
			game.Addr(), v.ports)
	}
	if after >= grace {
		x.Miss(p, cause, detail)
	} else {
		x.MayMiss(cause, detail)
	}
}

// outlived reports whether a server has been silent for so long that the master may have dropped it.
func (s *listedServers) outlived(x *attempt.Attempt) bool {
	last := x.Renewed()
	return last.Known() && clock.Elapsed(last.When(), s.time.now) >= maxSilence
}

// remove handles a server that is no longer in a complete list.
func (s *listedServers) remove(x *attempt.Attempt, p *wire.Place) {
	last, listed := x.Renewed(), x.Reached(stepListed)
	game, master := x.Ends()
	if listed {
		s.happened(p, x, eventUnlisted, "is gone from the list of %s", master)
	}
	switch {
	case s.outlived(x):
		ago, _ := seconds(last.When(), s.time.now)
		x.Lapse(p, fmt.Sprintf("last heartbeat %.0f s before the list", ago))
	case !listed:
	case last.Known():
		cause := "it is gone from the list, though it sends heartbeats"
		detail := s.visits.find(game, master).explain(game.Addr())
		if detail == "" {
			cause += ": they do not arrive, or are dropped"
		} else {
			cause += ": they are dropped"
		}
		x.Miss(p, cause, detail)
	case x.Reached(stepAnnounced):
		x.Miss(p, "it is gone from the list", "")
	default:
		x.Doubt(p, "it is gone from the list; its heartbeats are not in the capture")
	}
}
