package decode

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// Both directions of a conversation have the same key, even if the two endpoints share an address or a port.
func TestMakeKey(t *testing.T) {
	ends := []string{
		"192.0.2.1:1", "192.0.2.1:2", "192.0.2.1:256", "192.0.3.0:1", "1.2.0.192:1",
		"[2001:db8::1]:1", "[2001:db8::1]:2", "[2001:db8::100]:1", "[::1]:1",
	}
	seen := make(map[conversationKey][2]int)
	keys := newConversations(bounded.NewBudget(1 << 20))
	for i, a := range ends {
		for j, b := range ends[:i+1] {
			src, dst := netip.MustParseAddrPort(a), netip.MustParseAddrPort(b)
			k1, fromB1 := keys.key(wire.UDP, src, dst)
			k2, fromB2 := keys.key(wire.UDP, dst, src)
			if k1 != k2 || fromB1 == fromB2 && i != j {
				t.Errorf("%s and %s: %v %t, %v %t", a, b, k1, fromB1, k2, fromB2)
			}
			if have, again := seen[k1]; again {
				t.Errorf("%v and %v have the same key", have, [2]int{i, j})
			}
			seen[k1] = [2]int{i, j}
			if tcp, _ := keys.key(wire.TCP, src, dst); tcp == k1 {
				t.Error("the key does not contain the transport")
			}
		}
	}
}

func testKey(i int) conversationKey {
	var k conversationKey
	k.a = bounded.Endpoint(i/4<<16 | i&0xffff) // some keys share hosts
	k.transport = uint64(i % 7 / 6)
	return k
}

// slowTable is a simple model of the table: a list, with the most recently used entry at the end.
type slowTable struct {
	list  []*slowConversation
	noted map[hostPair]*slowConversation // the last noted conversation of two hosts
	count [2]int
}

type slowConversation struct {
	key    conversationKey
	number int
	turn   uint64
	last   int64
}

func (s *slowTable) find(k conversationKey) *slowConversation {
	for i, f := range s.list {
		if f.key == k {
			s.list = append(append(s.list[:i:i], s.list[i+1:]...), f)
			return f
		}
	}
	f := &slowConversation{key: k, number: s.count[k.transport]}
	s.list = append(s.list, f)
	s.count[k.transport]++
	return f
}

// forget drops the oldest conversation.
func (s *slowTable) forget() *slowConversation {
	f := s.list[0]
	s.list = s.list[1:]
	if s.noted[f.key.hosts()] == f {
		delete(s.noted, f.key.hosts())
	}
	return f
}

// tableDuel applies the same operations to a table and to the model.
type tableDuel struct {
	t      *testing.T
	budget *bounded.Budget
	table  *conversations
	slow   slowTable
	gone   []string // conversations that the table dropped since the last check
}

func newTableDuel(t *testing.T, limit int) *tableDuel {
	d := &tableDuel{t: t, budget: bounded.NewBudget(limit), slow: slowTable{noted: map[hostPair]*slowConversation{}}}
	d.table = newConversations(d.budget)
	d.table.evicted = func(c *conversation) { d.gone = append(d.gone, fmt.Sprint(keyOf(c), c.number)) }
	d.table.meetFragments()
	return d
}

// keyOf returns the key of a conversation.
func keyOf(c *conversation) conversationKey { return conversationKey{c.endpoints, uint64(c.transport)} }

// use looks up a conversation in the table and in the model, and compares the results.
func (d *tableDuel) use(k conversationKey, now int64) (*conversation, *slowConversation) {
	before := len(d.slow.list)
	c, s := d.table.find(&k), d.slow.find(k)
	if d.table.Len() != len(d.slow.list) || keyOf(c) != k || int(c.number) != s.number {
		d.t.Fatalf("%d conversations, want %d; %+v, want %+v", d.table.Len(), len(d.slow.list), c, s)
	}
	if isNew := len(d.slow.list) > before; isNew && (c.protocol != 0 || c.misses != 0 || d.table.tcp(c) != nil) {
		d.t.Fatalf("the new conversation %+v is not empty", c)
	}
	c.last, s.last, s.turn = now, now, d.budget.Now()
	return c, s
}

// forget drops the oldest conversations of the model while drops returns true. The table must have dropped the same
// conversations.
func (d *tableDuel) forget(drops func(*slowConversation) bool) {
	var want []string
	for len(d.slow.list) > 0 && drops(d.slow.list[0]) {
		f := d.slow.forget()
		want = append(want, fmt.Sprint(f.key, f.number))
	}
	if !slices.Equal(d.gone, want) {
		d.t.Fatalf("forgot %v, want %v", d.gone, want)
	}
	d.gone = nil
}

