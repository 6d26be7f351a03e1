package bounded_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// TestLRU holds a book against a list that is searched.
func TestLRU(t *testing.T) {
	type entry struct{ key, value int }
	var list []entry // used longest ago first
	var gone, want []int
	const most = 5
	b := bounded.NewLRU(most, func(k int, _ *int) { gone = append(gone, k) })
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
			if len(list) == most {
				want = append(want, list[0].key)
				list = list[1:]
			}
			list = append(list, entry{k, *v})
		case 3:
			b.Delete(k)
			if at >= 0 {
				list = slices.Delete(list, at, at+1)
			}
		}
		var got []entry
		b.Each(func(k int, v *int) { got = append(got, entry{k, *v}) })
		if !slices.Equal(got, list) || b.Len() != len(list) {
			t.Fatalf("%v, want %v", got, list)
		}
	}
	if !slices.Equal(gone, want) {
		t.Error("not the ones used longest ago made room")
	}
}

func TestLRUEachMayDelete(t *testing.T) {
	b := bounded.NewLRU[int, int](10, nil)
	for i := range 10 {
		b.Make(i)
	}
	b.Each(func(k int, _ *int) {
		if k%2 == 0 {
			b.Delete(k)
		}
	})
	if b.Len() != 5 {
		t.Errorf("%d are left", b.Len())
	}
}

func TestDeadlines(t *testing.T) {
	var a bounded.Deadlines[int]
	if a.Next() != math.MaxInt64 {
		t.Errorf("nothing is noted, but the next is due at %d", a.Next())
	}
	a.Add(5, 7)
	if _, _, ok := a.Due(4); ok || a.Next() != 5 {
		t.Errorf("due before its time, or at %d", a.Next())
	}
	if what, when, ok := a.Due(5); what != 7 || when != 5 || !ok || a.Len() != 0 {
		t.Errorf("at its time: %d of %d, %t; %d are left", what, when, ok, a.Len())
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
		t.Errorf("%d are left", a.Len())
	}
	if _, _, ok := a.Due(now + 100); !ok {
		t.Error("nothing is due")
	}
}
