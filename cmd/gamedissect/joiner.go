package main

import (
	"sync/atomic"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// A joiner puts what the workers of a crew have to say in the order of the capture, as one engine would have said it,
// and writes it. Conversations get the numbers that one engine gives.
type joiner struct {
	lanes    []*lane
	form     partedSink // nil: no text is wanted
	out      *output    // of the form
	crowded  *atomic.Bool
	over     atomic.Bool // nobody takes the output any more
	message  decode.Message
	counts   [2]uint32 // conversations so far, per transport
	numbered int64     // up to this frame
}

// A lane is what comes from a worker.
type lane struct {
	from    *collector
	block   *block // that is read
	at      int    // of the next piece
	begun   []beginning
	numbers [2][]uint32 // of conversations in the capture, by those that they have with the worker
	ended   bool
}

// mostConversations is how many conversations are numbered, per worker: that takes 4 bytes each.
const mostConversations = 1 << 25

func newJoiner(crowded *atomic.Bool, text textSink) *joiner {
	j := &joiner{crowded: crowded}
	if text != nil {
		j.form = text.(partedSink) // see shareable
		j.out, _ = text.text()
	}
	return j
}

// add adds a worker.
func (j *joiner) add(from *collector) { j.lanes = append(j.lanes, &lane{from: from}) }

// run is a goroutine. All workers send as many last blocks, and then no more.
func (j *joiner) run() {
	for j.round() {
		j.number(j.newest())
	}
	if j.out != nil && !j.stopped() {
		_ = j.out.flush() // kept in err
	}
}

// round takes what the workers made of a batch. It reports whether there was one.
func (j *joiner) round() (more bool) {
	for _, l := range j.lanes {
		l.take()
	}
	for {
		var first *lane
		for _, l := range j.lanes {
			if l.ready() && (first == nil || l.head().before(first.head())) {
				first = l
			}
		}
		if first == nil {
			break
		}
		j.write(first)
	}
	for _, l := range j.lanes {
		more = more || !l.ended
	}
	return more
}

// take takes the next block, and gives back the one before.
func (l *lane) take() {
	if l.block != nil {
		l.from.empty <- l.block
	}
	l.at = 0
	if l.block = <-l.from.full; l.block == nil {
		l.ended = true
		return
	}
	l.begun = append(l.begun, l.block.begun...)
}

// ready reports whether there is another piece of the batch.
func (l *lane) ready() bool {
	for !l.ended && l.at == len(l.block.pieces) && !l.block.last {
		l.take()
	}
	return !l.ended && l.at < len(l.block.pieces)
}

func (l *lane) head() *piece { return &l.block.pieces[l.at] }

// before reports whether a piece comes before one of another worker.
func (p *piece) before(o *piece) bool {
	c := p.turn.Compare(o.turn)
	if c == 0 && p.turn.Step == decode.TrackerStep {
		c = decode.ComparePlaces(&p.place, &o.place)
	}
	return c < 0
}

// newest is the newest frame in which a conversation began, after a round: all workers are done with it.
func (j *joiner) newest() (frame int64) {
	for _, l := range j.lanes {
		if n := len(l.begun); n > 0 {
			frame = max(frame, l.begun[n-1].frame)
		}
	}
	return frame
}

// number numbers the conversations that began up to a frame.
func (j *joiner) number(frame int64) {
	for frame > j.numbered {
		var first *lane
		for _, l := range j.lanes {
			if len(l.begun) > 0 && (first == nil || l.begun[0].frame < first.begun[0].frame) {
				first = l
			}
		}
		if first == nil || first.begun[0].frame > frame {
			j.numbered = frame
			break
		}
		t := first.begun[0].transport
		first.numbers[t] = append(first.numbers[t], j.counts[t])
		j.counts[t]++
		first.begun = first.begun[1:]
		if len(first.numbers[t]) > mostConversations {
			j.crowded.Store(true)
		}
	}
}

// write writes the next piece of a worker, with all that belongs to it.
func (j *joiner) write(l *lane) {
	for goesOn := true; goesOn && l.ready(); l.at++ {
		p := l.head()
		goesOn = p.goesOn
		if j.stopped() {
			continue
		}
		if p.turn.Step == decode.FrameStep {
			j.number(p.turn.Frame)
		} else {
			j.number(p.turn.Frame - 1) // the frame is yet to come
		}
		l.renumber(&p.place)
		from := 0
		if l.at > 0 {
			from = l.block.pieces[l.at-1].end
		}
		j.put(p, l, l.block.text[from:p.end])
		if len(j.out.buf) >= flushAt {
			_ = j.out.flush() // kept in err
		}
		if j.out.err != nil {
			j.over.Store(true)
		}
	}
}

// renumber gives a place the number of its conversation in the capture.
func (l *lane) renumber(p *wire.Place) {
	if p.Protocol != nil && p.Conversation != decode.NoConversation {
		p.Conversation = int(l.numbers[p.Transport][p.Conversation])
		p.Lane = uint32(p.Conversation)<<1 | p.Lane&1
	}
}

// stopped reports whether what comes is of no use any more.
func (j *joiner) stopped() bool { return j.crowded.Load() || j.over.Load() }

// put writes a piece.
func (j *joiner) put(p *piece, l *lane, text []byte) {
	switch {
	case p.finding != nil:
		l.renumber(&p.finding.Place)
		j.form.finding(p.finding)
	case !p.headless:
		j.message.Place, j.message.Direction, j.message.Name = p.place, p.direction, p.name
		j.form.head(&j.message)
		if len(text) > 0 && text[0] == '\n' {
			j.out.buf = trimRight(j.out.buf)
		}
	}
	j.out.buf = append(j.out.buf, text...)
}