// check compares all conversations of the table and the model.
func (d *tableDuel) check() {
	places := make(map[uint32]bool)
	c := d.table.At(d.table.Stalest())
	for _, s := range d.slow.list {
		if keyOf(c) != s.key || int(c.number) != s.number || places[c.place] || c.lane(endA) != 2*c.place-1 {
			d.t.Fatalf("%+v, want %+v", c, s)
		}
		places[c.place] = true
		if d.table.look(&s.key, d.table.hash(&s.key)) != c {
			d.t.Fatalf("%v is not found", s.key)
		}
		hosts := s.key.hosts()
		n, want := d.table.ofHosts(&hosts), d.slow.noted[hosts]
		if (n != nil) != (want != nil) || n != nil && keyOf(n) != want.key {
			d.t.Fatalf("noted %+v for the hosts of %+v, want %+v", n, s, want)
		}
		c = d.table.At(d.table.Newer(c.place))
	}
	if c != nil {
		d.t.Fatalf("the model does not have %+v", c)
	}
	if turn, ok := d.table.Oldest(); ok != (len(d.slow.list) > 0) || ok && turn != d.slow.list[0].turn {
		d.t.Fatalf("the oldest was used in turn %d", turn)
	}
}

// rowCost is the memory of one conversation in bytes.
var rowCost = func() int {
	b := bounded.NewBudget(0)
	newConversations(b).Add(0)
	return b.Used()
}()

// The table drops the conversations that were idle longest, never reuses a number, and has a separate place for each
// conversation.
func TestConversationsAgainstModel(t *testing.T) {
	wiretest.WithoutDetector(t)
	r := rand.New(rand.NewPCG(5, 3))
	for round, most := range []int{1, 2, 10, 200, 2000} {
		d := newTableDuel(t, most*(rowCost+3*8)+2*64*8)
		now := int64(0)
		for i := range 5 * (1000 + most) {
			now += int64(r.IntN(int(2 * idleTimeout / int64(most))))
			d.makeRoom()
			d.table.expire(now)
			d.forget(func(s *slowConversation) bool { return now-s.last > idleTimeout })
			k := testKey(r.IntN(3 * most))
			c, s := d.use(k, now)
			switch r.IntN(5) {
			case 0:
				if c.transport == uint8(wire.UDP) {
					c.protocol, d.slow.noted[k.hosts()] = 1, s
					d.table.noteHosts(c)
				}
			case 1:
				switch {
				case c.transport == uint8(wire.UDP):
					d.table.remember(c, endA, &fingerprint{sum: c.number + 1, within: maxRepeatTime})
				case d.table.tcp(c) == nil:
					d.table.connect(c, &connection{conversation: c})
				}
			case 2:
				if c.transport == uint8(wire.TCP) {
					d.table.renew(c)
					s.number = d.slow.count[wire.TCP]
					d.slow.count[wire.TCP]++
				}
			}
			if n := d.table.tcp(c); n != nil && n.conversation != c {
				t.Fatal("the connection belongs to another conversation")
			}
			for number, want := range map[uint32]bool{c.number: c.connection != 0, c.number + 1: false} {
				f := fingerprint{sum: number + 1, within: maxRepeatTime}
				if c.transport == uint8(wire.UDP) && d.table.repeated(c, endA, &f) != want {
					t.Fatal("the datagrams belong to another conversation")
				}
			}
			if i%97 == 0 {
				d.check()
			}
		}
		for d.table.Len() > 0 {
			d.table.Forget()
		}
		d.forget(func(*slowConversation) bool { return true })
		if d.budget.Used() != d.table.byHosts.Bytes() || d.table.byHosts.Len() != 0 {
			t.Errorf("round %d: the empty table takes %d bytes, knows %d hosts", round, d.budget.Used(), d.table.byHosts.Len())
		}
	}
}

// makeRoom makes the table drop conversations until it fits its budget, and checks that it did not drop too many.
func (d *tableDuel) makeRoom() {
	over := d.budget.Used() - d.budget.Limit()
	d.budget.Turn()
	n := len(d.gone)
	left := d.budget.Limit() - d.budget.Used()
	if n > 0 && (over <= 0 || left >= rowCost+connectionCost) || left < 0 && d.table.Len() > 0 {
		d.t.Fatalf("%d bytes over the limit, %d conversations dropped, %d bytes left", over, n, left)
	}
	d.forget(func(*slowConversation) bool { n--; return n >= 0 })
}

