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

	badVEnd   = int64(60 * time.Second)      // a game must heed BADV for this long
	underWay  = int64(50 * time.Millisecond) // a message this soon after a refusal was sent before it arrived
	firstSeen = burstStep + stepTolerance    // an announce this long after the capture's start is the first of a burst

	// How often packet loss may look like a fault. Anything beyond is the fault of a program.
	mayUnanswer = 1 // MSOKs of a burst without HSHK
	mayShorten  = 2 // consecutive bursts with the same number of announces
	mayDelay    = 2 // wrong times between announces of a burst: before and after a late one
)

// bursts checks how announcers announce themselves.
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

// rhythm is the timing of an announcer's announces at a heartbeat server.
type rhythm struct {
	count int   // announces in the burst
	start int64 // of the burst
	last  int64 // time of the last announce
	slot  int64 // second of the burst in which the last announce came
	whole bool  // the capture has the burst's first announce

	offBeat int  // wrong times between announces of the burst
	tooLong bool // reported already

	before, most int64 // time from the start of the burst before, and its maximum if announces are lost; 0: unknown
	few, shorts  int   // number of announces in each burst before, if too few, and the number of such bursts

	announce   wire.Place
	acceptance *wire.Place // the announce before the burst's first MSOK, until one of its cookies comes back
	accepted   int         // MSOKs of the burst
	latest     int64       // time of the last MSOK
	answered   bool        // a cookie of the burst came back

	badVersion clock.Moment
	heartbeat  HeartbeatVersion // requested by BADV
	anyVersion bool             // BADV was too short to name the version
	badFormat  clock.Moment

	member
}

func (r *rhythm) held() int {
	if r.acceptance == nil {
		return 0
	}
	return int(unsafe.Sizeof(*r.acceptance))
}

// add adds an announce of a game server to its rhythm.
func (s *bursts) add(core *wire.Base, a *announcer, r *rhythm, game netip.AddrPort, p *wire.Place) {
	gap := clock.Elapsed(r.last, p.Time)
	if r.count == 0 || gap > burstEnd {
		s.begin(core, a, r, game, p)
		return
	}
	r.count++
	if gap < 0 { // the network reordered them
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

// checkSize checks the number of announces in the burst that ended, when the next one begins. A burst of five seconds
// with fewer announces lost some on the way. A network loses different announces in each burst, while a program omits
// the same ones. If the capture has no MSOK, the heartbeat server may have refused the first announce.
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
// time is too long and the next one too short; if it lacks a whole burst, one time is too long. A program that counts
// wrong has two wrong times in a row. A burst is not late if it may have been refused.
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

// checkAcceptance checks whether the announcer answered any of the accepted MSOKs of a burst.
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

// answer records that a cookie of a burst came back.
func (s *bursts) answer(at route) {
	if r := s.byRoute.Get(at); r != nil {
		r.answered, r.acceptance = true, nil
	}
}

// checkAfterBadFormat checks any message of an announcer after BADF.
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

// checkAfterBadVersion checks an announce after BADV, unless it has the version that BADV asked for.
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

// close checks the bursts when the capture ends. The last burst may continue after the end, but a game answers MSOK at
// once.
func (s *bursts) close(now int64) {
	s.byRoute.Each(func(_ route, r *rhythm) {
		accepted := r.accepted
		if clock.Elapsed(r.latest, now) < promptly {
			accepted--
		}
		s.checkAcceptance(r, accepted)
	})
}
