package tcp

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// A load gives segments to many connections.
type load struct {
	*counter
	a           *Assembler
	connections []Connection
	serial      int64
	time        time.Duration
}

func newLoad(connections int) *load {
	l := &load{counter: &counter{}, connections: make([]Connection, connections)}
	l.a = new(Assembler)
	for i := range l.connections {
		l.connections[i].Receiver = l.counter
	}
	return l
}

func (l *load) send(i int, seq uint32, payload []byte) {
	l.serial++
	l.a.Begin(Origin{Serial: l.serial, Time: int64(l.time)})
	s := Segment{Seq: seq, Payload: payload}
	l.connections[i].Add(l.a, 0, &s)
}

func (l *load) check(t *testing.T) {
	t.Helper()
	all := make([]*Connection, len(l.connections))
	for i := range all {
		all[i] = &l.connections[i]
	}
	checkAssembler(t, l.a, all...)
}

// records uses records that begin with their length.
func records(_ *Stream, b []byte) int {
	at := 0
	for len(b)-at >= 2 {
		n := max(2, int(binary.BigEndian.Uint16(b[at:])))
		if len(b)-at < n {
			break
		}
		at += n
	}
	return at
}

// recordStream is a stream of records of some lengths.
func recordStream(size int, lengths ...int) (data []byte) {
	for i := 0; len(data) < size; i++ {
		n := lengths[i%len(lengths)]
		data = binary.BigEndian.AppendUint16(data, uint16(n))
		data = append(data, make([]byte, n-2)...)
	}
	return data
}

func TestAssemblerDoesNotAllocate(t *testing.T) {
	l := newLoad(2)
	l.use = records
	data := recordStream(100000, 20, 61, 7, 300)
	i, at, seq := 0, 0, uint32(1<<32-5000)
	send := func() {
		n := min(1+(i/2*37)%400, len(data)-at)
		l.send(i%2, seq, data[at:at+n])
		if i++; i%2 == 0 {
			at, seq = (at+n)%len(data), seq+uint32(n)
		}
	}
	for range 5000 {
		send()
	}
	if n := testing.AllocsPerRun(5000, send); n != 0 {
		t.Errorf("%v allocations a segment in order", n)
	}
	// A stream whose every other segment is late.
	late := func() {
		for k := range 8 {
			n := 100
			place := (k ^ 1) * n
			l.send(0, seq+uint32(place), data[place:place+n])
		}
		seq += 800
	}
	l = newLoad(1)
	for range 100 {
		late()
	}
	if n := testing.AllocsPerRun(1000, late); n != 0 {
		t.Errorf("%v allocations for segments out of order", n)
	}
}

func TestAssemblerMemoryAfterALoss(t *testing.T) {
	l := newLoad(1)
	payload := make([]byte, 1400)
	before := wiretest.Heap()
	l.send(0, 0, payload)
	for at := uint32(2 * 1400); at < 10<<20; at += 1400 { // one is lost, nobody acknowledges
		l.send(0, at, payload)
		if l.a.bytes() > 2*maxHeldBytes {
			t.Fatalf("%d bytes", l.a.bytes())
		}
	}
	if grown := wiretest.Heap() - before; grown > deliveredSize+1<<20 {
		t.Errorf("the heap has grown by %d", grown)
	}
	if l.gaps != 1 || l.missing != 1400 || l.bytes < 10<<20-2*1400 {
		t.Errorf("%+v", *l.counter)
	}
	l.check(t)
}

func TestAssemblerMemoryOfOneByteSegments(t *testing.T) {
	l := newLoad(1)
	before := wiretest.Heap()
	l.send(0, 0, []byte{1})
	for i := uint32(1); i <= maxHeldChunks; i++ {
		l.send(0, 2*i, []byte{1})
	}
	if l.gaps != 0 {
		t.Error("given up too early")
	}
	for i := uint32(maxHeldChunks); i < 100000; i++ {
		l.send(0, 2*i, []byte{1})
		if l.a.bytes() > 1<<20 {
			t.Fatalf("%d bytes", l.a.bytes())
		}
	}
	for i := uint32(500000); i > 400000; i-- { // and from behind
		l.send(0, 2*i, []byte{1})
	}
	l.check(t)
	if grown := wiretest.Heap() - before; grown > deliveredSize+1<<20 {
		t.Errorf("the heap has grown by %d", grown)
	}
}

