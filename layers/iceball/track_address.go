package iceball

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
)

// sameAfter is how many announces to an address another one has to answer until the two are taken for one server.
const sameAfter = 2

// masterAddress is what is known of who answers for the address of a heartbeat server: a server that listens on all
// addresses of its host answers from one of them.
type masterAddress struct {
	responds   bool           // the address has sent something itself
	announces  int            // to it
	answeredBy netip.AddrPort // the address that answered such an announce last
	answers    int            // from there, in a row
	reported   bool           // that the two are one server
}

// isSecondary reports whether the address and the one that answers for it are one server. Where the capture lacks
// announces, an answer to a lost one may be taken for one to another address, so most have to be answered in this way.
func (a *masterAddress) isSecondary() bool {
	return !a.responds && a.answers >= sameAfter && 2*a.answers >= a.announces
}

// addressed returns what the game server of an announcer wants of the heartbeat server that answers it. An announce
// that waited may have gone to another address: if that one never responds, addressed notes which address answers for
// it.
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
		at := *p // the announce counts as one to the address that answers
		at.Time = o.at
		x.Try(&at, stepAnnounced)
		if o.facts.whole {
			x.Name(&at, string(wire.Trim(o.facts.name[:])))
		}
	}
	return x
}

// pointElsewhere notes at a server's row of a silent address which address answers. The other row has the steps.
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
