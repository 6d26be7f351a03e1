package iceball

import (
	"net/netip"
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

	burstEnd  = int64(5 * time.Second)       // without an announce: the next one begins a burst
	promptly  = int64(time.Second)           // within which the game answers MSOK
	badVEnd   = int64(60 * time.Second)      // for which a game must heed BADV
	underWay  = int64(50 * time.Millisecond) // what was sent before a refusal arrived
	firstSeen = burstStep + stepTolerance    // an announce that much after the capture's start is a burst's first

	// How often a network that loses packets may look like a fault. Once more is the fault of a program.
	mayUnanswer = 1 // MSOKs of a burst without HSHK
	mayShorten  = 2 // bursts in a row of the same number of announces
	mayDelay    = 2 // wrong times between announces of a burst: before one that is late, and after it
)

// rhythm is how an announcer announces itself at a heartbeat server.
type rhythm struct {
	count int   // announces of the burst
	start int64 // of the burst
	last  int64 // the last announce
	slot  int64 // its second of the burst
	whole bool  // the burst's first announce was seen

	offBeat int  // wrong times between announces of the burst
	tooLong bool // was reported

	before, most int64 // from the start of the burst before, and the most it may be if announces are lost; 0: unknown
	few, shorts  int   // the announces of the bursts before, if they were too few, and how many bursts those were

	acceptance *wire.Place // the burst's first MSOK, while no cookie of it came back
	accepted   int         // MSOKs of the burst
	latest     int64       // of them
	shaken     bool        // a cookie of the burst came back

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

// followRhythm adds an announce of a game server to the rhythm.
func (t *tracker) followRhythm(core *wire.Base, a *announcer, r *rhythm, game netip.AddrPort, p *wire.Place) {
	gap := clock.Elapsed(r.last, p.Time)
	if r.count == 0 || gap > burstEnd {
		t.beginBurst(core, a, r, game, p)
		return
	}
	r.count++
	if gap < 0 { // the network reordered the two
		return
	}
	t.measureTime(p, game, "announce gap", gap, false)
	r.last = p.Time
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

// beginBurst ends a burst and begins the next one.
func (t *tracker) beginBurst(core *wire.Base, a *announcer, r *rhythm, game netip.AddrPort, p *wire.Place) {
	whole := !t.isEarly(p.Time, firstSeen)
	if r.count > 0 {
		whole = true
		period := clock.Elapsed(r.start, p.Time)
		t.measureTime(p, game, "burst period", period, false)
		if a.refusedSince(r.start) || a.missedSince(r.start) {
			r.before, r.most, r.few, r.shorts = 0, 0, 0, 0
		} else {
			r.checkSize(core)
			r.checkPeriod(core, period)
		}
		if r.whole {
			t.Measured(wire.Value{Place: *p, Table: servers, Server: game, What: "burst size", Number: float64(r.count),
				Unit: "announces"})
		}
		t.checkAcceptance(r, r.accepted)
	}
	t.Measured(wire.Value{Place: *p, Table: servers, Server: game, What: "bursts", Number: 1})
	r.count, r.start, r.last, r.slot, r.whole = 1, p.Time, p.Time, 0, whole
	r.offBeat, r.tooLong, r.accepted, r.shaken, r.acceptance = 0, false, 0, false, nil
}

// checkSize checks the number of announces of the burst that ended, when the next one begins. One that has five seconds
// but fewer announces lost some of them on the way. A network loses other announces of each burst, a program sends the
// same ones. Without MSOK in the capture the heartbeat server may have refused the first one.
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

// checkPeriod checks the times between the last three bursts. If the capture lacks the first announces of one, a time
// is too long and the next one too short; if it lacks a whole burst, one time is too long. A program that counts wrong
// has two wrong times in a row. It is not late if it may have been refused.
func (r *rhythm) checkPeriod(core *wire.Base, period int64) {
	const least, most = burstPeriod - periodTolerance, burstPeriod + periodTolerance
	missed := max(0, burstSize-1-max(r.slot, int64(r.count)-1)) * burstStep
	early := r.most < least && period+missed < least
	late := r.before-missed > most && period > most && (r.accepted > 0 || missed == 0)
	if r.before > 0 && (early || late) {
		core.Report(rulePeriod, 0, headerSize, "the burst begins %.3f s after the one before, and that %.3f s after its "+
			"own, expected are 40 s", seconds(period), seconds(r.before))
	}
	r.before, r.most = period, period+missed
}

// checkAcceptance checks whether the announcer answered any of so many MSOKs of a burst.
func (t *tracker) checkAcceptance(r *rhythm, accepted int) {
	if r.acceptance != nil && accepted > mayUnanswer {
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
