package listing_test

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/layers/internal/listing"
)

const second = int64(time.Second)

var (
	kind   = bounded.Kind{Name: "servers on their way", Silent: "rows"}
	habits = listing.Habits{Patience: 5 * second, Keeps: 20 * second, Forgets: 30 * second, Announces: "shouts",
		Why: func(_ *listing.Server, step listing.Step) string { return "no " + step.String() }}
)

// address is that of one of many.
func address(a, n int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(a), byte(n >> 8), byte(n)}), 28001)
}

// reported is what a book reported, by master: lines with the master called M.
type reported map[netip.AddrPort][]string

func (o reported) value(v *wire.Value) {
	line := fmt.Sprintf("%d %s %s %s", v.Time/second, v.Who, v.What, v.Text)
	o[v.Server] = append(o[v.Server], strings.ReplaceAll(line, v.Server.String(), "M"))
}

// A move is something that a server and a master do, or that is found out about them.
type move struct {
	server int
	what   int
}

// moves are all kinds of them.
var moves = []func(*listing.Book, *listing.Server, *wire.Place){
	func(_ *listing.Book, s *listing.Server, p *wire.Place) {
		if s.Announce(p, 0) {
			s.ReportAnnounced(p)
		}
	},
	func(_ *listing.Book, s *listing.Server, p *wire.Place) { s.Alive(p, p.Time) },
	func(_ *listing.Book, s *listing.Server, p *wire.Place) { s.Challenge(p) },
	func(_ *listing.Book, s *listing.Server, p *wire.Place) { s.Answer(p) },
	func(_ *listing.Book, s *listing.Server, p *wire.Place) { s.Verify(p) },
	func(_ *listing.Book, s *listing.Server, p *wire.Place) { s.List(p, 3, false) },
	func(_ *listing.Book, s *listing.Server, p *wire.Place) { s.Delist(p) },
	func(_ *listing.Book, s *listing.Server, p *wire.Place) { s.Refuse(p, "it may not") },
	func(_ *listing.Book, s *listing.Server, p *wire.Place) { s.FailListed(p, "it is missing") },
	func(_ *listing.Book, s *listing.Server, p *wire.Place) { s.Named(p, []byte("one")) },
}

// play lets the same happen at many masters side by side, second by second, and returns what is reported.
func play(script [][]move, masters int) reported {
	all := make(reported)
	b := listing.NewBook(&wire.Reporter{Value: all.value, Memory: bounded.NewBudget(bounded.DefaultMemory)}, kind, habits)
	for now, turn := range script {
		b.Time(int64(now) * second)
		for _, m := range turn {
			for i := range masters {
				p := &wire.Place{Time: int64(now) * second, Src: address(1, m.server), Dst: address(2, i)}
				moves[m.what](b, b.Server(p.Dst, p.Src, p), p)
			}
		}
	}
	b.Close(int64(len(script)) * second)
	return all
}

// randomScript has few servers do many things, with longer times in which nothing happens.
func randomScript(r *rand.Rand, seconds int) [][]move {
	script := make([][]move, seconds)
	for now := range script {
		if now/40%2 == 1 && r.IntN(10) > 0 {
			continue
		}
		for range r.IntN(4) {
			script[now] = append(script[now], move{r.IntN(3), r.IntN(len(moves))})
		}
	}
	return script
}

// What happens at a hundred masters at once is a hundred times what happens at one.
func TestHundredMasters(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 5 {
		script := randomScript(r, 300)
		alone, hundred := play(script, 1), play(script, 100)
		if len(hundred) != 100 {
			t.Fatalf("%d masters are reported of", len(hundred))
		}
		for at, lines := range hundred {
			if diff := cmp.Diff(alone[address(2, 0)], lines); diff != "" {
				t.Fatalf("%s (-alone +among others):\n%s", at, diff)
			}
		}
	}
}

// Step by step, with what time alone brings about.
func TestServer(t *testing.T) {
	const announce, alive, challenge, answer, verify, list, unlist = 0, 1, 2, 3, 4, 5, 6
	script := make([][]move, 80)
	script[0] = []move{{1, announce}, {1, alive}, {1, challenge}, {1, answer}, {1, verify}, {2, announce}, {3, announce},
		{3, challenge}, {0, challenge}}
	script[2] = []move{{1, list}, {4, list}}
	script[3] = []move{{4, unlist}}
	script[6] = []move{{4, list}}
	script[70] = []move{{1, announce}}
	script[71] = []move{{2, announce}}
	script[72] = []move{{2, list}}
	want := `
0 S1 announced yes
0 S1 announced S1 announces itself at M
0 S1 challenged yes
0 S1 challenged S1 is challenged by M
0 S1 answered yes
0 S1 verified yes
0 S1 verified S1 is verified by M
0 S2 announced yes
0 S2 announced S2 announces itself at M
0 S3 announced yes
0 S3 announced S3 announces itself at M
0 S3 challenged yes
0 S3 challenged S3 is challenged by M
0 S0 challenged yes
0 S0 challenged S0 is challenged by M
2 S1 listed yes
2 S1 listed S1 appears in the list of M (3 servers)
2 S4 listed yes
2 S4 listed S4 appears in the list of M (3 servers)
3 S4 unlisted S4 is gone from the list of M
3 S4 failed listed
3 S4 why it is gone from the list; its shouts are not in the capture
5 S2 failed S2 is not challenged: no challenged
5 S2 failed challenged
5 S2 why no challenged
5 S3 failed S3 does not answer: no answered
5 S3 failed answered
5 S3 why no answered
6 S4 failed 
6 S4 why 
6 S4 listed S4 appears in the list of M (3 servers)
30 S1 expired S1 expires at M: nothing keeps it in the list
30 S1 failed renewed
30 S1 why no renewed
70 S1 announced S1 announces itself at M
72 S2 listed yes
72 S2 failed 
72 S2 why 
72 S2 listed S2 appears in the list of M (3 servers)
75 S1 failed S1 is not challenged: no challenged
75 S1 failed challenged
75 S1 why no challenged`
	lines := play(script, 1)[address(2, 0)]
	for i := range lines {
		for n := range 5 {
			lines[i] = strings.ReplaceAll(lines[i], address(1, n).String(), fmt.Sprint("S", n))
		}
	}
	if diff := cmp.Diff(strings.Split(want, "\n")[1:], lines); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Whatever happens, a server that is not listed has a reason, or what keeps it from being known.
func TestVerdict(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		rows := make(map[string]map[string]string)
		b := listing.NewBook(&wire.Reporter{Memory: bounded.NewBudget(bounded.DefaultMemory), Value: func(v *wire.Value) {
			if rows[v.Who] == nil {
				rows[v.Who] = make(map[string]string)
			}
			if !v.Event {
				rows[v.Who][v.What] = v.Text
			}
		}}, kind, habits)
		script := randomScript(r, 1+r.IntN(20))
		for now, turn := range script {
			b.Time(int64(now) * second)
			for _, m := range turn {
				p := &wire.Place{Time: int64(now) * second, Src: address(1, m.server), Dst: address(2, 0)}
				moves[m.what](b, b.Server(p.Dst, p.Src, p), p)
			}
		}
		b.Close(int64(len(script)) * second)
		for who, row := range rows {
			what, open := listing.Table.Open(func(what string) bool { return row[what] != "" })
			if known := row["listed"] != "" || row["why"] != ""; what != "why" || known != (open == "") {
				t.Fatalf("%s: %v, and not known is %q", who, row, open)
			}
			if row["failed"] != "" && row["why"] == "" {
				t.Fatalf("%s fails for no reason", who)
			}
		}
	}
}

