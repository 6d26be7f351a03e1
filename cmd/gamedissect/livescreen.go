package main

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/internal/print"
)

// A liveScreen shows how a capture goes on, as top(1) does for processes. Nil shows nothing.
type liveScreen struct {
	screen   *screen
	overview *overview
	style    print.Style
	title    string
	begun    time.Time
	next     time.Time
	changed  *atomic.Bool  // there is reason for another page
	over     chan struct{} // closed at the end
	release  func()
	said     []error // what people are told again when the screen is gone
	unsaid   int     // what there was no room for
}

// screenEvery is how long a page stays.
const screenEvery = time.Second

// openLiveScreen shows a screen on standard error, or returns nil where there can be none. Keys that end the run
// interrupt it.
func openLiveScreen(std streams, title string, style print.Style, stop *interrupt) *liveScreen {
	in, ok := std.in.(*os.File)
	out, ok2 := std.err.(*os.File)
	if !ok || !ok2 || os.Getenv("TERM") == "dumb" || !inForeground(in) {
		return nil
	}
	s, err := openScreen(in, out)
	if err != nil {
		s.close()
		return nil // the status line stands in for it
	}
	l := newLiveScreen(s, string(appendPlain(nil, title)), style, time.Now())
	l.changed, l.release = s.heed()
	go readKeys(in, stop.ask, s.stop)
	go func() {
		select {
		case <-stop.done: // what takes long is not to be watched on this screen, nor does a second signal find it
			s.close()
		case <-l.over:
		}
	}()
	return l
}

func newLiveScreen(s *screen, title string, style print.Style, now time.Time) *liveScreen {
	return &liveScreen{screen: s, overview: newOverview(now), style: style, title: title, begun: now,
		changed: new(atomic.Bool), over: make(chan struct{}), release: func() {}}
}

// update shows the next page when it is time.
func (l *liveScreen) update(now time.Time, c decode.Counters, findings func() int64, dropped int64) {
	due := !now.Before(l.next)
	if !due && !l.changed.Load() {
		return
	}
	l.changed.Store(false)
	if due {
		l.overview.turn(c, now)
		l.next = now.Add(screenEvery)
	}
	head := l.head(now, c, findings(), dropped)
	l.screen.draw(func(width, height int) [][]byte { return l.overview.page(head, &l.style, now, width, height) })
}

// head is what stands above the tables.
func (l *liveScreen) head(now time.Time, c decode.Counters, findings, dropped int64) []string {
	head := []string{
		"gamedissect " + l.title, now.Sub(l.begun).Round(time.Second).String(), counted(c.Packets, "packet"),
		fmt.Sprintf("%.0f/s", l.overview.packets), fmt.Sprintf("%.1f kB/s", l.overview.bytes/1000),
		counted(c.Messages, "message"), counted(l.overview.playing(), "player"), counted(findings, "finding"),
		thousands(dropped) + " dropped", "q quits",
	}
	if n := len(l.said); n > 0 {
		head = append(head, string(appendPlain(nil, l.said[n-1].Error())))
	}
	return head
}

// say keeps what people are told until the screen is gone. The newest stands on it.
func (l *liveScreen) say(err error) {
	const most = 20
	if len(l.said) == most {
		l.unsaid++
		l.said = l.said[:most-1]
	}
	l.said = append(l.said, err)
}

// done takes the screen away.
func (l *liveScreen) done() {
	l.screen.close()
	l.release()
	close(l.over)
}
