package wireshark

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"
	"unicode/utf8"
)

// A dissection is the content of a dissection file. The test reads the file as the script does.
type dissection struct {
	protocols, fields, rules, ports int
	kinds                           []string // index 0 means none
	frames                          []readFrame
}

// A readFrame is the content of a frame.
type readFrame struct {
	times    []float64 // times of its chunks
	messages []readMessage
	findings int // findings that belong to no message
}

// A readMessage is the content of an entry about a message.
type readMessage struct {
	protocol int
	label    string
	offset   uint32 // offset in the frame, or outsideFrame
	size     uint32
	data     string // only for outsideFrame
	findings int
}

// A fileReader reads a part of a dissection file. If bytes are missing, the test fails.
type fileReader struct {
	t    testing.TB
	b    []byte
	at   int
	ends map[int]int // ends of the groups in an entry, by depth
}

func (r *fileReader) take(n int) []byte {
	r.t.Helper()
	if n < 0 || r.at < 0 || n > len(r.b)-r.at {
		r.t.Fatalf("%d bytes are needed at offset %d of %d", n, r.at, len(r.b))
	}
	r.at += n
	return r.b[r.at-n : r.at]
}

func (r *fileReader) byte() int    { return int(r.take(1)[0]) }
func (r *fileReader) short() int   { return int(binary.LittleEndian.Uint16(r.take(2))) }
func (r *fileReader) long() uint32 { return binary.LittleEndian.Uint32(r.take(4)) }
func (r *fileReader) double() float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(r.take(8)))
}
func (r *fileReader) offset() int  { return int(r.double()) }
func (r *fileReader) name() string { return string(r.take(r.short())) }

// text reads a text. Like Wireshark, it stops at the first zero byte and at invalid UTF-8.
func (r *fileReader) text() {
	text := string(r.take(int(r.long())))
	if !utf8.ValidString(text) || strings.Contains(text, "\x00") {
		r.t.Fatalf("Wireshark does not accept the text %q", text)
	}
}

// number checks a number that refers to one of count things. The first thing has the number 1, and 0 means none.
func (r *fileReader) number(n, count int) int {
	if n > count {
		r.t.Fatalf("number %d of %d before %d", n, count, r.at)
	}
	return n
}

// readDissection reads a file to its end.
func readDissection(t testing.TB, file []byte) *dissection {
	t.Helper()
	end := len(file) - 3*8 - len(magic)
	if end < len(magic) || string(file[:len(magic)]) != magic {
		t.Fatalf("%d bytes are not a dissection file", len(file))
	}
	r := fileReader{t, file, end, nil}
	index, frames, tables := r.offset(), r.offset(), r.offset()
	if got := string(r.take(len(magic))); got != magic {
		t.Fatalf("the file ends in %q", got)
	}
	if index < len(magic) || frames < 0 || tables != index+8*frames || tables > end {
		t.Fatalf("index at %d for %d frames, tables at %d; the file has %d bytes", index, frames, tables, len(file))
	}
	d := new(dissection)
	d.readTables(&fileReader{t, file[:end], tables, nil})
	d.readFrames(t, file[:index], file[index:tables])
	return d
}

func (d *dissection) readTables(r *fileReader) {
	d.protocols = r.short()
	for range d.protocols {
		r.name()
		r.name()
	}
	d.fields, d.kinds = r.short(), []string{""}
	for range d.fields {
		r.number(r.short(), d.protocols)
		r.name()
		r.name() // label
		d.kinds = append(d.kinds, r.name())
		r.name()      // description
		for range 4 { // the field without the message's name, and parts
			r.number(r.short(), d.fields)
		}
		for range r.short() {
			r.long()
			r.name()
		}
	}
	d.rules = r.short()
	for range d.rules {
		if severity := r.byte(); severity > 2 {
			r.t.Fatalf("severity %d", severity)
		}
		r.name()
		r.name()
	}
	d.ports = r.short()
	for range d.ports {
		if list := r.name(); list != "udp.port" && list != "tcp.port" {
			r.t.Fatalf("ports of %q", list)
		}
		r.short()
	}
	if r.at != len(r.b) {
		r.t.Fatalf("the tables end at %d, but the next part begins at %d", r.at, len(r.b))
	}
}

// readFrames reads the chunks of all frames. Each chunk must belong to exactly one frame, and there must be no bytes
// between chunks.
func (d *dissection) readFrames(t testing.TB, chunks, index []byte) {
	t.Helper()
	d.frames = make([]readFrame, len(index)/8)
	read := len(magic)
	for i := range d.frames {
		at := (&fileReader{t, index, 8 * i, nil}).offset()
		var list []int // newest first
		for at != 0 {
			if at < len(magic) || len(list) > 0 && at >= list[len(list)-1] {
				t.Fatalf("frame %d has chunks at %d, and an earlier one at %d", i+1, list, at)
			}
			list = append(list, at)
			at = (&fileReader{t, chunks, at, nil}).offset()
		}
		for j := range list {
			read += d.readChunk(&d.frames[i], &fileReader{t, chunks, list[len(list)-1-j], nil})
		}
	}
	if read != len(chunks) {
		t.Fatalf("the chunks of all frames have %d bytes, but before the index there are %d", read, len(chunks))
	}
}

