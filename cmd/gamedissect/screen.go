package main

import (
	"io"
	"os"
	"sync"

	"golang.org/x/term"
)

// A screen is a terminal that shows pages in place of what was there, which comes back when it is closed: at the end of
// the run, whatever that is, with the first signal, and while the program is stopped. Its methods may be called from
// several goroutines.
type screen struct {
	out    io.Writer
	size   func() (width, height int, err error)
	raw    func() (restore func(), err error) // has keys come one by one, and unseen
	obeyed func() bool                        // by the terminal: nobody else has it

	mutex     sync.Mutex
	restore   func() // nil: it is not shown
	suspended bool
	closed    bool
	page      []byte
}

// What terminals understand since the seventies, and the other screen since xterm.
const (
	enterScreen = "\x1b[?1049h\x1b[?25l" // the other screen, no cursor
	leaveScreen = "\x1b[?25h\x1b[?1049l"
	homeCursor  = "\x1b[H"
	clearLine   = "\x1b[K"
	clearBelow  = "\x1b[J"
)

// openScreen shows a screen. Keys are to be read from in.
func openScreen(in, out *os.File) (*screen, error) {
	s := &screen{
		out:  out,
		size: func() (int, int, error) { return term.GetSize(int(out.Fd())) },
		raw: func() (func(), error) {
			before, err := term.MakeRaw(int(in.Fd()))
			return func() { _ = term.Restore(int(in.Fd()), before) }, err // a terminal that is gone needs none
		},
		obeyed: func() bool { return inForeground(in) },
	}
	return s, s.enter()
}

func (s *screen) enter() (err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.closed || s.suspended || s.restore != nil {
		return nil
	}
	if s.restore, err = s.raw(); err != nil {
		s.restore = nil
		return err
	}
	_, err = io.WriteString(s.out, enterScreen)
	return err
}

func (s *screen) shown() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.restore != nil
}

func (s *screen) leave() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.restore == nil {
		return
	}
	_, _ = io.WriteString(s.out, leaveScreen) // who is gone sees nothing
	s.restore()
	s.restore = nil
}

// close brings back what was there before.
func (s *screen) close() {
	s.leave()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.closed = true
}

// aside brings it back while something is printed there.
func (s *screen) aside(show func()) {
	s.leave()
	show()
	_ = s.enter() // without it there is no more to see than before
}

// suspend brings it back while the program is stopped. The next page is on the screen again.
func (s *screen) suspend(stop func()) {
	s.suspends(true)
	s.leave()
	stop()
	s.suspends(false)
}

func (s *screen) suspends(yes bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.suspended = yes
}

// draw shows a page that is made for its size.
func (s *screen) draw(page func(width, height int) [][]byte) {
	if !s.shown() && s.obeyed() {
		_ = s.enter() // without it there is no more to see than before
	}
	width, height, err := s.size()
	if err != nil || width <= 0 || height <= 0 {
		return
	}
	lines := page(width, height)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.restore == nil {
		return
	}
	b := append(s.page[:0], homeCursor...)
	for i, line := range lines[:min(len(lines), height)] {
		if i > 0 {
			b = append(b, "\r\n"...)
		}
		b = cutLine(b, line, width)
		b = append(b, clearLine...)
	}
	s.page = append(b, clearBelow...)
	_, _ = s.out.Write(s.page) // who is gone sees nothing
}

// readKeys calls end at a q, or at what is an interrupt on a terminal that knows interrupts, and stop at what has the
// shell come back on one that knows that.
func readKeys(in io.Reader, end, stop func()) {
	const interruptKey, stopKey = 'C' & 0x1f, 'Z' & 0x1f
	var keys [64]byte
	for {
		n, err := in.Read(keys[:])
		for _, key := range keys[:n] {
			switch key {
			case 'q', 'Q', interruptKey:
				end()
			case stopKey:
				stop()
			}
		}
		if err != nil {
			return
		}
	}
}
