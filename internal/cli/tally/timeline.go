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

// Timeline is the table of -z timeline: a line for each event, in the order of packets. If no messages are shown, it
// writes lines while packets are read. Only the first lines wait until it is clear whether there are several servers,
// unless room is 0. If messages are shown, it keeps as many events as there is room for, and writes them at its place
// among the tables.
type Timeline struct {
	Out     *term.Output
	form    *term.TableForm
	clock   *session.Clock // clock of the run
	times   session.Clock  // own clock: other output has other previous times
	column  int            // width of the time column
	files   *message.FileNames
	waits   bool // keeps events until the end
	held    []wire.Value
	newest  int64 // time of the held events, once lines have been written
	size    int   // bytes of held events, about
	room    int   // limit of size
	begun   bool
	server  netip.AddrPort // server of the first event
	several bool           // there are several servers
	left    int64          // number of events without room
}

// Limits of a timeline.
const (
	WaitingRoom = 64 << 10 // bytes of events that wait until it is clear whether there are several servers
	eventSize   = 200      // bytes, without the texts
	mostAtOnce  = 1000     // events of the same time that are put in order
)

// NewTimeline makes the sink, which may keep about room bytes.
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
		t.held = append(t.held, *v)
		t.size += size
	case t.waits:
		t.begun = true // so all later events are left out too
		t.left++
	case t.room == 0:
		t.begin()
		t.append(t.Out, v)
		t.Out.Packet()
	default:
		t.begin()
		if v.Time > t.newest || len(t.held) == mostAtOnce {
			t.write(t.Out)
			t.newest = v.Time
		}
		t.held = append(t.held, *v)
	}
}

// nameFirst names the server of the lines written before a second server appeared.
func (t *Timeline) nameFirst() {
	if t.begun && !t.waits && t.form.Text() {
		text := "all above is at " + t.server.String()
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

// write writes the held events, ordered by their times: an event such as a timeout is reported only after the next
// packet.
func (t *Timeline) write(out *term.Output) {
	slices.SortStableFunc(t.held, func(a, b wire.Value) int { return cmp.Compare(a.Time, b.Time) })
	times := t.times // a look ahead, so the texts are aligned
	times.Start(t.clock.First)
	for i := range t.held {
		t.column = max(t.column, len(times.Append(nil, t.held[i].Time)))
	}
	for i := range t.held {
		t.append(out, &t.held[i])
		out.Buf = out.Pass(out.Buf)
	}
	t.held = t.held[:0]
}

const (
	widestServer = 21 // 255.255.255.255:65535
	leastEvent   = 30 // least columns for the event: if there are fewer, the server is omitted
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

// print writes the timeline among other tables, and reports whether it has any lines.
func (t *Timeline) print(p *printer) bool {
	if t.begun && !t.waits { // the others are written already
		t.write(t.Out)
		p.some = true
		return true
	}
	if len(t.held) == 0 && p.Form.Text() {
		return false
	}
	some := len(t.held) > 0
	if p.order.Given() {
		p.table(report.Events(t.held, t.clock.First, t.files.Several()))
	} else {
		p.between()
		t.head(p.Out)
		t.write(p.Out)
	}
	if t.left > 0 && p.Form.Text() {
		p.text(fmt.Sprintf("%s more found no room in memory: -q writes them at once, --memory gives more room",
			report.Plural(t.left, "event")))
	}
	return some
}
