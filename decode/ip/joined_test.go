package ip

import (
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// A duplicate fragment is not reported as a loss, however many datagrams were joined in between. After the timeout, a
// new datagram may reuse the id.
func TestDefragmenterRemembersJoined(t *testing.T) {
	for _, c := range []struct {
		after time.Duration
		lost  bool
	}{
		{0, false}, {time.Second, false}, {30 * time.Second, false}, {61 * time.Second, true}, {time.Hour, true},
		{-time.Second, false}, {-time.Hour, true},
	} {
		lost := 0
		d := &Defragmenter{Lost: func(LostDatagram) { lost++ }}
		now := int64(1000 * time.Hour)
		var whole Packet
		join := func(id uint32) {
			d.Add(piece(id, 0, 16, true), 1, now, &whole)
			if _, joined := d.Add(piece(id, 16, 8, false), 2, now, &whole); !joined {
				t.Fatal("not joined")
			}
		}
		join(0)
		for id := range uint32(20_000) {
			join(1 + id)
		}
		now += int64(c.after)
		d.Add(piece(0, 0, 16, true), 3, now, &whole)
		d.Flush()
		if lost != 0 != c.lost {
			t.Errorf("after %v: %d datagrams are lost", c.after, lost)
		}
	}
}

// If the memory is full, the oldest waiting datagrams are given up and reported. The largest datagram fits within any
// limit.
func TestDefragmenterBounds(t *testing.T) {
	for _, memory := range []int{1, leastFragmentBytes, 1 << 20} {
		crowded := 0
		before := wiretest.Heap()
		d := &Defragmenter{Memory: memory, Lost: func(l LostDatagram) {
			if l.Crowded {
				crowded++
			}
		}}
		var whole Packet
		for id := range uint32(30_000) {
			d.Add(piece(1+id, 0, 8*(1+int(id)%700), true), 1, 0, &whole)
			if id%2 == 0 {
				join := id + 1<<20
				d.Add(piece(join, 0, 16, true), 1, 0, &whole)
				d.Add(piece(join, 16, 8, false), 2, 0, &whole)
			}
			if most := d.most() + 1<<10; d.Bytes() > most {
				t.Fatalf("%d bytes, want at most %d", d.Bytes(), most)
			}
		}
		if heap := wiretest.Heap() - before; heap > int64(d.Bytes())*3/2 || heap < int64(d.Bytes())/2 {
			t.Errorf("the Defragmenter takes %d bytes and counts %d", heap, d.Bytes())
		}
		if crowded < 29_000 {
			t.Errorf("%d datagrams were given up for lack of memory", crowded)
		}
		d.Add(piece(0, 0, 65_528, true), 3, 0, &whole)
		if _, joined := d.Add(piece(0, 65_528, 7, false), 4, 0, &whole); !joined || len(whole.Payload) != 65_535 {
			t.Errorf("with a limit of %d bytes, the largest datagram does not fit", memory)
		}
		checkDefragmenter(t, d)
	}
}