// Places of dropped conversations are reused, and their memory is released after many were dropped.
func TestTableReleasesMemory(t *testing.T) {
	const n, slab = 20_000, 64
	d := newTableDuel(t, 1<<30)
	d.table.evicted = func(*conversation) {}
	before := wiretest.Heap()
	for range 3 {
		for i := range n {
			k := testKey(i)
			if c := d.table.find(&k); int(c.place) > n+slab {
				t.Fatalf("place %d", c.place)
			}
		}
		full := wiretest.Heap() - before
		if used := int64(d.budget.Used()); full > used*3/2 || full < used/2 {
			t.Errorf("the table takes %d bytes but reports %d", full, used)
		}
		for d.table.Len() > 1 {
			d.table.Forget()
		}
		empty := wiretest.Heap() - before
		if most := int64(d.budget.Used() + n*4 + 16*slab*rowCost); empty > most {
			t.Errorf("with one conversation, the table takes %d bytes; with all, %d", empty, full)
		}
	}
	runtime.KeepAlive(d)
}

// A conversation that returns after it was dropped is new. The engine keeps nothing of the old one, not even its held
// datagrams.
func TestForgottenConversations(t *testing.T) {
	e := newTable(t, Options{})
	e.say(client, offPort, saying("M>", "held"))
	e.say(client, server, saying("S>", "one"))
	e.say(client, offPort, saying("M>", "held"))
	if e.heldBytes() != 14 {
		t.Errorf("%d bytes held", e.heldBytes())
	}
	e.conversations.Forget() // drops the first chess conversation
	e.say(other, server, saying("S>", "two"))
	e.say(client, offPort, saying("S>", "three"))
	e.say(client, server, saying("S?", "four"))
	e.expect(
		"2@2 chess#1 40000>7000 c2s one",
		"4@4 chess#2 50000>7000 c2s two",
		"1@1 chess#0 40000>9000 c2s held",
		"3@3 chess#0 40000>9000 c2s held",
		"5@5 chess#0 40000>9000 c2s three",
		"6@6 chess#3 40000>7000 c2s four",
	)
	e.say(client, "192.0.2.9:1", saying("M>", "held"))
	e.say(client, "192.0.2.9:2", saying("M>", "held"))
	if e.heldBytes() != 14 {
		t.Errorf("%d bytes held", e.heldBytes())
	}
	for e.conversations.Len() > 0 {
		e.conversations.Forget()
	}
	if e.heldBytes() != 0 {
		t.Errorf("%d bytes held of forgotten conversations", e.heldBytes())
	}
	e.say(client, "192.0.2.9:1", saying("S>", "again"))
	e.expect("9@9 chess#6 40000>1 c2s again")
	e.expectOurs(7, 2)
}

// If the place of a dropped conversation is reused, the new conversation must not keep anything from the old one.
func TestPlacesStartEmpty(t *testing.T) {
	e := newTable(t, Options{})
	say := func(src, payload string) {
		e.say(src, offPort, payload)
		e.conversations.Forget()
	}
	for range maxMisses {
		e.say(client, offPort, foreign)
	}
	say(client, foreign)
	say(other, saying("S?", "not given up"))
	say(client, saying("S<", "not given up"))
	say(other, saying("S?", "not recognised, no direction"))
	e.expect(
		"18@18 chess#1 50000>9000  not given up",
		"19@19 chess#2 40000>9000 s2c not given up",
		"20@20 chess#3 50000>9000  not recognised, no direction",
	)
}

// A conversation without packets for an hour of packet time is dropped, and is new when it continues. If the clock is
// set back, nothing is dropped.
func TestTableDropsSilentConversations(t *testing.T) {
	e := newTable(t, Options{})
	for _, p := range []struct {
		hours float64
		src   string
		known int // number of conversations in the table afterwards
	}{
		{1, client, 1}, {1, other, 2}, {1.9, other, 2}, {2.5, client, 2}, {2.5, other, 2}, {0, client, 2}, {9, other, 1},
	} {
		data := udpPacket(t, p.src, server, saying("S>", "x"))
		e.Frame(&Frame{Data: data, Length: len(data), Time: int64(p.hours * float64(time.Hour)), Link: ip.LinkRaw})
		if e.conversations.Len() != p.known {
			t.Errorf("%v h: %d conversations, want %d", p.hours, e.conversations.Len(), p.known)
		}
	}
	if e.conversations.counts[wire.UDP] != 4 {
		t.Errorf("%d conversations in all, want 4", e.conversations.counts[wire.UDP])
	}
}
