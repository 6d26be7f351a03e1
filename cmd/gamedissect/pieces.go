package main

import (
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// A piece is what a worker has to say of a message or a finding, to be put in order with what others have to say.
type piece struct {
	turn      decode.Turn
	place     wire.Place
	direction wire.Direction
	name      string
	finding   *wire.TrafficFinding // to be written whole by who puts the pieces in order
	headless  bool                 // nothing stands before the text: it goes on, or it is whole
	goesOn    bool                 // more of it follows in the next piece
	end       int                  // of its text in the block
}

// A block is pieces on their way, and the conversations that began among them.
type block struct {
	pieces []piece
	text   []byte
	begun  []beginning
	last   bool // of a batch
}

// A beginning is that of a conversation.
type beginning struct {
	frame     int64
	transport wire.Transport
}

const (
	blockPieces = 256
	blockBytes  = 128 << 10
	blocks      = 4 // of a worker
)

// A collector is the text sink of a worker. It writes the bodies of messages, and has them put in order elsewhere.
type collector struct {
	engine func() *decode.Engine
	fits   func() bool // the engine had to forget nothing, else what it tells is not what one engine tells
	form   partedSink  // nil: no text is wanted
	out    *output     // of the form
	late   bool        // findings are written by who puts the pieces in order
	now    piece       // that is written
	block  *block
	full   chan *block
	empty  chan *block
}

func newCollector(engine func() *decode.Engine, fits func() bool) *collector {
	x := &collector{engine: engine, fits: fits, full: make(chan *block, blocks), empty: make(chan *block, blocks)}
	for range blocks {
		x.empty <- new(block)
	}
	x.block = <-x.empty
	return x
}

// write has a form written, which is one that shareable takes.
func (x *collector) write(form textSink) {
	x.form = form.(partedSink)
	x.out, x.late = form.text()
	x.out.w, x.out.buf = x, x.out.buf[:0] // the heading is not ours
}

// text implements textSink.
func (x *collector) text() (*output, bool) { return x.out, x.late }

// message implements sink.
func (x *collector) message(m *decode.Message) {
	x.now = piece{place: m.Place, direction: m.Direction, name: m.Name}
	x.form.body(m)
	x.finish()
}

// finding implements sink.
func (x *collector) finding(f *wire.TrafficFinding) {
	x.now = piece{place: f.Place, headless: true}
	if x.late {
		kept := *f // trackers use theirs again
		x.now.finding = &kept
	} else {
		x.form.finding(f)
	}
	x.finish()
}

// finish ends what is written.
func (x *collector) finish() {
	x.put(x.out.buf)
	x.out.buf = x.out.buf[:0]
}

// Write implements io.Writer: forms pass on what is much.
func (x *collector) Write(b []byte) (int, error) {
	x.now.goesOn = true
	x.put(b)
	x.now.headless, x.now.goesOn = true, false
	return len(b), nil
}

// put puts text into the block.
func (x *collector) put(text []byte) {
	b := x.block
	b.text = append(b.text, text...)
	x.now.turn, x.now.end = x.engine().Turn(), len(b.text)
	b.pieces = append(b.pieces, x.now)
	if len(b.pieces) >= blockPieces || len(b.text) >= blockBytes {
		x.send(false)
	}
}

// begun notes that a conversation has begun.
func (x *collector) begun(t wire.Transport) {
	x.block.begun = append(x.block.begun, beginning{x.engine().Turn().Frame, t})
}

// send sends the block.
func (x *collector) send(last bool) {
	if !x.fits() {
		x.block.clear()
	}
	x.block.last = last
	x.full <- x.block
	x.block = <-x.empty
	x.block.clear()
}

func (b *block) clear() {
	clear(b.pieces)
	b.pieces, b.text, b.begun = b.pieces[:0], b.text[:0], b.begun[:0]
	if cap(b.text) > 8*blockBytes {
		b.text = nil
	}
}
