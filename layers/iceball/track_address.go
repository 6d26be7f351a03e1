package iceball

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
)

// sameAfter is the number of announces to one address that another address must answer before the two count as one
// server.
const sameAfter = 2

// masterAddress records which address answers the announces to an address of a heartbeat server. A server that listens
// on all addresses of its host answers all announces from one of them.
type masterAddress struct {
	responds   bool           // the address has sent something
	announces  int            // announces to the address
	answeredBy netip.AddrPort // the address that last answered one of these announces
	answers    int            // consecutive answers from answeredBy
	reported   bool           // the two addresses were reported as one server
}

// isSecondary reports whether the server at this address answers from answeredBy. If the capture lacks an announce, the
// announce's answer may be matched to an announce to another address. So isSecondary requires that most announces are
// answered from answeredBy.
func (a *masterAddress) isSecondary() bool {
	return !a.responds && a.answers >= sameAfter && 2*a.answers >= a.announces
}

// addressed returns the listing of an announcer at the heartbeat server that answered. The answered announce may have
// gone to another address. If that address has never responded, addressed records which address answers for it.
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
		at := *p // the announce counts as sent to the answering address
		at.Time = o.at
		x.Try(&at, stepAnnounced)
		if o.facts.whole {
			x.Name(&at, string(wire.Trim(o.facts.name[:])))
		}
	}
	return x
}

// pointElsewhere notes, in the listing of a game server at a silent address, that another address answers. The steps
// are in the listing at that other address.
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
