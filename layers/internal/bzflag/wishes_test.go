package bzflag

import (
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// A step is an event with its time in tenths of a second.
type step struct {
	at   int
	does func(t *wishTest, p *wire.Place)
}

type wishTest struct {
	Wishes
	ann, bob Wished
}

func ask(w Wish) func(*wishTest, *wire.Place) {
	return func(t *wishTest, p *wire.Place) { t.Ask(&t.ann, w, p) }
}

func grant(kind WishKind, id uint16) func(*wishTest, *wire.Place) {
	return func(t *wishTest, p *wire.Place) { t.Grant(&t.ann, kind, id, p.Time, false) }
}

// bobHears delivers a message to bob.
func bobHears(t *wishTest, p *wire.Place) { t.hear(&t.bob, p) }

// annHears delivers a message to ann.
func annHears(t *wishTest, p *wire.Place) { t.hear(&t.ann, p) }

func (t *wishTest) hear(who *Wished, p *wire.Place) {
	if t.Turn(p.Time) {
		t.Hear(&Listener{Wished: who, Shots: true}, p)
	}
}

// several returns five requests from ann, a tenth of a second apart.
func several(at int, w Wish) (list []step) {
	for range 5 {
		list = append(list, step{at, ask(w)})
		w.ID++
		at++
	}
	return list
}

var wishCases = []struct {
	name  string
	steps []step
	want  string
}{
	{"nothing", nil, ""},
	{"granted", []step{{10, ask(Wish{Kind: Drops})}, {11, grant(Drops, 0)}, {40, bobHears}}, ""},
	{"ignored", []step{{10, ask(Wish{Kind: Drops})}, {20, bobHears}}, "ann: 1 of 1 flag drop without effect"},
	{"too soon to decide", []step{{10, ask(Wish{Kind: Drops})}, {19, bobHears}}, ""},
	{"ignored, with a known cause", []step{{10, ask(Wish{Kind: Captures, Cause: "no flag carried"})}, {70, bobHears}},
		"ann: 1 of 1 capture (no flag carried) without effect"},
	{"ignored, with several causes", []step{{10, ask(Wish{Kind: Captures, Cause: "one"})}, {11, ask(Wish{Kind: Captures})}, {70, bobHears}},
		"ann: 2 of 2 captures without effect"},
	{"several kinds ignored", []step{{10, ask(Wish{Kind: Lines})}, {10, ask(Wish{Kind: Deaths})}, {10, ask(Wish{Kind: Transfers})}, {70, bobHears}},
		"ann: 1 of 1 line of chat, 1 of 1 MsgKilled not relayed, 1 of 1 flag transfer without effect"},
	{"private, others hear", []step{{10, ask(Wish{Kind: Lines, Private: true})}, {70, bobHears}}, ""},
	{"private, the client hears", []step{{10, ask(Wish{Kind: Lines, Private: true})}, {70, annHears}},
		"ann: 1 of 1 line of chat not relayed"},
	{"answered with another message", []step{{10, ask(Wish{Kind: Lines})}, {11, func(t *wishTest, _ *wire.Place) { t.Answered(&t.ann, Lines) }}, {70, bobHears}}, ""},
	{"the capture shows the answer first", []step{{10, grant(Drops, 0)}, {10, ask(Wish{Kind: Drops})}, {70, bobHears}}, ""},
	{"a tank that dies", []step{{10, ask(Wish{Kind: Drops})}, {15, func(t *wishTest, p *wire.Place) { t.Died(&t.ann, p.Time) }}, {70, bobHears}}, ""},
	{"a tank that died before", []step{{10, func(t *wishTest, p *wire.Place) { t.Died(&t.bob, p.Time) }}, {11, ask(Wish{Kind: Drops})}, {70, bobHears}},
		"ann: 1 of 1 flag drop without effect"},
	{"a stream that waited for lost bytes", []step{{11, bobHears}, {10, ask(Wish{Kind: Drops})}, {70, bobHears}}, ""},
	{"a gap", []step{{10, ask(Wish{Kind: Drops})}, {12, func(t *wishTest, _ *wire.Place) { t.Forget(nil) }}, {70, bobHears}}, ""},

	{"a few grabs", several(10, Wish{Kind: Grabs})[:2], ""},
	{"grabs", append(several(10, Wish{Kind: Grabs}), step{70, bobHears}), "ann: 5 of 5 grabs without effect"},
	{"grabs of a flag that another player gets", []step{
		{10, ask(Wish{Kind: Grabs})}, {11, ask(Wish{Kind: Grabs})}, {12, ask(Wish{Kind: Grabs})},
		{13, func(t *wishTest, _ *wire.Place) { t.Taken(&t.bob, 0) }}, {70, bobHears},
	}, ""},
	{"grabs until one is granted", append(several(10, Wish{Kind: Grabs}), step{16, grant(Grabs, 0)}, step{70, bobHears}), ""},

	{"a spawn that waits", []step{{10, ask(Wish{Kind: Spawns})}, {70, bobHears}, {100, grant(Spawns, 0)}, {200, bobHears}}, ""},
	{"no spawn", []step{{10, ask(Wish{Kind: Spawns})}, {115, bobHears}}, "ann: 1 of 1 request to spawn without effect"},
	{"a late spawn", []step{{10, ask(Wish{Kind: Spawns})}, {115, bobHears}, {120, grant(Spawns, 0)}}, ""},

	{"shots", append(several(10, Wish{Kind: Shots}), step{70, bobHears}), "ann: 5 of 5 shots not relayed"},
	{"shots that only the shooter would receive", append(several(10, Wish{Kind: Shots}), step{70, annHears}), ""},
	{"shots, which the server returns to shooters", append(several(10, Wish{Kind: Shots}),
		step{20, func(t *wishTest, p *wire.Place) { t.Grant(&t.bob, Shots, 9, p.Time, true) }}, step{70, annHears}),
		"ann: 5 of 5 shots not relayed"},
	{"half ignored, server far away, two would receive them", append(several(10, Wish{Kind: Shots, ID: 7}), step{12, func(t *wishTest, p *wire.Place) { t.Grant(&t.bob, Shots, 9, p.Time, true) }},
		step{15, grant(Shots, 7)}, step{15, grant(Shots, 8)}, step{16, ask(Wish{Kind: Shots})}, step{18, grant(Shots, 0)}, step{40, annHears}, step{70, bobHears}),
		"ann: 3 of 6 shots not relayed"},
	{"two shots", append(several(10, Wish{Kind: Shots})[:2], step{70, bobHears}), ""},
	{"more than half ignored", append(several(10, Wish{Kind: Shots}), step{15, grant(Shots, 0)}, step{15, grant(Shots, 1)}, step{70, bobHears}),
		"ann: 3 of 5 shots not relayed"},
	{"half ignored, server far away", append(several(10, Wish{Kind: Shots, ID: 7}), step{15, grant(Shots, 7)}, step{15, grant(Shots, 8)},
		step{16, ask(Wish{Kind: Shots})}, step{18, grant(Shots, 0)}, step{70, bobHears}), ""},
	{"half ignored, server nearby", append(several(10, Wish{Kind: Shots, ID: 7}), step{15, grant(Shots, 7)}, step{15, grant(Shots, 8)},
		step{16, ask(Wish{Kind: Shots})}, step{16, grant(Shots, 0)}, step{70, bobHears}), "ann: 3 of 6 shots not relayed"},
}

// TestWishes tests requests that are granted, requests that are ignored, and requests for which neither is certain.
func TestWishes(t *testing.T) {
	for _, c := range wishCases {
		var w wishTest
		p := wire.Place{Transport: wire.TCP}
		for i, s := range c.steps {
			p.Time, p.Frame = int64(s.at)*int64(time.Second/10), i+1
			s.does(&w, &p)
		}
		got, first := w.Tell(&w.ann, "ann", p.Time)
		if got != c.want || (first != nil) != (got != "") {
			t.Errorf("%s: got %q at %v, want %q", c.name, got, first, c.want)
		}
		if again, _ := w.Tell(&w.ann, "ann", p.Time); again != "" {
			t.Errorf("%s: reported again: %q", c.name, again)
		}
	}
}

// TestManyWishes checks that the number of wishes per game is limited, and that a further wish does not allocate.
func TestManyWishes(t *testing.T) {
	var w wishTest
	p := wire.Place{Transport: wire.TCP}
	for i := range 10 * maxWishes {
		w.Ask(&w.ann, Wish{Kind: Shots, ID: uint16(i)}, &p)
	}
	if n := len(w.open); n != maxWishes {
		t.Errorf("%d wishes are open, want %d", n, maxWishes)
	}
	w.Forget(nil)
	id := uint16(0)
	if n := testing.AllocsPerRun(100, func() {
		p.Time += int64(time.Second / 10)
		id++
		w.Ask(&w.ann, Wish{Kind: Shots, ID: id}, &p)
		bobHears(&w, &p)
		w.Grant(&w.ann, Shots, id, p.Time, true)
	}); n > 0 {
		t.Errorf("%v allocations per shot", n)
	}
}