// Many connections with holes: those that have waited longest go on first.
func TestAssemblerMemoryInAll(t *testing.T) {
	const connections = 2000
	l := newLoad(connections)
	before := wiretest.Heap()
	payload := make([]byte, 1000)
	for round := range uint32(40) {
		for i := range l.connections {
			l.send(i, 2000*round, payload)
			if l.a.bytes() > maxStreamBytes {
				t.Fatalf("%d bytes", l.a.bytes())
			}
		}
		if round == 8 {
			if l.gaps == 0 || l.last != &l.connections[l.gaps/8-1] {
				t.Errorf("%d gaps, the last not of the connection that waited longest", l.gaps)
			}
		}
	}
	l.check(t)
	if grown := wiretest.Heap() - before; grown > maxStreamBytes+deliveredSize+4<<20 {
		t.Errorf("the heap has grown by %d", grown)
	}
}

// Tails count as well. What waits at a hole is given up before them.
func TestAssemblerMemoryOfTails(t *testing.T) {
	const connections, ignored = 20000, 10
	l := newLoad(connections)
	l.use = func(*Stream, []byte) int { return 0 }
	l.send(0, 0, []byte("x"))
	l.send(0, 9, []byte("x"))
	payload := make([]byte, 1000)
	for i := 1; i < connections; i++ {
		l.send(i, 0, payload)
		if i <= ignored {
			l.connections[i].Ignore()
		}
		if l.a.bytes() > maxStreamBytes {
			t.Fatalf("%d bytes", l.a.bytes())
		}
	}
	l.check(t)
	kept := 0
	for i := 1; i < connections; i++ {
		if l.connections[i].streams[0].backlog != nil {
			kept++
		} else if kept > 0 {
			t.Fatal("a younger tail went before an older one")
		}
	}
	if l.missing != 8 || l.gaps != connections-1-kept+1-ignored || kept < 10000 {
		t.Errorf("%d kept, %+v", kept, *l.counter)
	}
}

// A connection that the receiver ignores is not heard of when its turn comes.
func TestAssemblerForgetsTheIgnored(t *testing.T) {
	l := newLoad(3)
	l.use = func(*Stream, []byte) int { return 0 }
	for i := range 3 {
		l.send(i, 0, []byte("ab"))
		l.send(i, 5, []byte("cd"))
	}
	for i := range 3 {
		l.connections[i].Ignore()
	}
	l.time = time.Hour
	l.a.Begin(Origin{Serial: 99, Time: int64(l.time)})
	l.check(t)
	if l.gaps != 0 || l.a.holes.oldest != nil {
		t.Errorf("%d gaps", l.gaps)
	}
}

func TestDelivered(t *testing.T) {
	var h delivered
	var place int64
	data := make([]byte, 3*deliveredSize)
	for i := range data {
		data[i] = byte(i * i >> 8)
	}
	position := int64(1) << 32
	for at := 0; at < len(data); {
		n := min(1+at%1777, len(data)-at)
		place = h.add(place, position+int64(at), data[at:at+n])
		h.add(0, 0, data[:n/2]) // of another stream
		at += n
		for _, back := range []int{1, 100, 5000, 200000} {
			if at < back {
				continue
			}
			var d difference
			again := bytes.Clone(data[at-back : at])
			h.compare(place, position+int64(at-back), again, &d)
			if d.bytes != 0 {
				t.Fatalf("at %d: %d differ, none should", at, d.bytes)
			}
			again[back/2] ^= 1
			again[back-1] ^= 1
			h.compare(place, position+int64(at-back), again, &d)
			if back > 1 && (d.bytes != 2 || d.at != position+int64(at-back+back/2)) {
				t.Fatalf("at %d, %d back: %d differ from %d", at, back, d.bytes, d.at-position-int64(at-back))
			}
		}
	}
	var d difference
	h.compare(place, position, make([]byte, deliveredSize), &d)
	if d.bytes > 0 {
		t.Error("remembers too much")
	}
	for i := range 2000 { // small records: the search gives up
		place = h.add(place, position+int64(len(data)+i), []byte{1})
	}
	h.compare(place, position+int64(len(data)), []byte{2}, &d)
	if d.bytes > 0 {
		t.Error("searches too long")
	}
	h.compare(place, position+int64(len(data))+2000-maxSteps, []byte{2}, &d)
	if d.bytes != 1 {
		t.Error("does not search long enough")
	}
	d = difference{}
	h.compare(place, position+int64(len(data))+2000-maxSteps-1, []byte{2}, &d)
	if d.bytes > 0 {
		t.Error("searches a step too long")
	}
	place = h.add(0, position+int64(len(data)), data)
	h.compare(place, position+int64(len(data)), make([]byte, len(data)-maxRemembered), &d)
	if d.bytes > 0 {
		t.Error("remembers more than the end of a long delivery")
	}
	end := bytes.Clone(data[len(data)-maxRemembered:])
	end[0], end[maxRemembered-1] = ^end[0], ^end[maxRemembered-1]
	h.compare(place, position+int64(2*len(data)-maxRemembered), end, &d)
	if d.bytes != 2 || d.at != position+int64(2*len(data)-maxRemembered) {
		t.Errorf("of the end of a long delivery %d bytes differ", d.bytes)
	}
}

