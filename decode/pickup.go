package decode

import (
	"fmt"
	"slices"

	"github.com/gamedissect/gamedissect/decode/tcp"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// undecided is the number of bytes after which a stream without a recognised protocol counts as foreign: it does not
// belong to a game.
const undecided = 4 << 10

// pickUp looks for messages in a stream whose beginning is missing, to recognise the connection. It returns the number
// of bytes that are no longer needed, or 0 if the connection is recognised. last means that the stream ends or a gap
// follows.
func (c *connection) pickUp(s *tcp.Stream, b []byte, last bool) (used int) {
	src, dst := c.shared.conversations.path(&c.endpoints, sender(s))
	o := c.opening(s)
	wait := false
	if !o.past {
		p, v := c.shared.recogniseStream(src, dst, b)
		if p != nil {
			// The message that identified the protocol begins here, unless this is the middle of another message.
			c.side(s).lost = new(wire.Progress).Plausible(p.splitter, v.Direction, b) < 0
			c.recognised(s, p, v.Direction)
			return 0
		}
		wait = v.Confidence > wire.No && len(b) < undecided
		o.past = !wait
	}
	set := c.candidates(s)
	set.renew(c.shared.recogniser, src, dst, c.way(s))
	at := c.shared.Position()
	end := at + int64(len(b))
	kept, most := end, int64(undecided)
	for i := range set.list {
		kept = min(kept, set.list[i].look(b, at))
		if set.list[i].open {
			most = undecidedRow
		}
	}
	over := int64(len(b))+c.passed(s) > most
	if l := c.strongest(s, set, last, last || over); l != nil {
		c.recognised(s, l.protocol, l.direction(b, at))
		return 0
	}
	if over {
		return c.giveUp(s, b)
	}
	if wait {
		kept = at
	}
	if most > undecided || end-kept > remembered {
		c.keepCandidates(s, set)
	}
	c.skipped(s, int(kept-at), false)
	return int(kept - at)
}

// endRow examines the kept bytes of a stream for the last time, because the stream ends or the next bytes are missing.
// It returns the number of bytes that it used.
func (c *connection) endRow(s *tcp.Stream, rest []byte) (used int) {
	if d := c.side(s); d.speaks != maybeGame || !d.lost {
		return 0
	}
	if len(rest) > 0 {
		used = c.pickUp(s, rest, true)
	}
	if c.conversation.protocol == 0 {
		c.opening(s).past = false
		c.opening(s).candidates.gap()
	}
	return used
}

// passed returns the number of bytes of a stream that were skipped so far, because its protocol is unknown.
func (c *connection) passed(s *tcp.Stream) (bytes int64) {
	if g := c.side(s).gap; g != nil {
		bytes = g.skipped
	}
	return bytes + c.opening(s).skipped
}

// candidates returns the candidates of a stream. If the stream has none, it returns an empty set in memory that all
// connections share. This set is valid until the next call; keepCandidates stores a copy.
func (c *connection) candidates(s *tcp.Stream) *candidates {
	if set := c.opening(s).candidates; set != nil && set.start == s.Start() {
		return set
	}
	set := &c.shared.candidates
	set.start, set.list = s.Start(), set.list[:0]
	return set
}

// strongest returns the candidate with the most messages in both streams, or nil if the messages do not suffice. If
// several candidates share the maximum, strongest returns one of them that is near if decide is set, and otherwise nil.
func (c *connection) strongest(s *tcp.Stream, set *candidates, last, decide bool) (best *candidate) {
	most, same := 0, false
	for i := range set.list {
		l := &set.list[i]
		n := l.messages() + c.opening(s.Other()).candidates.of(l.protocol).messages()
		if n == 0 || n < most {
			continue
		}
		same = n == most
		if n > most || l.near && !best.near {
			best, most = l, n
		}
	}
	if best == nil || !best.suffices(most, last) || same && !(decide && best.near) {
		return nil
	}
	return best
}

func (c *connection) keepCandidates(s *tcp.Stream, set *candidates) {
	if o := c.opening(s); o.candidates != set {
		c.dropCandidates(s)
		o.candidates = &candidates{set.start, slices.Clone(set.list)}
		c.shared.conversations.budget.Spend(candidateCost * len(set.list))
	}
}

// recognised sets the protocol that a stream showed. It then decodes the kept bytes of the other stream, which are
// older than the current bytes of s.
func (c *connection) recognised(s *tcp.Stream, p *protocol, way wire.Direction) {
	c.settle(s, p, way)
	s.Other().Retry(&c.shared.Assembler)
}

// giveUp marks a stream as foreign. The other stream may still show a game protocol: if a client speaks another
// protocol, a game server answers in its own.
func (c *connection) giveUp(s *tcp.Stream, b []byte) (used int) {
	d := c.side(s)
	d.lost, d.why = true, NoMessage
	d.speaks = max(d.speaks, foreignSpeech)
	c.dropCandidates(s)
	if c.side(s.Other()).speaks != maybeGame {
		c.Ignore()
	}
	c.skipped(s, len(b), false)
	return len(b)
}

// settle sets the protocol of a connection after one of its streams showed the protocol.
func (c *connection) settle(s *tcp.Stream, p *protocol, way wire.Direction) {
	p.settle(c.conversation)
	c.setServer(sender(s), way)
	c.splitter, c.Undecided = p.NewSplitter(), false
	c.shared.noteServer(c.conversation)
	c.shared.counters.Recognised += int64(c.sides[0].packets) + int64(c.sides[1].packets)
	c.shared.decoder.others.ours(c.conversation.place)
	for _, s := range [...]*tcp.Stream{s, s.Other()} {
		c.dropCandidates(s)
		if c.isMid(s) {
			c.shared.skip(BeforeFirst, int(c.opening(s).skipped))
		}
	}
	if !c.side(s).lost {
		c.reportMiddle(s)
	}
	if n := c.shared.skipPending(c.conversation); n > 0 {
		text := wire.Counted(n, "byte") + " from before it was clear what the connection speaks could not be kept"
		rule, other := RuleUnread, s.Other()
		switch speaks := c.side(other).speaks; speaks {
		case maybeGame:
		case foreignSpeech:
			s = other
		default:
			s, rule = other, RuleForeign
			text = fmt.Sprintf("it speaks %s, not %s: %s", speaks, p.Title, wire.Counted(n, "byte"))
		}
		place := c.place(s, c.shared.Latest())
		c.shared.out.finding(&wire.TrafficFinding{Place: place, Rule: rule, Text: text})
	}
}
