package wiretest

import (
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// A sizer counts data once, even if several pointers lead to it. It does not count the description of a protocol.
func TestSizer(t *testing.T) {
	type link struct{ to *link }
	type memory struct {
		numbers, same []uint64
		text          string
		names         map[uint32]string
		one, other    *link
		any           any
		rule          *wire.Rule
		book          *bounded.LRU[int, link]
		due           *bounded.Deadlines[string]
	}
	numbers := make([]uint64, 3, 10)
	ring := &link{}
	ring.to = ring
	budget := bounded.NewBudget(1 << 20)
	for _, c := range []struct {
		what        string
		memory      memory
		least, most int // in addition to the memory struct itself
	}{
		{"nothing", memory{}, 0, 0},
		{"a list, twice", memory{numbers: numbers, same: numbers}, 80, 80},
		{"a text", memory{text: string(make([]byte, 100))}, 100, 100},
		{"texts by number", memory{names: map[uint32]string{1: "a text of 20 bytes..", 2: "another of 20 bytes."}}, 40 + 2*20, 250},
		{"a ring with two pointers to it", memory{one: ring, other: ring}, 8, 8},
		{"a ring in an interface", memory{any: ring}, 8, 8},
		{"an array in an interface", memory{any: [10]uint64{}}, 80, 80},
		{"a rule", memory{rule: toyRule}, 0, 0},
	} {
		bytes, _ := new(sizer).size(map[string]any{"m": c.memory})
		if bytes < c.least || bytes > c.most {
			t.Errorf("%s: %d bytes, want %d to %d", c.what, bytes, c.least, c.most)
		}
	}
	// If the values of an LRU point to each other, each counts once, as in the budget.
	m := memory{book: bounded.NewLRU(budget, bounded.Kind{}, bounded.Values[int, link]{}),
		due: bounded.NewDeadlines[string](budget, bounded.Kind{})}
	first := m.book.Make(0)
	for i := range 1000 {
		m.book.MakeAt(uint32(i), i).to = first
		m.due.Add(int64(i), "")
	}
	s := new(sizer)
	if bytes, _ := s.size(map[string]any{"m": m}); bytes < budget.Used()*2/3 || bytes > budget.Used()*3/2 {
		t.Errorf("an LRU: %d bytes, the budget counted %d", bytes, budget.Used())
	}
	if len(s.measured) != 1 || s.measured[0].actual != 0 || s.measured[0].path != "m.book" {
		t.Errorf("the values refer to %v", s.measured)
	}
	m.book.Make(0).to = ring
	s = new(sizer)
	if s.size(map[string]any{"m": m}); s.measured[0].actual != 8 {
		t.Errorf("the values refer to %v", s.measured)
	}
}
