package tcp

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// A load is an Assembler that receives segments of many connections.
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

// records returns the total size of the complete records in b. A record begins with its length.
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

// recordStream returns at least size bytes of records. The records have the given lengths in turn.
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
		t.Errorf("%v allocations per segment in order", n)
	}
	// In this stream every other segment is late.
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

func TestAssemblerMemoryAfterLoss(t *testing.T) {
	l := newLoad(1)
	payload := make([]byte, 1400)
	before := wiretest.Heap()
	l.send(0, 0, payload)
	for at := uint32(2 * 1400); at < 10<<20; at += 1400 { // one segment is lost, and nothing is acknowledged
		l.send(0, at, payload)
		if l.a.bytes() > 2*maxWaitingBytes {
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
	for i := uint32(1); i <= maxWaitingChunks; i++ {
		l.send(0, 2*i, []byte{1})
	}
	if l.gaps != 0 {
		t.Error("the gap was given up too early")
	}
	for i := uint32(maxWaitingChunks); i < 10*maxWaitingChunks; i++ {
		l.send(0, 2*i, []byte{1})
		if l.a.bytes() > 1<<20 {
			t.Fatalf("%d bytes", l.a.bytes())
		}
	}
	for i := uint32(500000); i > 500000-10*maxWaitingChunks; i-- { // backwards, beginning at the end
		l.send(0, 2*i, []byte{1})
	}
	l.check(t)
	if grown := wiretest.Heap() - before; grown > deliveredSize+1<<20 {
		t.Errorf("the heap has grown by %d", grown)
	}
}

// If many connections have gaps, the gaps of the connections that have waited longest are given up first.
func TestAssemblerMemoryOfManyConnections(t *testing.T) {
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
				t.Errorf("%d gaps, but the last one is not in the connection that waited longest", l.gaps)
			}
		}
	}
	l.check(t)
	if grown := wiretest.Heap() - before; grown > maxStreamBytes+deliveredSize+4<<20 {
		t.Errorf("the heap has grown by %d", grown)
	}
}

// Tails, which are unused bytes, also count as memory. Gaps are given up before tails are dropped.
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
			t.Fatal("a newer tail was dropped before an older one")
		}
	}
	if l.missing != 8 || l.gaps != connections-1-kept+1-ignored || kept < 10000 {
		t.Errorf("%d kept, %+v", kept, *l.counter)
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

// An Assembler respects its configured limits, but its history has at least minDelivered bytes.
func TestAssemblerBounds(t *testing.T) {
	for _, history := range []int{1, minDelivered, minDelivered*2 - 1, 3 << 20} {
		l := newLoad(1)
		l.a.Memory, l.a.History = 10_000, history
		data := make([]byte, maxSegment)
		for i := range 60 {
			l.send(0, uint32(i*len(data)), data)
			l.send(0, uint32((i+1)*len(data)+1), data[:1000]) // after a gap
			if l.a.bytes() > 10_000 {
				t.Fatalf("%d bytes wait", l.a.bytes())
			}
		}
		if n := len(l.a.delivered.ring); n > max(history, minDelivered) || n <= history/2 || l.a.Bytes() < n {
			t.Errorf("%d bytes of history, at most %d are allowed", n, history)
		}
	}
}
