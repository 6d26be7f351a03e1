package listing

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// Server is a game server on its way into the list of a master.
type Server struct {
	Address netip.AddrPort
	Asks    int   // announces that wait for an answer
	Hint    int   // what the protocol wants to know again of the last announce
	Part    uint8 // of the list that it was seen in last, where lists have several
	Gap     int64 // between the last two announces that kept it alive, 0: there were none

	book          *Book
	master        *master
	before, after uint32 // slots of others of the master
	who           string // the address as text
	name          string

	reached uint8 // steps, from the beginning of the capture on
	life    uint8 // the same since it was forgotten last
	failed  Step
	why     string
	judged  clock.Moment // when what failed was reported last

	waits   clock.Moment // for the next step, from then on
	step    Step         // that it waits for
	heard   clock.Moment // when it was heard of last, by what keeps it alive
	kept    compactPlace // that message
	last    compactPlace // what was said last
	alive   bool         // the master knows it,
	since   int64        // from then on
	seen    int64        // when it was in a list last
	absence string       // what a list shows that did not name it since
}

// compactPlace is a wire.Place without its endpoints.
type compactPlace struct {
	frame, conversation int
	file                string
	time                int64
}

func compact(p *wire.Place) compactPlace {
	return compactPlace{p.Frame, p.Conversation, p.File, p.Time}
}

// place returns the place of a message, at another time.
func (s *Server) place(at *compactPlace, now int64) *wire.Place {
	return &wire.Place{Frame: at.frame, File: at.file, Time: now, Conversation: at.conversation, Src: s.Address,
		Dst: s.master.at, Protocol: s.book.protocol}
}

func (s *Server) measure(p *wire.Place, what, text string) {
	s.book.reporter.Measured(wire.Value{Place: *p, Table: Table.Name, Server: s.master.at, Who: s.who,
		What: what, State: true, Text: text})
}

// Happened reports something that happened to the server: its address, and then format.
func (s *Server) Happened(p *wire.Place, kind, format string, args ...any) {
	s.book.reporter.Happened(p, s.master.at, s.who, kind, s.who+" "+format, args...)
}

// atMaster is Happened, of something that has the master behind it.
func (s *Server) atMaster(p *wire.Place, kind, what string) {
	s.book.reporter.Happened(p, s.master.at, s.who, kind, "%s%s%s", s.who, what, s.master.name)
}

func (s *Server) held() int { return len(s.who) + len(s.name) + len(s.why) + len(s.absence) }

// reach notes that a step is reached, and reports whether that is news. What failed until there has not any more.
func (s *Server) reach(p *wire.Place, step Step) (news bool) {
	s.last = compact(p)
	bit := uint8(1) << step
	if s.reached&bit == 0 {
		s.reached |= bit
		s.measure(p, step.String(), "yes")
	}
	if s.why != "" && s.failed <= step && (s.failed != 0 || step > Announced) {
		s.setFailure(p, 0, "")
	}
	news = s.life&bit == 0
	s.life |= bit
	return news
}

// Reached reports whether the server has reached a step since it was forgotten last.
func (s *Server) Reached(step Step) bool { return s.life&(1<<step) != 0 }

// setFailure notes what failed, and why; step 0: nothing. The last word counts, whatever the time of the message.
func (s *Server) setFailure(p *wire.Place, step Step, because string) {
	at := *p
	if s.judged.Known() {
		at.Time = max(at.Time, s.judged.When())
	}
	s.judged = clock.At(at.Time)
	if s.failed != step {
		s.failed = step
		s.measure(&at, failed, step.String())
	}
	if s.why != because {
		s.why = because
		s.measure(&at, why, because)
	}
}

// Failed is the step that was not reached, or was lost again, 0 if there is none.
func (s *Server) Failed() Step { return s.failed }

// Named notes what the server is called.
func (s *Server) Named(p *wire.Place, text []byte) {
	if len(text) > 0 && string(text) != s.name {
		s.name = string(text)
		s.measure(p, name, s.name)
	}
}

// Waits reports whether it is waited for a step.
func (s *Server) Waits(step Step) bool { return s.waits.Known() && s.step == step }