// A complete list that lacks a server says so: at once if the master has known it for long enough, else at the end, and
// not if a later list has the server.
func TestLacks(t *testing.T) {
	const known = "verified; the list of 10.2.0.0 in frame 7, %s.000 s later, is complete and does not name it " +
		"(5 others of 10.1.0.1 it does: it may allow only so many of an address)"
	for _, c := range []struct {
		name          string
		at, end       int64
		again         bool
		early, atLast string
	}{
		{"long after", 3, 9, false, fmt.Sprintf(known, "3"), fmt.Sprintf(known, "3")},
		{"soon after", 1, 9, false, "", fmt.Sprintf(known, "1")},
		{"named later", 1, 9, true, "", ""},
	} {
		why := ""
		b := listing.NewBook(&wire.Reporter{Memory: bounded.NewBudget(bounded.DefaultMemory), Value: func(v *wire.Value) {
			if v.What == "why" {
				why = v.Text
			}
		}}, kind, habits)
		p := &wire.Place{Src: address(1, 1), Dst: address(2, 0)}
		b.Time(0)
		s := b.Server(p.Dst, p.Src, p)
		s.Alive(p, 0)
		s.Verify(p)
		b.Time(c.at * second)
		s.Absent(&wire.Place{Frame: 7, Time: c.at * second}, 2*second, 5)
		if why != c.early {
			t.Errorf("%s: %q, want %q", c.name, why, c.early)
		}
		if c.again {
			s.List(p, 3, false)
		}
		b.Close(c.end * second)
		if why != c.atLast {
			t.Errorf("%s at the end: %q, want %q", c.name, why, c.atLast)
		}
	}
}

// Those beyond what a master may have are left out: that is reported once, and they are counted. What has to make room for
// others is gone as a whole, in whatever order.
func TestBounds(t *testing.T) {
	const most = 8192
	var kinds []string
	memory := bounded.NewBudget(bounded.DefaultMemory)
	memory.Told = func(k bounded.Kind) { kinds = append(kinds, k.Name+" "+k.Most) }
	rows := make(map[string]bool)
	b := listing.NewBook(&wire.Reporter{Memory: memory, Value: func(v *wire.Value) { rows[v.Who] = true }}, kind, habits)
	add := func(master, n int) bool {
		memory.Turn()
		p := &wire.Place{Src: address(1, n), Dst: address(2, master)}
		s := b.Server(p.Dst, p.Src, p)
		if s != nil {
			s.Announce(p, 0)
		}
		return s != nil
	}
	for i := range most + 7 {
		if got := add(0, i); got != (i < most) {
			t.Fatalf("server %d of a master: %v", i, got)
		}
	}
	if got := memory.Forgotten(); len(got) != 1 || got[0].Count != 7 || len(kinds) != 1 ||
		kinds[0] != kind.Name+" 8192 of a master" {
		t.Errorf("%v is counted, %v reported", got, kinds)
	}
	if len(rows) != most || !add(1, most) {
		t.Errorf("%d servers are reported of, and another master has no room", len(rows))
	}
	memory.Resize(memory.Used() / 3)
	for range 3 {
		memory.Turn()
		left := 0
		b.Each(address(2, 0), func(s *listing.Server) {
			left++
			if b.Known(address(2, 0), s.Address) != s {
				t.Fatalf("%s is linked, and not found", s.Address)
			}
		})
		if n := memory.Used(); n > memory.Limit() || left > most/2 {
			t.Errorf("%d servers are left, %d bytes of %d in use", left, n, memory.Limit())
		}
		memory.Resize(memory.Limit() / 2)
	}
	if !add(0, most) {
		t.Error("those that were forgotten still take room")
	}
	memory.Resize(0)
	memory.Turn()
	if memory.Used() != 0 {
		t.Errorf("%d bytes are in use of nothing", memory.Used())
	}
	b.Close(100 * second)
}
