package bounded_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// TestLRU compares an LRU with a simple model, a list.
func TestLRU(t *testing.T) {
	type entry struct{ key, value int }
	var list []entry // least recently used first
	var gone, want []int
	const most = 5
	budget := bounded.NewBudget(most * sizeOfOne(t))
	b := bounded.NewLRU(budget, bounded.Kind{Name: "numbers"},
		bounded.Values[int, int]{Dropped: func(k int, _ *int) { gone = append(gone, k) }})
	r := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		k := r.IntN(12)
		at := slices.IndexFunc(list, func(e entry) bool { return e.key == k })
		use := func() {
			e := list[at]
			list = append(slices.Delete(list, at, at+1), e)
		}
		switch r.IntN(4) {
		case 0:
			if v := b.Get(k); (v != nil) != (at >= 0) || v != nil && *v != list[at].value {
				t.Fatalf("%d: %v, want %v", k, v, list)
			}
			if at >= 0 {
				use()
			}
		case 1, 2:
			v := b.Make(k)
			if at >= 0 {
				use()
				break
			}
			*v = r.IntN(1000)
			list = append(list, entry{k, *v})
		case 3:
			b.Delete(k)
			if at >= 0 {
				list = slices.Delete(list, at, at+1)
			}
		}
		if v, at := b.Peek(k), slices.IndexFunc(list, func(e entry) bool { return e.key == k }); (v != nil) != (at >= 0) ||
			v != nil && *v != list[at].value {
			t.Fatalf("Peek(%d) returns %v, want %v", k, v, list)
		}
		if n := len(list); n > 0 {
			if k, v := b.At(b.Slot()); k != list[n-1].key || *v != list[n-1].value {
				t.Fatalf("the newest entry is %d: %d, want the last of %v", k, *v, list)
			}
		}
		budget.Turn()
		if len(list) > most {
			want = append(want, list[0].key)
			list = list[1:]
		}
		var got []entry
		b.Each(func(k int, v *int) { got = append(got, entry{k, *v}) })
		if !slices.Equal(got, list) || b.Len() != len(list) {
			t.Fatalf("%v, want %v", got, list)
		}
	}
	if !slices.Equal(gone, want) {
		t.Error("the dropped entries were not the least recently used")
	}
	if n := budget.Forgotten(); len(n) != 1 || n[0].Name != "numbers" || n[0].Count != int64(len(gone)) {
		t.Errorf("Forgotten returns %v, want a count of %d", n, len(gone))
	}
	if used := budget.Used(); used != b.Len()*sizeOfOne(t) {
		t.Errorf("%d bytes are in use, want %d", used, b.Len()*sizeOfOne(t))
	}
}

// sizeOfOne returns the size of an entry in an LRU of numbers, as the budget counts it.
func sizeOfOne(t *testing.T, held ...func(*int) int) int {
	t.Helper()
	b := bounded.NewBudget(bounded.DefaultMemory)
	var v bounded.Values[int, int]
	if len(held) > 0 {
		v.Held = held[0]
	}
	bounded.NewLRU(b, bounded.Kind{}, v).Make(1)
	if b.Used() < 16 {
		t.Fatalf("an entry takes %d bytes", b.Used())
	}
	return b.Used()
}

// If several keepers share a budget, the budget first drops the least recently used entry of all.
func TestBudget(t *testing.T) {
	type entry struct{ keeper, key int }
	bytes := func(v *int) int { return *v }
	one := sizeOfOne(t, bytes)
	const held = 1000
	budget := bounded.NewBudget(50 * (one + held/2))
	var told []string
	budget.Told = func(k bounded.Kind) { told = append(told, k.Name) }
	var list []entry // least recently used first
	var gone, want []entry
	var keepers [3]*bounded.LRU[int, int]
	for i := range keepers {
		keepers[i] = bounded.NewLRU(budget, bounded.Kind{Name: strconv.Itoa(i)}, bounded.Values[int, int]{
			Held:    bytes,
			Dropped: func(k int, _ *int) { gone = append(gone, entry{i, k}) },
		})
	}
	const lanes = 20
	for _, k := range keepers {
		k.MakeAt(lanes, -1)
	}
	fixed := budget.Used()
	r := rand.New(rand.NewPCG(1, 2))
	sizes := make(map[entry]int)
	used := 0
	for range 20_000 {
		e := entry{r.IntN(3), r.IntN(60)}
		lane := uint32(r.IntN(lanes)) // each lane has several keys
		v := keepers[e.keeper].MakeAt(lane, e.key)
		if at := slices.Index(list, e); at >= 0 {
			list = slices.Delete(list, at, at+1)
			if *v != sizes[e] {
				t.Fatalf("%v has the value %d, want %d", e, *v, sizes[e])
			}
		}
		list = append(list, e)
		*v = r.IntN(held)
		used += *v - sizes[e]
		sizes[e] = *v
		for _, k := range keepers {
			k.MakeAt(lanes, -1) // so that the entry used before is measured
		}
		budget.Turn()
		for fixed+used+len(list)*one > budget.Limit() {
			used -= sizes[list[0]]
			delete(sizes, list[0])
			want, list = append(want, list[0]), list[1:]
		}
		if len(gone) != len(want) {
			t.Fatalf("%d entries were dropped, want %d; %d bytes of %d", len(gone), len(want), budget.Used(), budget.Limit())
		}
	}
	if !slices.Equal(gone, want) || len(gone) == 0 {
		t.Errorf("%v were dropped, want %v", gone, want)
	}
	if slices.Sort(told); !slices.Equal(told, []string{"0", "1", "2"}) {
		t.Errorf("Told was called for %q", told)
	}
}

