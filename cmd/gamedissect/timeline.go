package main

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// timeline is the sink of -z timeline: a line for each event, in the order of packets. Where no messages are shown it
// writes while packets are read, but for the first lines: it waits to see whether there are several servers, unless
// somebody watches. Elsewhere it keeps what finds room, and writes at its place among the tables.
type timeline struct {
	out     *output
	form    *tableForm
	clock   *clock // of the run
	times   clock  // its own: what is shown besides has other times before
	column  int    // width of the times
	files   *fileNames
	waits   bool // keeps events until the end
	held    []wire.Value
	size    int // bytes of these, about
	room    int // for them
	begun   bool
	server  netip.AddrPort // of the first event
	several bool           // servers
	left    int64          // events that found no room
}

const (
	waitingRoom = 64 << 10 // bytes of events that are held back to see whether there are several servers
	eventSize   = 200      // bytes, without the texts
)

// newTimeline makes the sink, which may keep so many bytes.
func newTimeline(out *output, form *tableForm, c *clock, files *fileNames, waits bool, room int) *timeline {
	return &timeline{out: out, form: form, clock: c, times: clock{form: c.form, short: true}, column: narrowestNarrow.time,
		files: files, waits: waits, room: room}
}

func (*timeline) message(*decode.Message)      {}
func (*timeline) finding(*wire.TrafficFinding) {}

func (t *timeline) event(v *wire.Value) {
	if !t.server.IsValid() {
		t.server = v.Server
	}
	if !t.several && v.Server != t.server {
		t.several = true
		t.nameFirst()
	}
	size := eventSize + len(v.Who) + len(v.Whom) + len(v.Text)
	fits := !t.begun && t.size+size <= t.room
	switch {
	case fits:
		t.held = append(t.held, *v)
		t.size += size
	case t.waits:
		t.begun = true // so that what is left out is all that comes later
		t.left++
	default:
		t.begin()
		t.append(t.out, v)
		t.out.packet()
	}
}

// nameFirst names the server of what was written before there was a second one.
func (t *timeline) nameFirst() {
	if t.begun && !t.waits && t.form.text() {
		text := "all above is at " + t.server.String()
		t.out.buf = append(appendFitting(t.out.buf, []byte(text), 0, 0, t.form.width), '\n')
	}
}

// begin writes what was held back.
func (t *timeline) begin() {
	if t.begun {
		return
	}
	t.begun = true
	t.write(t.out)
	t.held = nil
}

// write writes what is held.
func (t *timeline) write(out *output) {
	if !t.form.text() && t.form.name != "json" {
		out.buf = t.form.separated.appendHeading(out.buf, t.row(nil))
	}
	times := t.times // a look ahead, so that the texts stand below each other
	times.start(t.clock.first)
	for i := range t.held {
		t.column = max(t.column, len(times.append(nil, t.held[i].Time)))
	}
	for i := range t.held {
		t.append(out, &t.held[i])
		out.buf = out.pass(out.buf)
	}
}

const (
	widestServer = 21 // 255.255.255.255:65535
	leastEvent   = 30 // columns of a line for what happened: before there are less, no server is named
)

// append writes an event.
func (t *timeline) append(out *output, v *wire.Value) {
	switch t.form.name {
	case "text":
		b := out.buf
		start := len(b)
		t.times.start(t.clock.first)
		b = t.times.append(b, v.Time)
		b = append(alignRight(b, start, grow(&t.column, len(b)-start, len(b)-start)), columnGap...)
		text := strings.TrimRight(escaped(v.Text), " ")
		if t.several && (t.form.width == 0 || t.form.width-len(b)+start >= widestServer+len(columnGap)+leastEvent) {
			server := serverCell(v.Server).text
			text = strings.TrimPrefix(text, server+" ")
			b = appendBlanks(append(b, server...), max(widestServer-len(server), 0)+len(columnGap))
		}
		indent := min(len(b)-start, t.form.width/2)
		b = appendFitting(b, []byte(text), len(b)-start, indent, t.form.width)
		out.buf = append(b, '\n')
	case "json":
		row := t.row(v)
		out.buf = row.appendJSON(out.buf, row.rows[0])
	default:
		row := t.row(v)
		out.buf = t.form.separated.appendRow(out.buf, row, row.rows[0])
	}
}

// row is an event as a table for programs; without an event it has no row.
func (t *timeline) row(v *wire.Value) *table {
	show := &table{name: timelineName, columns: textColumns("time", "seconds", "frame", "file", "protocol", "server",
		"event", "who", "whom", "text")}
	if v == nil {
		return show
	}
	protocol, file := none, none
	if v.Protocol != nil {
		protocol = wordCell(v.Protocol.Name)
	}
	if t.files.several() {
		file = fileCell(v.File)
	}
	show.rows = [][]cell{{{value: moment(v.Time)}, secondsCell(v.Time - t.clock.first), numberCell(int64(v.Frame)), file,
		protocol, serverCell(v.Server), wordCell(v.What), textCell(v.Who), textCell(v.Whom), textCell(v.Text)}}
	return show
}

// print writes it among other tables, and reports whether there is anything in it.
func (t *timeline) print(p *printer) bool {
	if t.begun && !t.waits { // it stands there already
		p.some = true
		return true
	}
	if len(t.held) == 0 && p.form.text() {
		return false
	}
	p.between()
	t.write(p.out)
	if t.left > 0 && p.form.text() {
		p.text(fmt.Sprintf("%s more found no room in memory: -q writes them at once, --memory gives more room",
			counted(t.left, "event")))
	}
	return len(t.held) > 0
}
