package iceball

import (
	"net/netip"
	"time"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

const (
	burstSize = 5

	stepTolerance   = int64(350 * time.Millisecond)
	periodTolerance = int64(time.Second)

	badVEnd   = int64(60 * time.Second)      // how long a game must obey a refusal (BADV or BADF)
	underWay  = int64(50 * time.Millisecond) // a message this soon after a refusal was sent before the refusal arrived
	firstSeen = burstStep + stepTolerance    // an announce this long after the capture's start is the first of its burst

	// The number of faults that packet loss may explain. If there are more, the program is at fault.
	mayUnanswer = 1 // MSOKs (acceptances) of a burst without HSHK (the answer to MSOK)
	mayShorten  = 2 // consecutive bursts with the same number of announces
	mayDelay    = 2 // wrong times between announces of a burst: one before and one after a late announce
)

// bursts checks the timing of announces. A game server sends them in bursts: every 40 seconds, it sends five announces,
// one per second.
type bursts struct {
	*wire.Reporter
	time    *captureTime
	byRoute *bounded.LRU[route, rhythm]
}

func newBursts(r *wire.Reporter, t *captureTime) *bursts {
	return &bursts{r, t, bounded.NewLRU(r.Memory, bounded.Kind{Name: "bursts of Iceball announces",
		Silent: "burst period, burst size, iceball.accept-unanswered"},
		bounded.Values[route, rhythm]{Held: (*rhythm).held, Dropped: func(_ route, r *rhythm) {
			r.leave()
			t.forget()
		}})}
}

// rhythm is the timing of one announcer's announces to one heartbeat server.
type rhythm struct {
	count int   // announces in the burst
	start int64 // when the burst began
	last  int64 // when the last announce came
	slot  int64 // second within the burst at which the last announce came
	whole bool  // the capture contains the burst's first announce

	offBeat int  // wrong times between announces of the burst
	tooLong bool // the extra announces were already reported

	before, most int64 // time between the starts of the last two bursts, and its maximum if announces are missing
	few, shorts  int   // if recent bursts were too short: their number of announces, and the number of such bursts

	announce   wire.Place
	acceptance *wire.Place // place of the announce before the burst's first MSOK, until the announcer answers an MSOK
	accepted   int         // number of MSOKs in the burst
	latest     int64       // when the last MSOK came
	answered   bool        // the announcer sent back a cookie of the burst

	badVersion clock.Moment
	heartbeat  HeartbeatVersion // version requested by BADV
	anyVersion bool             // BADV was too short to contain the version
	badFormat  clock.Moment

	member
}

func (r *rhythm) held() int {
	if r.acceptance == nil {
		return 0
	}
	return int(unsafe.Sizeof(*r.acceptance))
}

// add adds an announce to the rhythm of its game server.
func (s *bursts) add(core *wire.Base, a *announcer, r *rhythm, game netip.AddrPort, p *wire.Place) {
	gap := clock.Elapsed(r.last, p.Time)
	if r.count == 0 || gap > burstEnd {
		s.begin(core, a, r, game, p)
		return
	}
	r.count++
	if gap < 0 { // the network reordered the announces
		return
	}
	measureTime(s.Reporter, p, game, "announce gap", gap, false)
	r.last, r.announce = p.Time, *p
	since := clock.Elapsed(r.start, p.Time)
	r.slot = (since + burstStep/2) / burstStep
	if off := gap % burstStep; gap < burstStep-stepTolerance || off > stepTolerance && off < burstStep-stepTolerance {
		if r.offBeat++; r.offBeat == mayDelay+1 {
			core.Report(ruleSpacing, 0, headerSize, "%.3f s after the announce before; three such intervals of the "+
				"burst are not a second", seconds(gap))
		}
	}
	if r.count > burstSize && !r.tooLong && !a.refusedSince(r.start) {
		r.tooLong = true
		core.Report(ruleBurstSize, 0, headerSize, "announce %d of a burst, a burst has %d", r.count, burstSize)
	}
}

// begin ends a burst and begins the next one.
func (s *bursts) begin(core *wire.Base, a *announcer, r *rhythm, game netip.AddrPort, p *wire.Place) {
	whole := !s.time.isEarly(p.Time, firstSeen)
	if r.count > 0 {
		whole = true
		period := clock.Elapsed(r.start, p.Time)
		measureTime(s.Reporter, p, game, "burst period", period, false)
		if a.refusedSince(r.start) || a.missedSince(r.start) {
			r.before, r.most, r.few, r.shorts = 0, 0, 0, 0
		} else {
			r.checkSize(core)
			r.checkPeriod(core, period)
		}
		if r.whole {
			s.Measured(wire.Value{Place: *p, Table: serverTable, Server: game, What: "burst size", Number: float64(r.count),
				Unit: "announces"})
		}
		s.checkAcceptance(r, r.accepted)
	}
	s.Measured(wire.Value{Place: *p, Table: serverTable, Server: game, What: "bursts", Number: 1})
	r.count, r.start, r.last, r.slot, r.whole, r.announce = 1, p.Time, p.Time, 0, whole, *p
	r.offBeat, r.tooLong, r.accepted, r.answered, r.acceptance = 0, false, 0, false, nil
}

// checkSize checks the number of announces in the burst that just ended. If a burst took five seconds but has fewer
// than five announces, some were lost. A network loses different announces in each burst, while a faulty program omits
// the same ones each time. If the capture has no MSOK, the heartbeat server may have refused the first announce.
func (r *rhythm) checkSize(core *wire.Base) {
	if !r.whole || r.slot+1 >= burstSize || r.count >= burstSize {
		r.few, r.shorts = 0, 0
		return
	}
	if r.few != r.count || r.slot+1 != int64(r.count) || r.accepted == 0 {
		r.few, r.shorts = r.count, 0
	}
	if r.shorts++; r.shorts > mayShorten {
		core.Report(ruleBurstSize, 0, headerSize, "each of the %d bursts before had %s, a burst has %d", r.shorts,
			wire.Counted(r.count, "announce"), burstSize)
		return
	}
	core.Report(ruleBurstShort, 0, headerSize, "the burst before had %s, a burst has %d", wire.Counted(r.count,
		"announce"), burstSize)
}

// checkPeriod checks the times between the last three bursts. If the capture lacks the first announces of a burst, one
// time is too long and the next one too short; if it lacks a whole burst, one time is too long. If the program's timer
// is wrong, two times in a row are wrong. A burst that may have been refused is not late.
func (r *rhythm) checkPeriod(core *wire.Base, period int64) {
	const least, most = burstPeriod - periodTolerance, burstPeriod + periodTolerance
	missed := max(0, burstSize-1-max(r.slot, int64(r.count)-1)) * burstStep
	early := r.most < least && period+missed < least
	late := r.before-missed > most && period > most && (r.accepted > 0 || missed == 0)
	if r.before > 0 && (early || late) {
		core.Report(rulePeriod, 0, headerSize, "the burst begins %.3f s after the previous one, and that one %.3f s after "+
			"the one before it; 40 s are expected", seconds(period), seconds(r.before))
	}
	r.before, r.most = period, period+missed
}

// checkAcceptance reports a burst if the announcer answered none of the burst's MSOKs.
func (s *bursts) checkAcceptance(r *rhythm, accepted int) {
	if r.acceptance != nil && accepted > mayUnanswer {
		s.Report(r.acceptance, ruleAcceptUnanswered, "no HSHK follows the MSOK to this announce, or another of the burst")
		r.acceptance = nil
	}
}

// accept records an MSOK in a burst.
func (s *bursts) accept(at route, p *wire.Place) {
	r := s.byRoute.Get(at)
	if r == nil {
		return
	}
	if r.accepted == 0 && !r.answered {
		place := r.announce
		r.acceptance = &place
	}
	r.accepted++
	r.latest = p.Time
}

// answer records that the announcer sent back a cookie of a burst.
func (s *bursts) answer(at route) {
	if r := s.byRoute.Get(at); r != nil {
		r.answered, r.acceptance = true, nil
	}
}

// checkAfterBadFormat reports a message that an announcer sends after BADF.
func (s *bursts) checkAfterBadFormat(core *wire.Base, p *wire.Place) {
	r := s.byRoute.GetAt(p.Lane, route{p.Src, p.Dst})
	if r == nil {
		return
	}
	r.stay()
	if r.badFormat.Within(p.Time, badVEnd) && !r.badFormat.Within(p.Time, underWay) {
		core.Report(ruleAfterBadFormat, 0, min(headerSize, len(core.Contents)), "%.3f s after BADF",
			seconds(clock.Elapsed(r.badFormat.When(), p.Time)))
	}
}

// checkAfterBadVersion reports an announce after BADV whose version is still not the one that BADV requested.
func (r *rhythm) checkAfterBadVersion(core *wire.Base, f *facts, p *wire.Place) {
	m := r.badVersion
	if !m.Within(p.Time, badVEnd) || m.Within(p.Time, underWay) || r.anyVersion || !f.versions ||
		f.heartbeat == r.heartbeat {
		return
	}
	core.Report(ruleAfterBadVersion, headerSize, 2, "hbversion %d, %.3f s after BADV with %d", f.heartbeat,
		seconds(clock.Elapsed(m.When(), p.Time)), r.heartbeat)
}

func (s *bursts) clear() {
	s.byRoute.Each(func(_ route, r *rhythm) { r.leave() })
	s.byRoute.Clear()
}

// close checks the unfinished bursts at the end of the capture. An MSOK just before the end is not counted, since its
// answer may come later.
func (s *bursts) close(now int64) {
	s.byRoute.Each(func(_ route, r *rhythm) {
		accepted := r.accepted
		if clock.Elapsed(r.latest, now) < promptly {
			accepted--
		}
		s.checkAcceptance(r, accepted)
	})
}