// An entry is measured after each use, even if no other entry is used.
func TestSingleEntryIsMeasured(t *testing.T) {
	budget := bounded.NewBudget(bounded.DefaultMemory)
	b := bounded.NewLRU(budget, bounded.Kind{}, bounded.Values[int, int]{Held: func(v *int) int { return *v }})
	*b.MakeAt(1, 7) = 1000
	one := budget.Used()
	for i, use := range []func() *int{
		func() *int { return b.GetAt(1, 7) },
		func() *int { return b.Get(7) },
		func() *int { return b.MakeAt(1, 7) },
		func() *int { return b.Make(7) },
	} {
		budget.Turn()
		v := use()
		if got := budget.Used() - one; got != 1000*(i+1) {
			t.Errorf("after %d uses, the budget counts %d bytes of the value", i+1, got)
		}
		*v += 1000
	}
}

func TestLRUEachMayDelete(t *testing.T) {
	b := bounded.NewLRU(nil, bounded.Kind{}, bounded.Values[int, int]{})
	for i := range 10 {
		b.Make(i)
	}
	b.Each(func(k int, _ *int) {
		if k%2 == 0 {
			b.Delete(k)
		}
	})
	if b.Len() != 5 {
		t.Errorf("%d values are left", b.Len())
	}
}

func TestDeadlines(t *testing.T) {
	a := bounded.NewDeadlines[int](nil, bounded.Kind{})
	if a.Next() != math.MaxInt64 {
		t.Errorf("the queue is empty, but the next value is due at %d", a.Next())
	}
	a.Add(5, 7)
	if _, _, ok := a.Due(4); ok || a.Next() != 5 {
		t.Errorf("the value is due before its time, or at %d", a.Next())
	}
	if what, when, ok := a.Due(5); what != 7 || when != 5 || !ok || a.Len() != 0 {
		t.Errorf("at its time: value %d, time %d, %t; %d values are left", what, when, ok, a.Len())
	}
	r := rand.New(rand.NewPCG(1, 2))
	now, last := int64(0), int64(0)
	for i := range 5000 {
		a.Add(now+int64(r.IntN(100)), i)
		now += int64(r.IntN(3))
		for {
			_, when, ok := a.Due(now)
			if !ok {
				break
			}
			if when > now {
				t.Fatalf("%d is due at %d", when, now)
			}
			last = max(last, when)
		}
	}
	if a.Len() > 200 || last == 0 {
		t.Errorf("%d values are left", a.Len())
	}
	if _, _, ok := a.Due(now + 100); !ok {
		t.Error("nothing is due")
	}
}

// Entries on a part of a budget count in the part and in the whole. They cannot push out entries of other keepers.
func TestPartOfBudget(t *testing.T) {
	one := sizeOfOne(t)
	whole := bounded.NewBudget(100 * one)
	part := whole.Part(10 * one)
	var told []string
	whole.Told = func(k bounded.Kind) { told = append(told, k.Name) }
	other := bounded.NewLRU(whole, bounded.Kind{Name: "other"}, bounded.Values[int, int]{})
	within := bounded.NewLRU(part, bounded.Kind{Name: "within"}, bounded.Values[int, int]{})
	other.Make(1)
	for i := range 1000 {
		whole.Turn()
		within.Make(i)
	}
	whole.Turn()
	if within.Len() != 10 || other.Len() != 1 || part.Used() != 10*one || whole.Used() != 11*one {
		t.Errorf("%d of %d and %d of %d bytes are in use", part.Used(), part.Limit(), whole.Used(), whole.Limit())
	}
	for i := range 1000 {
		whole.Turn()
		other.Make(i)
	}
	whole.Turn()
	if within.Len() != 0 || other.Len() != 100 || part.Used() != 0 {
		t.Errorf("the least recently used entries were not dropped: %d are in the part, %d outside", within.Len(), other.Len())
	}
	if !slices.Equal(told, []string{"within", "other"}) {
		t.Errorf("Told was called for %q", told)
	}
	if n := whole.Forgotten(); len(n) != 2 || n[0].Count != 900 || n[1].Count != 1000 {
		t.Errorf("%v were dropped", n)
	}
}

// Due returns values with the same time in the order of Add.
func TestDeadlinesAreStable(t *testing.T) {
	a := bounded.NewDeadlines[int](nil, bounded.Kind{})
	for i := range 100 {
		a.Add(int64(i%3), i)
	}
	last, was := -1, int64(-1)
	for {
		what, when, ok := a.Due(3)
		if !ok {
			break
		}
		if when == was && what < last {
			t.Fatalf("%d comes after %d", what, last)
		}
		last, was = what, when
	}
}

// Among entries of the same turn, the budget first drops those of the keeper that joined last, even if that keeper was
// empty at an earlier drop.
func TestSameTurn(t *testing.T) {
	budget := bounded.NewBudget(8 * sizeOfOne(t))
	var gone []string
	var keepers [2]*bounded.LRU[int, int]
	for i := range keepers {
		keepers[i] = bounded.NewLRU(budget, bounded.Kind{}, bounded.Values[int, int]{Dropped: func(k int, _ *int) {
			gone = append(gone, strconv.Itoa(i)+":"+strconv.Itoa(k))
		}})
	}
	for k := range 20 {
		budget.Turn()
		keepers[0].Make(k)
		if k >= 10 { // by now, the budget has dropped entries of the other keeper
			keepers[1].Make(k)
		}
	}
	budget.Turn()
	want := []string{"0:0", "0:1", "0:2", "0:3", "0:4", "0:5", "0:6", "0:7", "0:8", "0:9",
		"1:10", "0:10", "1:11", "0:11", "1:12", "0:12", "1:13", "0:13", "1:14", "0:14", "1:15", "0:15"}
	if !slices.Equal(gone, want) {
		t.Errorf("%v were dropped, want %v", gone, want)
	}
}