// wait begins to wait for a step.
func (s *Server) wait(step Step) {
	if s.step != step || !s.waits.Known() {
		s.step, s.waits = step, clock.At(s.book.now)
	}
	s.await()
}

func (s *Server) await() {
	if due := s.due(); due.Known() {
		s.book.await(s.master, max(due.When(), s.book.now+1))
	}
}

// due is when the server has to be looked at, if ever.
func (s *Server) due() clock.Moment {
	switch {
	case s.waits.Known():
		return clock.At(clock.Add(s.waits.When(), s.book.habits.Patience))
	case s.alive && s.heard.Known():
		return clock.At(clock.Add(s.heard.When(), s.book.habits.Forgets))
	}
	return clock.Moment{}
}

// Announce notes an announce with a hint, and reports whether it is news.
func (s *Server) Announce(p *wire.Place, hint int) (news bool) {
	news = s.reach(p, Announced)
	s.Hint = hint
	s.Asks++
	if !s.alive || s.book.habits.Answers {
		s.wait(Challenged)
	}
	return news
}

// ReportAnnounced reports that the server announces itself.
func (s *Server) ReportAnnounced(p *wire.Place) {
	s.atMaster(p, EventAnnounced, " announces itself at ")
}

// Alive notes a message that keeps the server in the list, which may have been sent before.
func (s *Server) Alive(p *wire.Place, when int64) {
	now := compact(p)
	now.time = when
	if s.heard.Known() && when > s.kept.time {
		s.Gap = clock.Elapsed(s.kept.time, when)
	}
	if !s.heard.Known() || when > s.kept.time {
		s.heard, s.kept = clock.At(min(when, s.book.now)), now
	}
	s.await()
}

// Challenge notes that the master asks back.
func (s *Server) Challenge(p *wire.Place) {
	if s.reach(p, Challenged) {
		s.atMaster(p, EventChallenged, " is challenged by ")
	}
	s.Asks = 0
	s.wait(Answered)
}

// Answer notes that the server answers to that, rightly or not.
func (s *Server) Answer(p *wire.Place) {
	s.reach(p, Answered)
	s.waits = clock.Moment{}
}

// Verify notes that the answer is right. From now on the master lists the server.
func (s *Server) Verify(p *wire.Place) {
	if s.reach(p, Verified) {
		s.atMaster(p, EventVerified, " is verified by ")
	}
	s.setFailure(p, 0, "")
	s.know()
}

// know notes that the master knows the server.
func (s *Server) know() {
	if !s.alive {
		s.alive, s.since = true, s.book.now
	}
	s.waits, s.Asks = clock.Moment{}, 0
	s.await()
}

// Fail notes that a step was not reached, and why.
func (s *Server) Fail(p *wire.Place, step Step, because string) {
	s.reportFailure(p, step, because)
	s.stop(p)
}

// stop notes that nothing is waited for any more.
func (s *Server) stop(p *wire.Place) {
	s.last, s.waits, s.Asks = compact(p), clock.Moment{}, 0
	s.await()
}

// reportFailure is setFailure where no other event reports it.
func (s *Server) reportFailure(p *wire.Place, step Step, because string) {
	if s.why != because {
		s.Happened(p, EventFailed, "%s: %s", step.failure(), because)
	}
	s.setFailure(p, step, because)
}

// Refuse is Fail where the master says so itself. A server that it knows already stays for a while.
func (s *Server) Refuse(p *wire.Place, because string) {
	if s.why != because {
		s.Happened(p, EventRefused, "is refused: %s", because)
	}
	step := Challenged
	if s.alive {
		step = Renewed
	}
	s.setFailure(p, step, because)
	s.stop(p)
}

// Elsewhere notes that the master does not speak for itself, and what became of the announce.
func (s *Server) Elsewhere(p *wire.Place, because string) {
	s.stop(p)
	s.setFailure(p, 0, because)
}

