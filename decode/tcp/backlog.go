package tcp

const (
	smallestTail = 256

	// The approximate sizes in bytes of a chunk and a backlog. They count towards the memory limit, like the bytes that
	// the structs hold.
	chunkCost   = 128
	backlogCost = 256
)

// A backlog contains the bytes that a stream keeps: a tail, which the receiver left unused, and chunks after gaps.
type backlog struct {
	stream     *Stream
	queue      *queue
	prev, next *backlog

	tail   []byte // delivered bytes that the receiver did not use
	buffer []byte // memory of the tail, including used bytes before it
	marks  []mark // the packets that contained the tail, at most maxMarks

	chunks *chunk // bytes after a gap, in order and without overlap
	last   *chunk
	count  int   // number of chunks
	bytes  int   // number of bytes in chunks
	at     int64 // Stream.next when requeue last moved the backlog to the end of a queue
	since  int64 // the time of that move

	// At ackedTime, the other side had acknowledged all bytes before acked.
	acked     int64
	ackedTime int64
}

// A mark is an offset in a tail, and the packet that contained the bytes between the previous mark and this one.
type mark struct {
	end  int
	from Origin
}

// maxMarks limits the memory for a tail that arrived in very small pieces. Further pieces extend the last mark.
const maxMarks = 64

// grown records the packet that contained the last bytes of the tail.
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

// use drops the first n bytes of the tail. It does not move the other bytes, because that would be slow if a receiver
// uses bytes one by one.
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

// origin returns the packet that contained byte i of the tail.
func (l *backlog) origin(i int) *Origin {
	at := 0
	for i >= l.marks[at].end { // the last mark is the tail's end
		at++
	}
	return &l.marks[at].from
}

// A chunk is a piece of a stream after a gap.
type chunk struct {
	next *chunk
	at   int64 // position of the first byte
	data []byte
	sent int64 // position after the last byte sent; bytes after data were cut off by the snap length
	from Origin
}

func (p *chunk) end() int64 { return p.at + int64(len(p.data)) }

func (l *backlog) put(link **chunk, p *chunk) {
	p.next, *link = *link, p
	if p.next == nil {
		l.last = p
	}
	l.count++
	l.bytes += len(p.data)
}

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

// A queue is a list of backlogs, the oldest first.
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

// hold returns the backlog of a stream. If there is none, hold creates it. The caller must call requeue afterwards.
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

func (a *Assembler) buffer(size int) []byte { return a.buffers.Get(max(size, smallestTail)) }

// keepTail makes rest the tail of a backlog that has none.
func (a *Assembler) keepTail(l *backlog, rest []byte) {
	l.buffer = append(a.buffer(len(rest)), rest...)
	l.tail = l.buffer
}

// growTail makes room for size bytes in a tail. If the buffer is at least twice as large as needed, the tail moves to
// the front of the buffer, over used bytes. Otherwise it moves to a larger buffer. Each byte is thus moved only a few
// times.
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

func (a *Assembler) freeTail(l *backlog) {
	a.buffers.Put(l.buffer)
	l.buffer, l.tail = nil, nil
}

// dropSpare frees one unused buffer, chunk or backlog. It returns false if there is none.
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

// requeue moves the backlog of a stream to the right queue after a change. It drops an empty backlog.
func (a *Assembler) requeue(s *Stream) {
	l := s.backlog
	if l == nil {
		return
	}
	if s.ended || l.chunks == nil && len(l.tail) == 0 {
		a.drop(l)
		return
	}
	queue := &a.gaps
	if l.chunks == nil {
		queue, l.acked = &a.tails, 0
	}
	if l.queue == queue && l.at == s.next {
		return
	}
	if l.queue != nil {
		l.queue.remove(l)
	}
	l.at, l.since = s.next, a.now
	queue.push(l)
}
