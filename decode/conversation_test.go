package decode

import (
	"encoding/binary"
	"math/rand/v2"
	"net/netip"
	"runtime"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// Both directions have one key, whatever the ends have in common.
func TestMakeKey(t *testing.T) {
	ends := []string{
		"192.0.2.1:1", "192.0.2.1:2", "192.0.2.1:256", "192.0.3.0:1", "1.2.0.192:1",
		"[2001:db8::1]:1", "[2001:db8::1]:2", "[2001:db8::100]:1", "[::1]:1",
	}
	seen := make(map[conversationKey][2]int)
	for i, a := range ends {
		for j, b := range ends[:i+1] {
			src, dst := netip.MustParseAddrPort(a), netip.MustParseAddrPort(b)
			k1, fromB1 := makeKey(wire.UDP, src, dst)
			k2, fromB2 := makeKey(wire.UDP, dst, src)
			if k1 != k2 || fromB1 == fromB2 && i != j {
				t.Errorf("%s and %s: %v %t, %v %t", a, b, k1, fromB1, k2, fromB2)
			}
			if have, again := seen[k1]; again {
				t.Errorf("%v and %v have the same key", have, [2]int{i, j})
			}
			seen[k1] = [2]int{i, j}
			if tcp, _ := makeKey(wire.TCP, src, dst); tcp == k1 {
				t.Error("the transport does not matter")
			}
		}
	}
}

func testKey(i int) conversationKey {
	k := conversationKey{portA: uint16(i)}
	binary.BigEndian.PutUint64(k.a[:], uint64(i))
	return k
}

// slowTable is the obvious table: a list, the newest last.
type slowTable struct {
	list  []*slowConversation
	count int
}

type slowConversation struct {
	key    conversationKey
	number int
}

func (s *slowTable) find(k conversationKey, maximum int) (number int, forgot *slowConversation) {
	for i, f := range s.list {
		if f.key == k {
			s.list = append(append(s.list[:i:i], s.list[i+1:]...), f)
			return f.number, nil
		}
	}
	if len(s.list) == maximum {
		forgot, s.list = s.list[0], s.list[1:]
	}
	s.list = append(s.list, &slowConversation{k, s.count})
	s.count++
	return s.count - 1, forgot
}

// The table forgets what is idle for the longest, and never gives a number twice.
func TestConversationsAgainstModel(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 3))
	for _, maximum := range []int{1, 2, 3, 10} {
		f := newConversations()
		f.maximum = maximum
		var slow slowTable
		for range 5000 {
			k := testKey(r.IntN(2 * maximum))
			var forgot *conversation
			if f.table[k] == nil && len(f.table) == maximum {
				idle := *f.oldest
				forgot = &idle
			}
			c := f.find(k)
			if forgot != nil && f.table[forgot.key] != nil {
				t.Fatalf("%v is still there", forgot.key)
			}
			number, want := slow.find(k, maximum)
			if c.key != k || c.number != number || f.newest != c || len(f.table) != len(slow.list) || f.table[k] != c {
				t.Fatalf("%+v, want number %d", c, number)
			}
			if (forgot == nil) != (want == nil) || want != nil && (forgot.key != want.key || forgot.number != want.number) {
				t.Fatalf("forgot %+v, want %+v", forgot, want)
			}
			if f.oldest.key != slow.list[0].key {
				t.Fatalf("%v is the oldest, want %v", f.oldest.key, slow.list[0].key)
			}
		}
	}
}

// A conversation that comes back after it was forgotten is a new one, and what was known and
// held of the old one is gone.
func TestTableIsBounded(t *testing.T) {
	e := newTable(t, Options{})
	e.conversations.maximum = 2
	e.say(client, offPort, saying("M>", "held"))
	e.say(client, server, saying("S>", "one"))
	e.say(client, offPort, saying("M>", "held"))
	if e.heldBytes() != 14 {
		t.Errorf("%d bytes held", e.heldBytes())
	}
	e.say(other, server, saying("S>", "two")) // in place of the first chess
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
	e.say(client, "192.0.2.9:3", foreign)
	e.say(client, "192.0.2.9:4", foreign)
	if e.heldBytes() != 0 || len(e.conversations.table) != 2 {
		t.Errorf("%d bytes held of forgotten conversations, %d in the table", e.heldBytes(), len(e.conversations.table))
	}
	e.say(client, "192.0.2.9:1", saying("S>", "again"))
	e.expect("11@11 chess#8 40000>1 c2s again")
	e.expectOurs(7, 4)
}

