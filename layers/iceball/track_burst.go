package iceball

import (
	"time"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// The rhythm of announces, as the document has it and the real game keeps it.
const (
	burstSize   = 5
	burstStep   = int64(time.Second)
	burstPeriod = int64(40 * time.Second)

	stepTolerance   = int64(350 * time.Millisecond)
	periodTolerance = int64(time.Second)

	burstEnd  = int64(5 * time.Second)        // without an announce: the next one begins a burst
	twice     = int64(500 * time.Microsecond) // within which an equal announce is the same packet, captured twice
	promptly  = int64(time.Second)            // within which the game answers MSOK
	badVEnd   = int64(60 * time.Second)       // for which a game must heed BADV
	underWay  = int64(50 * time.Millisecond)  // what was sent before a refusal arrived
	firstSeen = burstStep + stepTolerance     // an announce that much after the capture's start is a burst's first
)

// rhythm is how an announcer announces itself at a heartbeat server.
type rhythm struct {
	count  int   // announces of the burst
	start  int64 // of the burst
	last   int64 // the last announce
	slot   int64 // its second of the burst
	latest facts // what it said
	whole  bool  // the burst's first announce was seen

	offGrid, tooLong bool // was reported

	acceptance *wire.Place // the burst's first MSOK, while no cookie of it came back
	accepted   bool
	shaken     bool // a cookie of the burst came back

	badVersion clock.Moment
	heartbeat  HeartbeatVersion // that BADV asks for
	anyVersion bool             // BADV was too short to tell
	badFormat  clock.Moment

	member
}

func (r *rhythm) held() int {
	if r.acceptance == nil {
		return 0
	}
	return int(unsafe.Sizeof(*r.acceptance))
}

// followRhythm adds an announce to the rhythm. It reports whether the announce is new, not a copy.
func (t *tracker) followRhythm(core *wire.Base, a *announcer, r *rhythm, f facts, p *wire.Place) bool {
	gap := clock.Elapsed(r.last, p.Time)
	if r.count > 0 && f.whole && f == r.latest && gap >= 0 && gap <= twice {
		return false
	}
	r.latest = f
	if r.count == 0 || gap > burstEnd {
		t.beginBurst(core, a, r, p)
		return true
	}
	r.count++
	if gap < 0 { // the network reordered the two
		return true
	}
	t.measureTime(p, p.Src, "announce gap", gap, false)
	r.last = p.Time
	since := clock.Elapsed(r.start, p.Time)
	r.slot = max(r.slot+1, (since+burstStep/2)/burstStep)
	off := since - r.slot*burstStep
	if (off > stepTolerance || off < -stepTolerance) && !r.offGrid {
		r.offGrid = true
		core.Report(ruleSpacing, 0, headerSize, "%.3f s after the burst's first announce, expected at %d s",
			seconds(since), r.slot)
	}
	if r.count > burstSize && !r.tooLong && !a.refusedSince(r.start) {
		r.tooLong = true
		core.Report(ruleBurstSize, 0, headerSize, "announce %d of a burst, a burst has %d", r.count, burstSize)
	}
	return true
}

// beginBurst ends a burst and begins the next one.
func (t *tracker) beginBurst(core *wire.Base, a *announcer, r *rhythm, p *wire.Place) {
	whole := !t.isEarly(p.Time, firstSeen)
	if r.count > 0 {
		whole = true
		period := clock.Elapsed(r.start, p.Time)
		t.measureTime(p, p.Src, "burst period", period, false)
		if !a.refusedSince(r.start) && !a.missedSince(r.start) {
			t.checkBurst(core, r, period)
		}
		if r.whole {
			t.Measured(wire.Value{Place: *p, Table: servers, Server: p.Src, What: "burst size", Number: float64(r.count),
				Unit: "announces"})
		}
		t.checkAcceptance(r)
	}
	t.Measured(wire.Value{Place: *p, Table: servers, Server: p.Src, What: "bursts", Number: 1})
	r.count, r.start, r.last, r.slot, r.whole = 1, p.Time, p.Time, 0, whole
	r.offGrid, r.tooLong, r.accepted, r.shaken, r.acceptance = false, false, false, false, nil
}

// checkBurst checks the burst that ended, when the next one begins. One that has five seconds but
// fewer announces lost some of them on the way. Of the first burst of a capture some announces may
// have been sent before it, and then it began earlier.
func (t *tracker) checkBurst(core *wire.Base, r *rhythm, period int64) {
	if r.whole && r.slot+1 < burstSize && r.count < burstSize {
		core.Report(ruleBurstSize, 0, headerSize, "the burst before had %s, a burst has %d", wire.Counted(r.count,
			"announce"), burstSize)
	}
	least := burstPeriod - periodTolerance
	if missed := burstSize - 1 - r.slot; !r.whole && missed > 0 {
		least -= missed * burstStep
	}
	if period < least || period > burstPeriod+periodTolerance {
		core.Report(rulePeriod, 0, headerSize, "the burst begins %.3f s after the one before, expected are 40 s",
			seconds(period))
	}
}

// checkAcceptance checks whether the announcer answered any MSOK of a burst.
func (t *tracker) checkAcceptance(r *rhythm) {
	if r.acceptance != nil {
		t.Report(r.acceptance, ruleAcceptUnanswered, "no HSHK answers this MSOK or another one of the burst")
		r.acceptance = nil
	}
}

// checkAfterBadFormat checks any message of an announcer after BADF.
func (r *rhythm) checkAfterBadFormat(core *wire.Base, p *wire.Place) {
	if r.badFormat.Within(p.Time, badVEnd) && !r.badFormat.Within(p.Time, underWay) {
		core.Report(ruleAfterBadFormat, 0, min(headerSize, len(core.Contents)), "%.3f s after BADF",
			seconds(clock.Elapsed(r.badFormat.When(), p.Time)))
	}
}

// checkAfterBadVersion checks an announce after BADV, unless it has the version that BADV asks for.
func (t *tracker) checkAfterBadVersion(core *wire.Base, r *rhythm, f facts, p *wire.Place) {
	m := r.badVersion
	if !m.Within(p.Time, badVEnd) || m.Within(p.Time, underWay) || r.anyVersion || !f.versions ||
		f.heartbeat == r.heartbeat {
		return
	}
	core.Report(ruleAfterBadVersion, headerSize, 2, "hbversion %d, %.3f s after BADV with %d", f.heartbeat,
		seconds(clock.Elapsed(m.When(), p.Time)), r.heartbeat)
}
