package wiretest

import (
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// checkLost plays a talk with one client message lost, once for each client message of a connection except the first.
// The tracker does not know the content of a lost message, so it must not report more findings than without the loss.
// It may report different ones.
func checkLost(t reporter, p *wire.Protocol, k *talk) {
	before := findings(p, k)
	known := make(map[ends]bool)
	for i, n := range k.turns {
		way := ends{n.src, n.dst, wire.TCP}
		if n.what == "tcp" && k.direction(&n) == wire.ToServer && known[way] {
			lossy := &talk{names: k.names, turns: slices.Clone(k.turns)}
			lossy.turns[i] = turn{when: n.when, src: n.src, dst: n.dst, what: "lost"}
			if after := findings(p, lossy); len(after) > len(before) {
				t.Errorf("if the message at %.3f s is lost, there are more findings (see Lost of wire.Tracker): %q instead of %q",
					seconds(n.when), after, before)
			}
		}
		if n.what == "tcp" {
			known[way], known[ends{n.dst, n.src, wire.TCP}] = true, true
		}
	}
}

// findings returns the rules that a talk breaks, sorted. A rule appears once for each finding.
func findings(p *wire.Protocol, k *talk) (rules []string) {
	y := newPlayer(k, p)
	y.quiet = true
	y.show(k.turns)
	y.tracker.Close(y.now)
	for rule, count := range y.broken {
		rules = append(rules, slices.Repeat([]string{rule}, count)...)
	}
	slices.Sort(rules)
	return rules
}
