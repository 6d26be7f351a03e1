package expect

import (
	"slices"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// TestThreadsAreTheSame checks that threads are equal if everything that determines which messages may come is equal.
func TestThreadsAreTheSame(t *testing.T) {
	at, guard := new(state), new(item)
	base := func() *thread {
		return &thread{state: at, last: 5, guards: []*item{guard}, memory: memory{
			values: []filter.Value{{Kind: wire.Uint, Num: 3}, {Kind: wire.String, Bytes: []byte("a")}},
			frames: []int{1, 2}, echoed: []bool{true, false}, marks: []mark{{4, true}},
		}}
	}
	for what, change := range map[string]func(*thread){
		"state": func(x *thread) { x.state = new(state) }, "last": func(x *thread) { x.last++ }, "guards": func(x *thread) { x.guards = nil },
		"times": func(x *thread) { x.memory.marks[0].time++ }, "marks": func(x *thread) { x.memory.marks[0].passed = false },
		"echoed": func(x *thread) { x.memory.echoed[0] = false }, "kind": func(x *thread) { x.memory.values[0].Kind = wire.Int },
		"number": func(x *thread) { x.memory.values[0].Num++ }, "bytes": func(x *thread) { x.memory.values[1].Bytes = []byte("b") },
		"values": func(x *thread) { x.memory.values = x.memory.values[:1] },
	} {
		x := base()
		if change(x); x.equals(base()) {
			t.Errorf("the threads are equal although they differ in %s", what)
		}
	}
	x := base()
	x.memory.frames = []int{7, 8} // the frame that a value comes from does not matter
	if x.matched = 9; !x.equals(base()) {
		t.Error("the threads are not equal")
	}
}

func TestExtended(t *testing.T) {
	for i, want := range [][]int{{7, 8}, {7, 8}, {7, 8, 0}, {7, 8, 0, 0}} {
		if got := extended([]int{7, 8}, i); !slices.Equal(got, want) {
			t.Errorf("to %d: %v", i, got)
		}
	}
}
