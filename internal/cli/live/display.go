package live

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mattn/go-runewidth"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/decode/wire/print"
	"github.com/gamedissect/gamedissect/internal/cli/screen"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/report"
)

// A Display shows people the progress of a capture, as a line or as a screen. If no person watches, it shows only
// errors.
type Display interface {
	update(now time.Time, c decode.Counters, findings func() int64, dropped int64) // shows the counts if an update is due
	say(error)                                                                     // shows an error while packets arrive
	aside(show func())                                                             // calls show to print other text
	End()                                                                          // may be called twice
}

// Display opens the display that --status selects, on standard error. quiet means that no messages are shown. show
// makes the part of a screen below the head.
func (o *Options) Display(std term.Streams, out term.Terminal, textless, quiet bool, show func() *screen.Live,
	stop *session.Interrupt) Display {
	watched := o.Status != "none" && term.Watched(std.Err, out, textless)
	if watched && quiet && o.Status == "auto" {
		if s := openScreen(std, strings.Join(o.Names, ", "), out.Style, stop); s != nil {
			s.summary = show()
			return s
		}
	}
	now := time.Now()
	return &lineDisplay{w: std.Err, watched: watched, begun: now, rates: rates{at: now}}
}

// updateEvery is the time between two updates of a display.
const updateEvery = time.Second

// rates are the packets and bytes per second between two updates.
type rates struct {
	at             time.Time
	before         decode.Counters
	packets, bytes float64
}

// turn computes the rates since the last update.
func (r *rates) turn(c decode.Counters, now time.Time) {
	passed := max(now.Sub(r.at).Seconds(), 0.5)
	r.packets = float64(c.Packets-r.before.Packets) / passed
	r.bytes = float64(c.Bytes-r.before.Bytes) / passed
	r.at, r.before = now, c
}

type lineDisplay struct {
	w           io.Writer
	watched     bool // w is a terminal that shows nothing else
	begun, next time.Time
	rates
	shown bool
}

func (l *lineDisplay) update(now time.Time, c decode.Counters, findings func() int64, dropped int64) {
	if !l.watched || now.Before(l.next) {
		return
	}
	l.turn(c, now)
	fmt.Fprintf(l.w, "\r\x1b[K%s  %s packets (%.0f/s), %s, %s dropped, %s", now.Sub(l.begun).Round(time.Second),
		report.FormatCount(c.Packets), l.packets, report.Plural(c.Messages, "message"), report.FormatCount(dropped),
		report.Plural(findings(), "finding"))
	l.next, l.shown = now.Add(updateEvery), true
}

func (l *lineDisplay) say(err error) { l.aside(func() { term.Complain(l.w, err) }) }

func (l *lineDisplay) aside(show func()) {
	l.End()
	show()
}

// End erases the line.
func (l *lineDisplay) End() {
	if l.shown {
		fmt.Fprint(l.w, "\r\x1b[K")
		l.shown = false
	}
}

// A screenDisplay is a display that fills the terminal, as top(1) does.
type screenDisplay struct {
	*term.Screen
	err         io.Writer // for errors after the screen is closed
	summary     *screen.Live
	rates       rates
	style       print.Style
	title       string
	begun, next time.Time
	changed     *atomic.Bool  // redraw the page before the next update is due
	over        chan struct{} // closed when the display ends
	release     func()
	ended       bool
	kept        []error // errors to repeat after the screen is closed
	notKept     int     // number of errors beyond maxKept
}

const maxKept = 20

// openScreen shows a screen on standard error. It returns nil if that is not possible. Keys that end the run act like
// an interrupt.
func openScreen(std term.Streams, title string, style print.Style, stop *session.Interrupt) *screenDisplay {
	in, ok := std.In.(*os.File)
	out, ok2 := std.Err.(*os.File)
	if !ok || !ok2 || os.Getenv("TERM") == "dumb" || !term.InForeground(in) {
		return nil
	}
	s, err := term.OpenScreen(in, out)
	if err != nil {
		s.Close()
		return nil // the caller shows a line instead
	}
	l := newScreenDisplay(s, out, string(format.AppendPlain(nil, title)), style, time.Now())
	l.changed, l.release = s.OnSignals()
	go term.ReadKeys(in, stop.Ask, s.Stop)
	go func() {
		select {
		case <-stop.Done: // leave the screen at once: ending may take long, and a second signal ends the program
			s.Close()
		case <-l.over:
		}
	}()
	return l
}

func newScreenDisplay(s *term.Screen, err io.Writer, title string, style print.Style, now time.Time) *screenDisplay {
	return &screenDisplay{Screen: s, err: err, rates: rates{at: now}, style: style, title: title, begun: now,
		changed: new(atomic.Bool), over: make(chan struct{}), release: func() {}}
}

func (l *screenDisplay) update(now time.Time, c decode.Counters, findings func() int64, dropped int64) {
	due := !now.Before(l.next)
	if !due && !l.changed.Load() {
		return
	}
	l.changed.Store(false)
	if due {
		l.rates.turn(c, now)
		l.next = now.Add(updateEvery)
	}
	head := l.head(now, c, findings(), dropped)
	l.Draw(func(width, height int) [][]byte {
		lines := fillLines(head, width)
		lines = append(lines, l.summary.Lines(c, l.style, width, height-len(lines))...)
		return lines[:min(len(lines), height)]
	})
}

// fillLines puts as many texts on each line as fit.
func fillLines(texts []string, width int) (lines [][]byte) {
	const gap = "  "
	for _, text := range texts {
		if last := len(lines) - 1; last >= 0 && runewidth.StringWidth(string(lines[last])+gap+text) <= width {
			lines[last] = append(append(lines[last], gap...), text...)
		} else {
			lines = append(lines, []byte(text))
		}
	}
	return lines
}

// head returns the text above the tables.
func (l *screenDisplay) head(now time.Time, c decode.Counters, findings, dropped int64) []string {
	head := []string{
		"gamedissect " + l.title, now.Sub(l.begun).Round(time.Second).String(), report.Plural(c.Packets, "packet"),
		fmt.Sprintf("%.0f/s", l.rates.packets), fmt.Sprintf("%.1f kB/s", l.rates.bytes/1000),
		report.Plural(c.Messages, "message"), report.Plural(findings, "finding"),
		report.FormatCount(dropped) + " dropped", "q quits",
	}
	if n := len(l.kept); n > 0 {
		head = append(head, string(format.AppendPlain(nil, l.kept[n-1].Error())))
	}
	return head
}

// say shows an error on the screen until a newer one comes, and keeps it to print after the screen is closed.
func (l *screenDisplay) say(err error) {
	switch {
	case l.ended:
		term.Complain(l.err, err)
		return
	case len(l.kept) == maxKept:
		l.notKept++
		l.kept = l.kept[:maxKept-1]
	}
	l.kept = append(l.kept, err)
}

func (l *screenDisplay) aside(show func()) { l.Aside(show) }

// End closes the screen and prints the errors that it showed.
func (l *screenDisplay) End() {
	if l.ended {
		return
	}
	l.ended = true
	l.Close()
	l.release()
	close(l.over)
	for _, err := range l.kept {
		term.Complain(l.err, err)
	}
	if l.notKept > 0 {
		term.Complain(l.err, fmt.Errorf("%s", report.Plural(int64(l.notKept), "more error")))
	}
}
