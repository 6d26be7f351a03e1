package wiretest

import (
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// checkLost plays a talk with something lost that a client says over a connection which is known, each of its messages
// in turn. What it was is not known then, so there may not be more findings than before; instead of one that needs it
// there may be another.
func checkLost(t reporter, p *wire.Protocol, k *talk) {
	before := findings(p, k)
	known := make(map[ends]bool)
	for i, n := range k.turns {
		way := ends{n.src, n.dst, wire.TCP}
		if n.what == "tcp" && k.direction(&n) == wire.ToServer && known[way] {
			lossy := &talk{names: k.names, turns: slices.Clone(k.turns)}
			lossy.turns[i] = turn{when: n.when, src: n.src, dst: n.dst, what: "lost"}
			if after := findings(p, lossy); len(after) > len(before) {
				t.Errorf("when the message of %.3f s is lost there is more to find, see Lost of wire.Tracker: %q instead of %q",
					seconds(n.when), after, before)
			}
		}
		if n.what == "tcp" {
			known[way], known[ends{n.dst, n.src, wire.TCP}] = true, true
		}
	}
}

// findings gives the rules that a talk breaks, each as often as it does, in order.
func findings(p *wire.Protocol, k *talk) (rules []string) {
	y := newPlayer(k, p)
	y.show(k.turns)
	y.tracker.Close(y.now)
	for rule, count := range y.broken {
		rules = append(rules, slices.Repeat([]string{rule}, count)...)
	}
	slices.Sort(rules)
	return rules
}
