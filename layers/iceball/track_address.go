package iceball

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
)

// sameAfter is the number of announces to an address that another address must answer until the two are taken for one
// server.
const sameAfter = 2

// masterAddress records who answers for the address of a heartbeat server: a server that listens on all addresses of
// its host answers from one of them.
type masterAddress struct {
	responds   bool           // the address has sent something
	announces  int            // to it
	answeredBy netip.AddrPort // the address that last answered such an announce
	answers    int            // from there, consecutive
	reported   bool           // the two were reported as one server
}

// isSecondary reports whether the address and the one that answers for it are one server. If the capture lacks
// announces, an answer to a missing one may be taken for the answer to an announce to another address. So most
// announces must be answered in this way.
func (a *masterAddress) isSecondary() bool {
	return !a.responds && a.answers >= sameAfter && 2*a.answers >= a.announces
}

// addressed returns the listing of an announcer at the heartbeat server that answers it. An announce that waited may
// have gone to another address. If that address never responds, addressed records which address answers for it.
func (s *listedServers) addressed(a *announcer, o *announcement, waited bool, p *wire.Place) *attempt.Attempt {
	game := a.entryOf(p.Dst, o)
	x := s.account.Begin(listing, p, game, p.Src)
	if s.account == nil || !waited || o.to == p.Src {
		return x
	}
	to := s.addresses.Get(o.to)
	if to == nil || to.responds {
		return x
	}
	if to.answeredBy != p.Src {
		to.answeredBy, to.answers = p.Src, 0
	}
	to.answers++
	if silent := s.account.Of(listing, game, o.to); silent != nil {
		s.pointElsewhere(silent, to, o.to, p)
	}
	if x != nil && !x.Reached(stepAnnounced) {
		at := *p // the announce counts as sent to the address that answers
		at.Time = o.at
		x.Try(&at, stepAnnounced)
		if o.facts.whole {
			x.Name(&at, string(wire.Trim(o.facts.name[:])))
		}
	}
	return x
}

// pointElsewhere records, in a server's row of a silent address, which address answers. The steps are in the other row.
func (s *listedServers) pointElsewhere(x *attempt.Attempt, a *masterAddress, silent netip.AddrPort, p *wire.Place) {
	by := a.answeredBy.String()
	if a.answeredBy.Port() == silent.Port() {
		by = a.answeredBy.Addr().String()
	}
	if !a.isSecondary() {
		x.Doubt(p, "not known: "+by+" may have answered in its place")
		return
	}
	x.Doubt(p, "the same master as "+by+", by its cookies")
	if !a.reported {
		a.reported = true
		s.Happened(p, silent, "", eventSame, "%s is the same master as %s, by its cookies", silent, a.answeredBy)
	}
}