// What was overwritten is not taken for a record, even if the bytes look like one.
func TestDeliveredForgets(t *testing.T) {
	var h delivered
	const position = 0x0101010101010101
	place, at := int64(0), int64(position+1000)
	ones := bytes.Repeat([]byte{1}, 10007)
	for i := range 3 * deliveredSize / len(ones) {
		b := ones[i%7*13:]
		place = h.add(place, at, b)
		at += int64(len(b))
		var d difference
		h.compare(place, position, []byte{0}, &d)
		if d.bytes > 0 {
			t.Fatal("differs from what was never there")
		}
	}
}

func BenchmarkStream(b *testing.B) {
	for _, c := range []struct {
		name    string
		segment int
		lengths []int
	}{
		{"OneMessage", 40, []int{40}},
		{"SmallMessages", 60, []int{20}},
		{"Straddling", 60, []int{25}},
		{"Full", 1448, []int{24, 40, 31}},
	} {
		b.Run(c.name, func(b *testing.B) {
			l := newLoad(1)
			l.use = records
			data := recordStream(1<<20, c.lengths...)
			b.SetBytes(int64(c.segment))
			b.ReportAllocs()
			at, seq := 0, uint32(0)
			for b.Loop() {
				if at+c.segment > len(data) {
					l.connections[0], at, seq = Connection{Receiver: l.counter}, 0, 0
				}
				l.send(0, seq, data[at:at+c.segment])
				at, seq = at+c.segment, seq+uint32(c.segment)
			}
		})
	}
}

// The ring grows up to its bound. What it remembers is the same as one that had been so large from the beginning.
func TestDeliveredGrows(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	const most = 4 * deliveredSize
	small, large := delivered{most: most}, delivered{most: most}
	large.start()
	large.ring = make([]byte, most)
	var places [2][50]int64 // of streams, in each of the two
	var at [50]int64
	b := make([]byte, maxRemembered)
	for range 4000 {
		s := r.IntN(len(at))
		for i := range b {
			b[i] = byte(at[s]+int64(i)) ^ byte(s)
		}
		n := 1 + r.IntN(4000)
		places[0][s] = small.add(places[0][s], at[s], b[:n])
		places[1][s] = large.add(places[1][s], at[s], b[:n])
		at[s] += int64(n)
		if places[0][s] != places[1][s] {
			t.Fatal("not the same places")
		}
		s, back := r.IntN(len(at)), int64(r.IntN(100_000))
		if at[s] < back {
			continue
		}
		for i := range b {
			b[i] = byte(at[s]-back+int64(i)) ^ byte(s)
		}
		var d, want difference
		small.compare(places[0][s], at[s]-back, b[:min(back, maxRemembered)], &d)
		if d.bytes > 0 {
			t.Fatalf("%d bytes differ from themselves", d.bytes)
		}
		b[0]++
		small.compare(places[0][s], at[s]-back, b[:min(back, 1)], &d)
		large.compare(places[1][s], at[s]-back, b[:min(back, 1)], &want)
		if d != want {
			t.Fatalf("%+v, want %+v", d, want)
		}
	}
	if len(small.ring) != most {
		t.Errorf("a ring of %d bytes, want %d", len(small.ring), most)
	}
}

// The bounds of an Assembler are those that it was given, at least as much as one segment needs.
func TestAssemblerBounds(t *testing.T) {
	for _, history := range []int{1, leastDelivered, leastDelivered*2 - 1, 3 << 20} {
		l := newLoad(1)
		l.a.Memory, l.a.History = 10_000, history
		data := make([]byte, maxSegment)
		for i := range 60 {
			l.send(0, uint32(i*len(data)), data)
			l.send(0, uint32((i+1)*len(data)+1), data[:1000]) // behind a hole
			if l.a.bytes() > 10_000 {
				t.Fatalf("%d bytes wait", l.a.bytes())
			}
		}
		if n := len(l.a.delivered.ring); n > max(history, leastDelivered) || n <= history/2 || l.a.Bytes() < n {
			t.Errorf("%d bytes of history, at most %d are allowed", n, history)
		}
	}
}