// List notes that the server is in a list of the master, with so many servers; 0: that is not known yet. The first list
// that is seen is reported as a whole.
func (s *Server) List(p *wire.Place, servers int, first bool) {
	s.seen, s.absence = s.book.now, ""
	if s.reach(p, Listed) && (!first || s.Reached(Announced)) {
		count := ""
		if servers > 0 {
			count = " (" + wire.Counted(servers, "server") + ")"
		}
		s.Happened(p, EventListed, "appears in the list of %s%s", s.master.at, count)
	}
	if s.Reached(Announced) {
		s.know()
	}
}

// Seen is when the server was in a list last, by the clock of the capture.
func (s *Server) Seen() int64 { return s.seen }

// Absent notes that a complete list which ends at a place does not name the server, though the master knows it; others
// counts those of the same address that it names. Where it has known the server for less than grace, the next list may
// name it, so this is said when the capture ends.
func (s *Server) Absent(p *wire.Place, grace int64, others int) {
	if !s.alive || s.failed != 0 {
		return
	}
	after := clock.Elapsed(s.since, s.book.now)
	s.absence = fmt.Sprintf("verified; the list of %s in frame %d, %.3f s later, is complete and does not name it",
		s.master.at.Addr(), p.Frame, float64(after)/float64(time.Second))
	if others > 0 {
		s.absence += fmt.Sprintf(" (%d others of %s it does: it may allow only so many of an address)", others,
			s.Address.Addr())
	}
	if after >= grace {
		s.FailListed(p, s.absence)
	}
}

// Delist notes that the server is not in a list any more.
func (s *Server) Delist(p *wire.Place) {
	if !s.Reached(Listed) {
		return
	}
	s.life &^= 1 << Listed
	s.atMaster(p, EventUnlisted, " is gone from the list of ")
	switch {
	case s.alive && s.heard.Known() && clock.Elapsed(s.heard.When(), s.book.now) >= s.book.habits.Keeps:
		s.expire(p)
	case s.failed == 0:
		s.explain(p, Listed)
	}
}

// explain notes why a step is not reached any more, if that is known.
func (s *Server) explain(p *wire.Place, step Step) {
	if because := s.whyNot(step); because != "" {
		s.setFailure(p, step, because)
	}
}

// timeOut notes that the step that was waited for was not reached in time.
func (s *Server) timeOut(now int64) {
	if because := s.whyNot(s.step); because != "" {
		s.reportFailure(s.place(&s.last, now), s.step, because)
	}
}

// whyNot says why a step was not reached in time, or is not any more; "": it may be.
func (s *Server) whyNot(step Step) string {
	switch announced := s.Reached(Announced); {
	case step == Listed && announced:
		return "it is gone from the list"
	case step == Listed:
		return "it is gone from the list; its " + s.book.habits.Announces + " are not in the capture"
	case step == Answered && !announced:
		return ""
	}
	return s.book.habits.Why(s, step)
}

// FailListed is Fail where a list does not name the server: it should, or would if the master knew it.
func (s *Server) FailListed(p *wire.Place, because string) {
	if s.failed != Renewed {
		s.Fail(p, Listed, because)
	}
}

// look looks what did not come until now. What a silence means is reported of the moment that it meant it: when that is
// looked at depends on others.
func (s *Server) look(now int64) {
	due := s.due()
	if !due.Known() || due.When() > now {
		return
	}
	if s.waits.Known() {
		s.waits = clock.Moment{}
		s.timeOut(due.When())
		s.look(now)
		return
	}
	s.expire(s.place(&s.kept, due.When()))
}

// expire notes that the master has forgotten the server.
func (s *Server) expire(p *wire.Place) {
	s.alive, s.life = false, 0
	s.Happened(p, EventExpired, "expires at %s: nothing keeps it in the list", s.master.at)
	if s.failed == 0 {
		s.explain(p, Renewed)
	}
}

// close reports how the server stands at the end.
func (s *Server) close(now int64) {
	switch {
	case s.waits.Known() && clock.Elapsed(s.waits.When(), now) >= promptly:
		s.timeOut(now)
	case s.alive && s.failed == 0 && s.heard.Known():
		s.measure(s.place(&s.kept, s.kept.time), Renewed.String(), "yes")
	}
	if s.absence != "" && s.failed == 0 {
		s.setFailure(s.place(&s.last, now), Listed, s.absence)
	}
}
