package wiretest

import (
	"fmt"
	"maps"
	"math"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Copies plays each talk of a folder many times at once: each turn by all before the next one, between hosts of
// their own. So many copies have to give so many times the findings and values of one.
func Copies(t *testing.T, p *wire.Protocol, dir string, copies int) {
	files, err := filepath.Glob(filepath.Join(dir, "*.talk"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no talks in %s: %v", dir, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".talk"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			talk, err := parseTalk(string(text))
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			checkCopies(t, p, talk, copies)
		})
	}
}

func checkCopies(t reporter, p *wire.Protocol, k *talk, copies int) {
	t.Helper()
	one, many := k.sums(p, 1), k.sums(p, copies)
	for what := range many {
		one[what] = one[what] // so that what only many give is compared
	}
	for _, what := range slices.Sorted(maps.Keys(one)) {
		a, b := one[what], many[what]
		if want := a.sum * float64(copies); b.count != a.count*copies || math.Abs(b.sum-want) > 1e-9*math.Abs(want) {
			t.Errorf("%s: %d times, %g in all; one copy has %d times %g, there are %d", what, b.count, b.sum, a.count, a.sum,
				copies)
		}
	}
}

// total is how often something was found, and the sum if it is a number.
type total struct {
	count int
	sum   float64
}

// sums plays copies of the talk at once and tells what was found.
func (k *talk) sums(p *wire.Protocol, copies int) map[string]total {
	found := make(map[string]total)
	add := func(what string, number float64) {
		found[what] = total{found[what].count + 1, found[what].sum + number}
	}
	own := *k
	y := newPlayer(&own, p)
	y.tracker = p.NewTracker(&wire.Reporter{Memory: y.memory,
		Finding: func(f *wire.TrafficFinding) { add(f.Rule.ID, 0) },
		Value: func(v *wire.Value) {
			add(fmt.Sprintf("%s %s %q in %q, state %t", v.Table, v.What, v.Text, v.Unit, v.State), v.Number)
		}})
	lanes := make(map[[2]netip.AddrPort]uint32)
	for _, n := range k.turns {
		y.now = max(y.now, n.when)
		y.tracker.Time(y.now)
		for i := range copies {
			c := n
			c.src, c.dst = inCopy(n.src, i), inCopy(n.dst, i)
			y.names = map[netip.AddrPort]string{c.src: k.names[n.src], c.dst: k.names[n.dst]}
			place := y.place(&c)
			place.Lane = laneOf(lanes, c.src, c.dst)
			switch n.what {
			case "end", "wait":
			case "lost":
				y.tracker.Lost(place)
			default:
				y.messages(&c, place, func() {
					for _, f := range y.layer.Core().Findings() {
						add(f.Rule.ID, 0)
					}
				})
			}
		}
	}
	y.tracker.Close(y.now)
	return found
}

// inCopy is the endpoint that stands for another in a copy. What is left of addresses that mean many stays.
func inCopy(a netip.AddrPort, i int) netip.AddrPort {
	ip := a.Addr()
	if i == 0 || !ip.IsValid() || ip.IsMulticast() {
		return a
	}
	if ip.Is4() {
		b := ip.As4()
		if b[0] < 224 {
			b[0], b[1] = 20+byte(i>>8), byte(i)
		}
		return netip.AddrPortFrom(netip.AddrFrom4(b), a.Port())
	}
	b := ip.As16()
	b[2], b[3] = 20+byte(i>>8), byte(i)
	return netip.AddrPortFrom(netip.AddrFrom16(b), a.Port())
}

// laneOf numbers who talks to whom.
func laneOf(lanes map[[2]netip.AddrPort]uint32, src, dst netip.AddrPort) uint32 {
	way := [2]netip.AddrPort{src, dst}
	lane := lanes[way]
	if lane == 0 {
		lane = uint32(len(lanes)) + 1
		lanes[way], lanes[[2]netip.AddrPort{dst, src}] = lane, wire.ReverseLane(lane)
	}
	return lane
}