func (d *dissection) readChunk(to *readFrame, r *fileReader) (size int) {
	from := r.at
	r.offset() // offset of the previous chunk
	to.times = append(to.times, r.double())
	entries := int(r.long())
	r.number(r.byte(), d.protocols)
	r.name() // text for the columns
	if entries > len(r.b)-r.at {
		r.t.Fatalf("entries of %d bytes at %d of %d", entries, r.at, len(r.b))
	}
	r.b = r.b[:r.at+entries]
	for r.at < len(r.b) {
		d.readEntry(to, r)
	}
	return r.at - from
}

func (d *dissection) readEntry(to *readFrame, r *fileReader) {
	kind, protocol := r.byte(), r.number(r.byte(), d.protocols)
	r.number(r.short(), d.protocols)
	size := int(r.long())
	e := &fileReader{r.t, r.take(size), 0, make(map[int]int)}
	switch kind {
	case entryMessage:
		m := readMessage{protocol: protocol, findings: e.byte(), label: e.name(), offset: e.long(), size: e.long()}
		if m.offset == outsideFrame {
			m.data = string(e.take(int(m.size)))
		}
		to.messages = append(to.messages, m)
	case entryFinding:
		to.findings++
	case entryAnswer:
	default:
		r.t.Fatalf("entry of kind %d", kind)
	}
	depth := 0
	for e.at < len(e.b) {
		depth += d.readItem(e, depth)
		if depth < 0 {
			r.t.Fatalf("more ends than groups in the entry that ends at %d", r.at)
		}
	}
	if depth != 0 {
		r.t.Fatalf("%d groups have no end in the entry that ends at %d", depth, r.at)
	}
}

// accepted lists, by an item's form, the kinds of fields for which the script accepts the item. A text field accepts
// all items.
var accepted = [...]string{
	itemGroup: "NONE STRING", itemElement: "", itemList: "UINT32",
	itemUnsigned: "UINT8 UINT16 UINT32 UINT64 INT8 INT16 INT32 INT64 FLOAT DOUBLE STRING request response",
	itemSigned:   "INT8 INT16 INT32 INT64 DOUBLE STRING",
	itemWide:     "UINT64 INT64 DOUBLE STRING",
	itemWideInt:  "INT64 DOUBLE STRING",
	itemFloat:    "FLOAT DOUBLE STRING", itemDouble: "DOUBLE STRING",
	itemVector: "NONE STRING", itemText: "STRING IPv4", itemBytes: "BYTES STRING", itemRange: "BYTES IPv4 STRING",
	itemTrue: "BOOLEAN DOUBLE STRING", itemFalse: "BOOLEAN DOUBLE STRING", itemPresence: "NONE STRING",
	itemBits: "UINT8 UINT16 UINT32 UINT64 STRING", itemOmission: "", itemGeneral: "",
}

// readItem reads an item. It returns 1 if the item opens a group, -1 if it ends a group, and otherwise 0.
func (d *dissection) readItem(r *fileReader, depth int) (deeper int) {
	marked := r.byte()
	if marked == itemEnd {
		if want := r.ends[depth]; r.at != want {
			r.t.Fatalf("a group ends at %d of the entry, but its size says %d", r.at, want)
		}
		return -1
	}
	form, number := marked%markHidden, r.short()
	r.take(4) // offset and size
	size := int(r.long())
	if form <= itemList {
		rest := int(r.long())
		r.ends[depth+1] = r.at + rest
	}
	if form == itemFinding {
		if r.number(number, d.rules) == 0 {
			r.t.Fatal("a finding without a rule")
		}
	} else if kind := d.kinds[r.number(number, d.fields)]; kind != "" && !strings.Contains(accepted[form], kind) {
		r.t.Fatalf("an item of form %d in a field of kind %s", form, kind)
	}
	switch form {
	case itemGroup:
		r.name()
		return 1
	case itemElement, itemList:
		r.long()
		r.name()
		return 1
	case itemUnsigned, itemSigned, itemFloat, itemOmission:
		r.long()
	case itemWide, itemWideInt, itemDouble:
		r.take(8)
	case itemVector:
		r.take(12)
	case itemText, itemFinding:
		r.text()
	case itemBytes:
		r.take(int(r.long()))
	case itemRange, itemTrue, itemFalse, itemPresence:
	case itemGeneral:
		for end := r.at + size; r.at < end; {
			if r.b[r.at]&markHidden == 0 || d.readItem(r, depth) != 0 || r.at > end {
				r.t.Fatalf("the items for fields of all messages are wrong before %d", r.at)
			}
		}
	case itemBits:
		r.long()
		for range r.byte() {
			r.text()
		}
	default:
		r.t.Fatalf("item of form %d before %d", form, r.at)
	}
	if marked&markMeaning != 0 {
		r.text()
	}
	return 0
}
