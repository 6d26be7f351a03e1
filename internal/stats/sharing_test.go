package stats

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// slowLevel finds the level by a binary search.
func slowLevel(memory int, costs []int) int {
	sum := func(level int) (n int) {
		for _, cost := range costs {
			n += min(cost, level)
		}
		return n
	}
	if sum(endless) <= memory {
		return endless
	}
	return sort.Search(memory+1, func(level int) bool { return sum(level+1) > memory })
}

// costs returns the costs of all lists. None of them may have dropped rows.
func (k *keeping) costs() (list []int) {
	for _, l := range k.memory.lists {
		list = append(list, l.total())
	}
	return list
}

// The level depends only on the final costs of the lists, not on the order of counting and merging. The lists have
// different sizes, and some appear late.
func TestLevel(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	full := make(map[int]int) // number of rounds by number of full lists
	for range 100 {
		var values []*wire.Value
		for list := range 1 + r.IntN(7) {
			for range 1 << r.IntN(8) {
				v := &wire.Value{Place: wire.Place{Protocol: chess}, Table: fmt.Sprint(list), Who: fmt.Sprint(r.IntN(200)),
					What: []string{"moves", "clock"}[r.IntN(2)], Unit: "s", Number: r.ExpFloat64()}
				values = append(values, v)
			}
		}
		if r.IntN(2) == 0 {
			r.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
		}
		memory, k := 1000+r.IntN(100_000), 1+r.IntN(4)
		large, parts := new(Stats), split(nil, k, memory, nil)
		for _, v := range values {
			large.Value(v)
			parts[r.IntN(k)].Value(v)
		}
		whole := merged(t, r, parts)
		sum := whole.keeping()
		want := slowLevel(memory, large.kept.costs())
		if sum.memory.level != want {
			t.Errorf("for %d bytes the level is %d, want %d; the lists cost %v", memory, sum.memory.level, want, large.kept.costs())
		}
		full[len(whole.Full)]++
		for _, of := range sum.tables {
			all := large.kept.tables[slices.IndexFunc(large.kept.tables, func(x *table) bool { return x.name == of.name })].used
			if fits := all <= want; (of.total() != endless) != fits || fits && of.used != all || of.used > want {
				t.Errorf("a table of %d bytes keeps %d; the level is %d", all, of.used, want)
			}
		}
		if used := sum.conversations.used + sum.endpoints.used; used != 0 {
			t.Errorf("empty lists use %d bytes", used)
		}
	}
	for n := range 4 {
		if full[n] == 0 {
			t.Errorf("there are never %d full lists", n)
		}
	}
}

// A list can use all memory that the other lists do not need yet.
func TestListsTakeWhatIsLeft(t *testing.T) {
	s := Stats{Memory: 40_000}
	add := func(table string, from, to int) {
		for i := from; i < to; i++ {
			s.Value(&wire.Value{Place: wire.Place{Protocol: chess}, Table: table, Who: fmt.Sprint(i), What: "moves", Number: 1})
		}
	}
	var got []string
	record := func() {
		var line []int
		for _, name := range []string{"players", "boards", "clocks"} {
			used := 0
			for _, of := range s.kept.tables {
				if of.title == name {
					used = of.used
				}
			}
			line = append(line, (used+500)/1000)
		}
		got = append(got, fmt.Sprint(line))
	}
	add("players", 0, 1000)
	record()
	add("boards", 0, 5)
	record()
	add("boards", 5, 1000)
	record()
	add("clocks", 0, 1000)
	record()
	if want := []string{"[40 0 0]", "[39 1 0]", "[20 20 0]", "[13 13 13]"}; !slices.Equal(got, want) {
		t.Errorf("kilobytes of the tables: %v, want %v", got, want)
	}
}
