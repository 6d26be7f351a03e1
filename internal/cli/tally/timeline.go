package tally

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/cli/message"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/report"
)

// Timeline is the table of -z timeline. It has a line for each event, in the order of packets.
//
// If no messages are shown, it writes lines while packets are read. It first keeps events, up to room, to find out
// whether there are several servers. If room is 0, it writes each event at once.
//
// If messages are shown, it keeps as many events as fit in room, and writes them after the messages.
type Timeline struct {
	Out     *term.Output
	form    *term.TableForm
	clock   *session.Clock // clock of the run
	times   session.Clock  // a separate clock, because the previous time of other output differs
	column  int            // width of the time column
	files   *message.FileNames
	waits   bool // keep events until the end
	kept    []wire.Value
	newest  int64 // time of the kept events, once lines have been written
	size    int   // approximate bytes of the kept events
	room    int   // maximum size
	begun   bool
	server  netip.AddrPort // server of the first event
	several bool           // there is more than one server
	left    int64          // number of events left out for lack of room
}

// Limits of a timeline.
const (
	WaitingRoom = 64 << 10 // bytes of events kept until the number of servers is known
	eventSize   = 200      // bytes, without the texts
	mostAtOnce  = 1000     // maximum events with the same time that are sorted
)

// NewTimeline returns the sink. It may keep about room bytes.
func NewTimeline(out *term.Output, form *term.TableForm, c *session.Clock, files *message.FileNames, waits bool,
	room int) *Timeline {
	return &Timeline{Out: out, form: form, clock: c, times: session.Clock{Form: c.Form, Short: true},
		column: message.NarrowTimeWidth,
		files:  files, waits: waits, room: room}
}

// Event prints an event, or keeps it until the tables are printed.
func (t *Timeline) Event(v *wire.Value) {
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
		t.kept = append(t.kept, *v)
		t.size += size
	case t.waits:
		t.begun = true // leave out all later events too
		t.left++
	case t.room == 0:
		t.begin()
		t.append(t.Out, v)
		t.Out.Packet()
	default:
		t.begin()
		if v.Time > t.newest || len(t.kept) == mostAtOnce {
			t.write(t.Out)
			t.newest = v.Time
		}
		t.kept = append(t.kept, *v)
	}
}

// nameFirst writes the name of the first server, if lines were written before a second server appeared.
func (t *Timeline) nameFirst() {
	if t.begun && !t.waits && t.form.Text() {
		text := "all lines above are about " + t.server.String()
		t.Out.Buf = append(term.AppendFitting(t.Out.Buf, []byte(text), 0, 0, t.form.Width), '\n')
	}
}

func (t *Timeline) begin() {
	if t.begun {
		return
	}
	t.begun = true
	t.head(t.Out)
	t.write(t.Out)
}

func (t *Timeline) head(out *term.Output) {
	if !t.form.Text() {
		out.Buf = t.form.AppendHeading(out.Buf, report.Events(nil, 0, false))
	}
}

// write writes the kept events in the order of their times. The order may differ from the order of reports, because an
// event such as a timeout is reported only after the next packet.
func (t *Timeline) write(out *term.Output) {
	slices.SortStableFunc(t.kept, func(a, b wire.Value) int { return cmp.Compare(a.Time, b.Time) })
	times := t.times // a copy to find the width of all times first
	times.Start(t.clock.First)
	for i := range t.kept {
		t.column = max(t.column, len(times.Append(nil, t.kept[i].Time)))
	}
	for i := range t.kept {
		t.append(out, &t.kept[i])
		out.Buf = out.Pass(out.Buf)
	}
	t.kept = t.kept[:0]
}

const (
	widestServer = 21 // an address such as 255.255.255.255:65535
	leastEvent   = 30 // minimum columns for the event; on narrower lines the server is omitted
)

func (t *Timeline) append(out *term.Output, v *wire.Value) {
	if !t.form.Text() {
		row := report.Events([]wire.Value{*v}, t.clock.First, t.files.Several())
		out.Buf = t.form.AppendRow(out.Buf, row, row.Rows[0])
		return
	}
	b := out.Buf
	start := len(b)
	t.times.Start(t.clock.First)
	b = t.times.Append(b, v.Time)
	b = append(term.AlignRight(b, start, message.Grow(&t.column, len(b)-start, len(b)-start)), term.ColumnGap...)
	text := strings.TrimRight(format.Unquoted(v.Text), " ")
	if t.several && (t.form.Width == 0 || t.form.Width-len(b)+start >= widestServer+len(term.ColumnGap)+leastEvent) {
		server := ""
		if v.Server.IsValid() {
			server = v.Server.String()
		}
		text = strings.TrimPrefix(text, server+" ")
		b = term.AppendBlanks(append(b, server...), max(widestServer-len(server), 0)+len(term.ColumnGap))
	}
	indent := min(len(b)-start, t.form.Width/2)
	b = term.AppendFitting(b, []byte(text), len(b)-start, indent, t.form.Width)
	out.Buf = append(b, '\n')
}

// print writes the timeline as one of several tables. It reports whether the timeline has lines.
func (t *Timeline) print(p *printer) bool {
	if t.begun && !t.waits { // earlier lines are already written
		t.write(t.Out)
		p.some = true
		return true
	}
	if len(t.kept) == 0 && p.Form.Text() {
		return false
	}
	some := len(t.kept) > 0
	if p.order.Given() {
		p.table(report.Events(t.kept, t.clock.First, t.files.Several()))
	} else {
		p.between()
		t.head(p.Out)
		t.write(p.Out)
	}
	if t.left > 0 && p.Form.Text() {
		p.text(fmt.Sprintf("%s did not fit in memory: use -q to write events at once, or a larger --memory",
			report.Plural(t.left, "more event")))
	}
	return some
}
