package live

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/print"
	"github.com/gamedissect/gamedissect/internal/report"
)

// A Screen shows how a capture goes on, as top(1) does for processes. Nil shows nothing.
type Screen struct {
	screen   *term.Screen
	Overview *Overview
	style    print.Style
	Title    string
	Begun    time.Time
	next     time.Time
	Changed  *atomic.Bool  // there is reason for another page
	over     chan struct{} // closed at the end
	release  func()
	said     []error // what people are told again when the screen is gone
	unsaid   int     // what there was no room for
}

// screenEvery is how long a page stays.
const screenEvery = time.Second

// OpenScreen shows a screen on standard error, or returns nil where there can be none. Keys that end the run
// interrupt it.
func OpenScreen(std term.Streams, title string, style print.Style, stop *session.Interrupt) *Screen {
	in, ok := std.In.(*os.File)
	out, ok2 := std.Err.(*os.File)
	if !ok || !ok2 || os.Getenv("TERM") == "dumb" || !term.InForeground(in) {
		return nil
	}
	s, err := term.OpenScreen(in, out)
	if err != nil {
		s.Close()
		return nil // the status line stands in for it
	}
	l := NewScreen(s, string(term.AppendPlain(nil, title)), style, time.Now())
	l.Changed, l.release = s.OnSignals()
	go term.ReadKeys(in, stop.Ask, s.Stop)
	go func() {
		select {
		case <-stop.Done: // what takes long is not to be watched on this screen, nor does a second signal find it
			s.Close()
		case <-l.over:
		}
	}()
	return l
}

func NewScreen(s *term.Screen, title string, style print.Style, now time.Time) *Screen {
	return &Screen{screen: s, Overview: NewOverview(now), style: style, Title: title, Begun: now,
		Changed: new(atomic.Bool), over: make(chan struct{}), release: func() {}}
}

// Update shows the next page when it is time.
func (l *Screen) Update(now time.Time, c decode.Counters, findings func() int64, dropped int64) {
	due := !now.Before(l.next)
	if !due && !l.Changed.Load() {
		return
	}
	l.Changed.Store(false)
	if due {
		l.Overview.Turn(c, now)
		l.next = now.Add(screenEvery)
	}
	head := l.Head(now, c, findings(), dropped)
	l.screen.Draw(func(width, height int) [][]byte { return l.Overview.Page(head, &l.style, now, width, height) })
}

// Head is what stands above the tables.
func (l *Screen) Head(now time.Time, c decode.Counters, findings, dropped int64) []string {
	head := []string{
		"gamedissect " + l.Title, now.Sub(l.Begun).Round(time.Second).String(), report.Plural(c.Packets, "packet"),
		fmt.Sprintf("%.0f/s", l.Overview.Packets), fmt.Sprintf("%.1f kB/s", l.Overview.bytes/1000),
		report.Plural(c.Messages, "message"), report.Plural(l.Overview.Playing(), "player"),
		report.Plural(findings, "finding"),
		report.FormatCount(dropped) + " dropped", "q quits",
	}
	if n := len(l.said); n > 0 {
		head = append(head, string(term.AppendPlain(nil, l.said[n-1].Error())))
	}
	return head
}

// Say keeps what people are told until the screen is gone. The newest stands on it.
func (l *Screen) Say(err error) {
	const most = 20
	if len(l.said) == most {
		l.unsaid++
		l.said = l.said[:most-1]
	}
	l.said = append(l.said, err)
}

// done takes the screen away.
func (l *Screen) done() {
	l.screen.Close()
	l.release()
	close(l.over)
}
