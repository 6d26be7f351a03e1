package wiretest

import (
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// checkNetwork plays variants of a talk, as incomplete captures would contain it. A variant must not break a rule of
// severity warning or error that the talk does not break, because a tracker must not blame a program for a gap in the
// capture.
//
// There are variants for each message: the message is missing, the capture begins with it or ends before it, or the
// clock is set forward or back by an hour before the message. Two more variants contain only one direction.
func checkNetwork(t reporter, p *wire.Protocol, k *talk) {
	before := append(accusations(p, k), k.hides...)
	check := func(what string, at int64, turns []turn) {
		for _, rule := range accusations(p, &talk{names: k.names, turns: turns}) {
			if !slices.Contains(before, rule) {
				t.Errorf("%s at %.3f s breaks %s, which the talk does not break", what, seconds(at), rule)
				return
			}
		}
	}
	for i, n := range k.turns {
		if n.what != "" && n.what != "tcp" {
			continue
		}
		check("a lost message", n.when, without(k.turns, i))
		check("a capture that begins", n.when, beginning(k.turns, i))
		check("a capture that ends", n.when, k.turns[:i])
		for _, step := range [...]int64{hour, -hour} {
			check("a clock that was set", n.when, jumping(k.turns, i, step))
		}
	}
	for _, way := range [...]wire.Direction{wire.ToServer, wire.FromServer} {
		check("a capture that has only "+way.String(), 0, k.oneWay(way))
	}
}

const hour = 3600e9

// accusations returns the rules that a talk breaks, except notes.
func accusations(p *wire.Protocol, k *talk) (rules []string) {
	y := newPlayer(k, p)
	y.quiet = true
	y.show(k.turns)
	y.tracker.Close(y.now)
	for _, r := range p.Rules {
		if r.Severity > wire.Note && y.broken[r.ID] > 0 {
			rules = append(rules, r.ID)
		}
	}
	return rules
}

// without makes the capture lack the message of turn i.
func without(turns []turn, i int) []turn {
	turns = slices.Clone(turns)
	n := &turns[i]
	what := "wait"
	if n.what == "tcp" {
		what = "lost"
	}
	*n = turn{when: n.when, src: n.src, dst: n.dst, what: what}
	return turns
}

// beginning returns the turns beginning with turn i. Connections that began earlier lack bytes.
func beginning(turns []turn, i int) []turn {
	begun := make(map[ends]bool)
	var lost []turn
	for _, n := range turns[:i] {
		if way := (ends{n.src, n.dst, wire.TCP}); n.what == "tcp" && !begun[way] {
			begun[way], begun[ends{n.dst, n.src, wire.TCP}] = true, true
			lost = append(lost, turn{when: turns[i].when, src: n.src, dst: n.dst, what: "lost"})
		}
	}
	return append(lost, turns[i:]...)
}

// jumping sets the clock forward by step before turn i.
func jumping(turns []turn, i int, step int64) []turn {
	turns = slices.Insert(slices.Clone(turns), i, turn{when: turns[i].when, what: "jump"})
	for j := range turns[i:] {
		turns[i+j].when += step
	}
	return turns
}

// oneWay returns the turns in one direction. At the start of each TCP connection it adds a loss in each direction.
func (t *talk) oneWay(way wire.Direction) (turns []turn) {
	begun := make(map[ends]bool)
	for _, n := range t.turns {
		d := t.direction(&n)
		if n.what == "closed" || n.what == "reset" { // another connection may use the same ports
			delete(begun, ends{n.src, n.dst, wire.TCP})
			delete(begun, ends{n.dst, n.src, wire.TCP})
		}
		if e := (ends{n.src, n.dst, wire.TCP}); n.what == "tcp" && !begun[e] {
			begun[e], begun[ends{n.dst, n.src, wire.TCP}] = true, true
			turns = append(turns, turn{when: n.when, src: n.src, dst: n.dst, what: "lost"},
				turn{when: n.when, src: n.dst, dst: n.src, what: "lost"})
		}
		if d == wire.Unknown || d == way || n.what == "end" || n.what == "wait" {
			turns = append(turns, n)
		}
	}
	return turns
}
