package tcp

const (
	smallestTail = 256

	// What these structs take, roughly: they count like the bytes they manage.
	chunkCost   = 128
	backlogCost = 256
)

// A backlog is what a stream keeps.
type backlog struct {
	stream     *Stream
	queue      *queue
	prev, next *backlog

	tail   []byte // delivered but not used
	buffer []byte // which it is at the end of
	marks  []mark // which packets brought it, at most maxMarks

	chunks *chunk // behind a hole, in order, not overlapping
	last   *chunk
	count  int   // of chunks
	bytes  int   // in chunks
	at     int64 // the stream's next when it was last looked at
	since  int64 // it has been there

	// The other side has acknowledged all before acked since then.
	acked     int64
	ackedTime int64
}

// A mark says which packet brought the bytes of a tail up to a position.
type mark struct {
	end  int
	from Origin
}

// maxMarks bounds the memory of a tail that came in very small pieces: those behind the last mark
// count as one.
const maxMarks = 64

// grown notes that the tail has grown to its length by a packet.
func (l *backlog) grown(from *Origin) {
	n := len(l.marks)
	switch {
	case n > 0 && l.marks[n-1].from.Serial == from.Serial:
		l.marks[n-1].end = len(l.tail)
	case n == maxMarks:
		l.marks[n-1] = mark{len(l.tail), *from}
	default:
		l.marks = append(l.marks, mark{len(l.tail), *from})
	}
}

// use drops the beginning of the tail. What follows stays where it is: a stream may use its bytes one by one.
func (l *backlog) use(n int) {
	l.tail = l.tail[n:]
	kept := l.marks[:0]
	for _, m := range l.marks {
		if m.end > n {
			kept = append(kept, mark{m.end - n, m.from})
		}
	}
	l.marks = kept
}

// origin is the packet that brought a byte of the tail.
func (l *backlog) origin(i int) *Origin {
	at := 0
	for i >= l.marks[at].end { // the last mark is at the tail's end
		at++
	}
	return &l.marks[at].from
}

// A chunk of a stream lies behind a hole.
type chunk struct {
	next *chunk
	at   int64 // position
	data []byte
	sent int64 // up to here was sent, beyond the data what the snap length cut off
	from Origin
}

func (p *chunk) end() int64 { return p.at + int64(len(p.data)) }

// put puts a chunk into the list.
func (l *backlog) put(link **chunk, p *chunk) {
	p.next, *link = *link, p
	if p.next == nil {
		l.last = p
	}
	l.count++
	l.bytes += len(p.data)
}

// take takes the first chunk from the list.
func (l *backlog) take() *chunk {
	p := l.chunks
	l.chunks = p.next
	if p.next == nil {
		l.last = nil
	}
	l.count--
	l.bytes -= len(p.data)
	return p
}

// A queue has what streams keep, in the order in which they came to the list.
type queue struct{ oldest, newest *backlog }

func (q *queue) push(l *backlog) {
	l.queue, l.prev, l.next = q, q.newest, nil
	if q.newest == nil {
		q.oldest = l
	} else {
		q.newest.next = l
	}
	q.newest = l
}

func (q *queue) remove(l *backlog) {
	if l.prev == nil {
		q.oldest = l.next
	} else {
		l.prev.next = l.next
	}
	if l.next == nil {
		q.newest = l.prev
	} else {
		l.next.prev = l.prev
	}
	l.queue, l.prev, l.next = nil, nil, nil
}

// hold gives what a stream keeps, a new one if need be. requeue must follow.
func (a *Assembler) hold(s *Stream) *backlog {
	if s.backlog != nil {
		return s.backlog
	}
	l := a.unusedBacklogs
	if l == nil {
		l = new(backlog)
		a.nodes += backlogCost
	} else {
		a.unusedBacklogs = l.next
	}
	*l = backlog{stream: s, marks: l.marks[:0]}
	s.backlog = l
	return l
}

// drop forgets what a stream keeps.
func (a *Assembler) drop(l *backlog) {
	for l.chunks != nil {
		a.free(l.take())
	}
	a.freeTail(l)
	if l.queue != nil {
		l.queue.remove(l)
	}
	l.stream.backlog = nil
	*l = backlog{next: a.unusedBacklogs, marks: l.marks[:0]}
	a.unusedBacklogs = l
}

// newChunk makes a chunk with a copy of b.
func (a *Assembler) newChunk(at int64, b []byte) *chunk {
	p := a.unusedChunks
	if p == nil {
		p = new(chunk)
		a.nodes += chunkCost
	} else {
		a.unusedChunks = p.next
	}
	*p = chunk{at: at, sent: at + int64(len(b)), from: a.packet}
	if len(b) > 0 {
		p.data = append(a.buffer(len(b)), b...)
	}
	return p
}

func (a *Assembler) free(p *chunk) {
	a.buffers.Put(p.data)
	*p = chunk{next: a.unusedChunks}
	a.unusedChunks = p
}

// buffer gives an empty buffer that has room for size bytes.
func (a *Assembler) buffer(size int) []byte { return a.buffers.Get(max(size, smallestTail)) }

// keepTail makes a stream's first unused bytes its tail.
func (a *Assembler) keepTail(l *backlog, rest []byte) {
	l.buffer = append(a.buffer(len(rest)), rest...)
	l.tail = l.buffer
}

// growTail makes room for size bytes in a tail. A tail that is used while it grows goes on in the same buffer if that
// is twice as large, and gets one that is if not: so each byte is moved a few times at most.
func (a *Assembler) growTail(l *backlog, size int) {
	switch used := cap(l.buffer) - cap(l.tail); {
	case size <= cap(l.tail):
		return
	case size <= cap(l.buffer)/2:
		l.tail = append(l.buffer[:0], l.tail...)
		return
	case used > 0:
		size *= 2
	}
	larger := append(a.buffer(size), l.tail...)
	a.buffers.Put(l.buffer)
	l.buffer, l.tail = larger, larger
}

// freeTail drops a tail.
func (a *Assembler) freeTail(l *backlog) {
	a.buffers.Put(l.buffer)
	l.buffer, l.tail = nil, nil
}

// dropSpare leaves something that is not in use to the garbage collector, if there is any.
func (a *Assembler) dropSpare() bool {
	switch {
	case a.buffers.Drop():
	case a.unusedChunks != nil:
		a.unusedChunks = a.unusedChunks.next
		a.nodes -= chunkCost
	case a.unusedBacklogs != nil:
		a.unusedBacklogs = a.unusedBacklogs.next
		a.nodes -= backlogCost
	default:
		return false
	}
	return true
}
