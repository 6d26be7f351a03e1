package iceball

import (
	"fmt"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/listing"
)

// sameAfter is how many announces to an address another one has to answer until the two are taken for one server.
const sameAfter = 2

// voice is what is known of who answers for the address of a heartbeat server: a server that listens on all addresses
// of its host answers from one of them.
type voice struct {
	speaks   bool           // the address has sent something itself
	asked    int            // announces that went to it
	by       netip.AddrPort // the address that answered such an announce last
	answered int            // how many announces by answered in a row
	told     bool           // the tracker told that the two are one server
}

// isAlias reports whether the address and the one that answers for it are one server. Where the capture lacks
// announces, an answer to a lost one may be taken for one to another address, so most have to be answered in this way.
func (v *voice) isAlias() bool {
	return !v.speaks && v.answered >= sameAfter && 2*v.answered >= v.asked
}

// hear notes that a heartbeat server sent something.
func (t *tracker) hear(at netip.AddrPort) { t.voices.Make(at).speaks = true }

// credit returns the game server of an announcer at the heartbeat server that answers it at a place. waited says that
// the answer is to the offer, which the announcer may have sent to another address: if that never speaks, credit notes
// which address answers for it.
func (t *tracker) credit(a *announcer, o *offer, waited bool, p *wire.Place) *listing.Server {
	if !t.book.Wanted() {
		return nil
	}
	game := a.entryOf(p.Dst, o)
	s := t.book.Server(p.Src, game, p)
	if !waited || o.asked == p.Src {
		return s
	}
	v := t.voices.Get(o.asked)
	if v == nil || v.speaks {
		return s
	}
	if v.by != p.Src {
		v.by, v.answered = p.Src, 0
	}
	v.answered++
	if silent := t.book.Known(o.asked, game); silent != nil {
		t.pointElsewhere(silent, v, o.asked, p)
	}
	if s != nil && !s.Reached(listing.Announced) {
		t.join(s, o, p)
	}
	return s
}

// pointElsewhere notes at a server's row of a silent address which address answers. The other row has the steps.
func (t *tracker) pointElsewhere(s *listing.Server, v *voice, silent netip.AddrPort, p *wire.Place) {
	by := v.by.String()
	if v.by.Port() == silent.Port() {
		by = v.by.Addr().String()
	}
	if !v.isAlias() {
		s.Elsewhere(p, "not known: "+by+" may have answered in its place")
		return
	}
	s.Elsewhere(p, fmt.Sprintf("the same master as %s, by its cookies", by))
	if !v.told {
		v.told = true
		t.Happened(p, silent, "", listing.EventSame, "%s is the same master as %s, by its cookies", silent, v.by)
	}
}

// join notes the announce of a server, to another address of its master, as one to the master.
func (t *tracker) join(s *listing.Server, o *offer, p *wire.Place) {
	at := *p
	at.Time = o.at
	s.Announce(&at, o.facts.size)
	if o.facts.whole {
		s.Named(&at, wire.Trim(o.facts.name[:]))
	}
}