// A reused entry must not know anything of the conversation before.
func TestTableEntriesStartEmpty(t *testing.T) {
	e := newTable(t, Options{})
	e.conversations.maximum = 1
	for range maxMisses + 1 {
		e.say(client, offPort, foreign)
	}
	e.say(other, offPort, saying("S?", "not given up"))
	e.say(client, offPort, saying("S<", "not given up"))
	e.say(other, offPort, saying("S?", "not recognised, no direction"))
	e.expect(
		"18@18 chess#1 50000>9000  not given up",
		"19@19 chess#2 40000>9000 s2c not given up",
		"20@20 chess#3 50000>9000  not recognised, no direction",
	)
}

// A flood of conversations, of which some seem to be ours, takes bounded memory.
func TestEngineMemoryIsBounded(t *testing.T) {
	n := 180_000 // more than fits
	if wiretest.Full() {
		n = 400_000
	}
	held := toyProtocol("held", 7000, 'S', 'M')
	e := New(Options{Protocols: []*wire.Protocol{held}})
	data := udpPacket(t, client, offPort, saying("M>", "held"))
	before := wiretest.Heap()
	for i := range n {
		binary.BigEndian.PutUint32(data[12:], uint32(i)) // the source address
		binary.BigEndian.PutUint16(data[22:], 9000)      // the destination's port
		data[28] = 'M'
		switch i % 4 {
		case 1:
			binary.BigEndian.PutUint16(data[22:], 9001) // a server that is known does not make others known
			data[28] = 'S'
		case 2:
			data[28] = '?'
		}
		e.Frame(&Frame{Data: data, Length: len(data), Time: int64(i), Link: ip.LinkRaw, Number: i + 1})
		if len(e.conversations.table) > maxConversations || len(e.recogniser.hosts) > maxHosts {
			t.Fatalf("%d conversations, %d hosts", len(e.conversations.table), len(e.recogniser.hosts))
		}
	}
	grown := wiretest.Heap() - before
	t.Logf("%d MB for %d conversations", grown>>20, len(e.conversations.table))
	if grown > 100<<20 {
		t.Errorf("the heap grew by %d MB", grown>>20)
	}
	if c := e.Counters(); c.Recognised != int64(n/4) || c.Other != int64(n-n/4) || c.Messages != int64(n/4) {
		t.Errorf("%+v", c)
	}
	if most := maxHolders * maxHeld * maxHeldSize; e.heldBytes() > most {
		t.Errorf("%d bytes are held, at most %d should be", e.heldBytes(), most)
	}
	runtime.KeepAlive(e)
}

// Conversations that are silent for an hour of packet time are forgotten, and are new ones when
// they speak again. A clock that is set back forgets nothing.
func TestTableForgetsTheSilent(t *testing.T) {
	e := newTable(t, Options{})
	for _, p := range []struct {
		hours float64
		src   string
		known int // conversations in the table afterwards
	}{
		{1, client, 1}, {1, other, 2}, {1.9, other, 2}, {2.5, client, 2}, {2.5, other, 2}, {0, client, 2}, {9, other, 1},
	} {
		data := udpPacket(t, p.src, server, saying("S>", "x"))
		e.Frame(&Frame{Data: data, Length: len(data), Time: int64(p.hours * float64(time.Hour)), Link: ip.LinkRaw})
		if len(e.conversations.table) != p.known {
			t.Errorf("%v h: %d conversations, want %d", p.hours, len(e.conversations.table), p.known)
		}
	}
	if e.conversations.counts[wire.UDP] != 4 {
		t.Errorf("%d conversations in all, want 4", e.conversations.counts[wire.UDP])
	}
}
