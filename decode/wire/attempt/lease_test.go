package attempt_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// moves are what the two ends of a lease may do, and what the capture may show about them.
var moves = []func(x *attempt.Attempt, ask, answer *wire.Place){
	func(x *attempt.Attempt, ask, _ *wire.Place) { x.Try(ask, 0) },
	func(x *attempt.Attempt, ask, _ *wire.Place) { x.Renew(ask, ask.Time) },
	func(x *attempt.Attempt, _, answer *wire.Place) { x.Reach(answer, 1) },
	func(x *attempt.Attempt, _, answer *wire.Place) { x.Reach(answer, 2) },
	func(x *attempt.Attempt, _, answer *wire.Place) { x.Reach(answer, 3) },
	func(x *attempt.Attempt, _, answer *wire.Place) { x.Refuse(answer, wire.Asked, "no", "") },
	func(x *attempt.Attempt, ask, _ *wire.Place) { x.Fail(ask, wire.Asker, "it is wrong", "") },
	func(x *attempt.Attempt, _, answer *wire.Place) { x.Miss(answer, "it is missing", "") },
	func(x *attempt.Attempt, _, _ *wire.Place) { x.MayMiss("it was missing", "") },
	func(x *attempt.Attempt, _, _ *wire.Place) { x.Suspect("it is too old", "") },
	func(x *attempt.Attempt, ask, _ *wire.Place) { x.Name(ask, "one") },
}

type move struct{ asker, what int }

// play plays the same events at several hosts at once, and returns the reports of each host. If everySecond is set, the
// account learns the time in every second, and otherwise only in seconds with events.
func play(script [][]move, hosts int, everySecond bool) map[string][]string {
	all := make(map[string][]string)
	a := attempt.New(&wire.Reporter{Memory: bounded.NewBudget(bounded.DefaultMemory), Value: func(v *wire.Value) {
		line := fmt.Sprintf("%d %s %s %s", v.Time/second, v.Who, v.What, v.Text)
		all[v.Server.String()] = append(all[v.Server.String()], strings.ReplaceAll(line, v.Server.String(), "HOST"))
	}}, "leases", leases)
	for now, turn := range script {
		if everySecond || len(turn) > 0 {
			a.Time(int64(now) * second)
		}
		for _, m := range turn {
			for i := range hosts {
				ask := &wire.Place{Time: int64(now) * second, Src: wiretest.Host(1, m.asker, 4000), Dst: wiretest.Host(2, i, 28000)}
				answer := *ask
				answer.Src, answer.Dst = ask.Dst, ask.Src
				moves[m.what](a.Begin(leases, ask, ask.Src, ask.Dst), ask, &answer)
			}
		}
	}
	a.Close(int64(len(script)) * second)
	for _, lines := range all {
		slices.Sort(lines) // without everySecond, missing messages are reported later
	}
	return all
}

// A hundred hosts with the same events have a hundred times the reports of one, however often time advances.
func TestHundredLeases(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 10 {
		script := make([][]move, 600)
		for now := range script {
			if now/40%2 == 1 && r.IntN(10) > 0 {
				continue // in every other period of 40 s, events are rare
			}
			for range r.IntN(4) {
				script[now] = append(script[now], move{r.IntN(3), r.IntN(len(moves))})
			}
		}
		alone, hundred := play(script, 1, false), play(script, 100, true)
		if len(hundred) != 100 {
			t.Fatalf("reports about %d hosts, want 100", len(hundred))
		}
		for host, lines := range hundred {
			if diff := cmp.Diff(alone[wiretest.Host(2, 0, 28000).String()], lines); diff != "" {
				t.Fatalf("%s (-alone +among a hundred):\n%s", host, diff)
			}
		}
	}
}
