// Package wireshark shows an engine's results in Wireshark and tshark: in their trees, columns, display filters and
// expert information.
//
// Script is Lua code that Wireshark runs. It knows no protocol. A Writer writes the dissection file of a capture. The
// file has the results for each frame, and tables of protocols, fields, rules and ports, which the script registers. A
// dissection file without frames has only the tables.
//
// This package must not depend on any protocol, on how Wireshark is found and started, or on the paths of files.
package wireshark

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// A dissection file has four parts. All numbers are little-endian.
//
//	chunks: one for each frame with entries, and further ones for later entries of the frame
//	the index: for each frame, from 1, the offset of its last chunk, or 0 for none
//	the tables, see tables.go
//	the end: offset of the index, number of frames in it, offset of the tables, magic
//
// Offsets are float64, because all versions of Lua have that type. A chunk consists of the offset of the frame's
// previous chunk, the frame's time, the size of the entries, the number of the protocol and the text for the columns,
// and the entries, see entry.go. The first chunk has the offset 8.
const magic = "GAMEDIS3"

// A Writer writes the dissection file of a capture. Its methods must be called in the order in which an engine without
// decode.Options.Parallel reports: the messages that end in a frame come before the next frame.
type Writer struct {
	out        *bufio.Writer
	err        error
	offset     int64
	index      []int64 // offset of the last chunk, by frame
	grown      []int   // frames with new chunks since the last answer, see Answer
	sentPorts  ports   // ports already in answers; nil: the Writer does not answer
	sentFields int     // number of fields already in answers
	protocols  []*wire.Protocol
	numbers    map[*wire.Protocol]int // numbers of protocols, from 1
	kinds      map[*wire.MessageType]int
	rules      []*wire.Rule
	ruleAt     map[*wire.Rule]int
	fields     *fields
	ports      ports

	now     decode.Frame // current frame
	frame   int          // frame of the pending entries
	time    int64        // time of that frame
	pending []byte
	column  int    // protocol for the columns
	info    []byte // text for the columns
	more    int    // number of messages not in info
	tree    *wire.Tree
	data    []byte // data of the current message
	scratch []byte
	summary []byte // summary of the current message
}

// NewWriter returns a Writer for messages of the protocols.
func NewWriter(out io.Writer, protocols []*wire.Protocol) *Writer {
	w := &Writer{
		out: bufio.NewWriterSize(out, 1<<18), protocols: protocols, numbers: make(map[*wire.Protocol]int),
		rules: decode.Rules(), ruleAt: make(map[*wire.Rule]int), fields: newFields(protocols), ports: make(ports),
		kinds: make(map[*wire.MessageType]int),
	}
	for i, p := range protocols {
		w.numbers[p] = i + 1
		w.rules = append(w.rules, p.Rules...)
	}
	for i, r := range w.rules {
		w.ruleAt[r] = i + 1
	}
	w.write([]byte(magic))
	return w
}

// Packet begins a frame.
func (w *Writer) Packet(f *decode.Frame) { w.now = *f }

// Carried handles the packet in the current frame. If the packet belongs to a known conversation, the frame gets a
// chunk even without messages, so other dissectors do not guess its protocol.
func (w *Writer) Carried(p *decode.PacketInfo) {
	if p.Protocol != nil && p.Conversation != decode.NoConversation {
		w.open(w.now.Number, w.now.Time)
	}
}

// Message writes a message and its subject.
func (w *Writer) Message(m *decode.Message, x *filter.Subject) {
	w.open(m.Frame, m.Time)
	w.ports.add(m)
	w.message(m, x)
	w.answered(m, x)
}

// Finding writes a finding that belongs to no message.
func (w *Writer) Finding(f *wire.TrafficFinding) {
	if f.Frame < 1 {
		return
	}
	w.open(f.Frame, f.Time)
	w.trafficFinding(f)
}

func (w *Writer) open(frame int, time int64) {
	if w.frame != frame {
		w.flush()
		w.frame, w.time = frame, time
	}
}

// flush writes the pending entries as a chunk.
func (w *Writer) flush() {
	if w.frame == 0 {
		return
	}
	if n := w.frame + 1 - len(w.index); n > 0 {
		w.index = append(w.index, make([]int64, n)...)
	}
	at := w.offset
	head := appendDouble(w.scratch[:0], float64(w.index[w.frame]))
	head = appendDouble(head, seconds(w.time))
	head = binary.LittleEndian.AppendUint32(head, uint32(len(w.pending)))
	head = append(head, byte(w.column))
	if w.more > 0 {
		w.info = fmt.Appendf(w.info, " ... %d more", w.more)
	}
	head = appendText(head, string(w.info))
	w.write(head)
	w.write(w.pending)
	w.index[w.frame] = at
	if w.sentPorts != nil {
		w.grown = append(w.grown, w.frame)
	}
	w.scratch, w.pending, w.frame = head, w.pending[:0], 0
	w.info, w.column, w.more = w.info[:0], 0, 0
}

// write writes bytes, unless writing has failed before.
func (w *Writer) write(b []byte) {
	w.offset += int64(len(b))
	if w.err == nil {
		_, w.err = w.out.Write(b)
	}
}

// Close writes the index and the tables, and returns the first error.
func (w *Writer) Close() error {
	w.flush()
	index := w.offset
	for chunk := range slices.Chunk(w.index[min(1, len(w.index)):], 1<<10) {
		b := w.scratch[:0]
		for _, offset := range chunk {
			b = appendDouble(b, float64(offset))
		}
		w.write(b)
		w.scratch = b
	}
	tables := w.offset
	w.write(w.tables())
	end := appendDouble(nil, float64(index))
	end = appendDouble(end, float64(max(0, len(w.index)-1)))
	end = appendDouble(end, float64(tables))
	w.write(append(end, magic...))
	if w.err == nil {
		w.err = w.out.Flush()
	}
	return w.err
}

func appendDouble(b []byte, x float64) []byte {
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
}

// appendText appends a text of at most 64 kB, preceded by its length.
func appendText(b []byte, text string) []byte {
	text = text[:min(len(text), math.MaxUint16)]
	return append(binary.LittleEndian.AppendUint16(b, uint16(len(text))), text...)
}
