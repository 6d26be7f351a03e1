package term

import (
	"io"
	"os"
	"sync"

	"golang.org/x/term"
)

// A Screen is a terminal that shows pages in place of what was there, which comes back when it is closed: at the end of
// the run, whatever that is, with the first signal, and while the program is stopped. Its methods may be called from
// several goroutines.
type Screen struct {
	Out        io.Writer
	Size       func() (width, height int, err error)
	Raw        func() (restore func(), err error) // has keys come one by one, and unseen
	Foreground func() bool                        // by the terminal: nobody else has it

	mutex     sync.Mutex
	restore   func() // nil: it is not shown
	suspended bool
	closed    bool
	page      []byte
}

// What terminals understand since the seventies, and the other screen since xterm.
const (
	EnterScreen = "\x1b[?1049h\x1b[?25l" // the other screen, no cursor
	LeaveScreen = "\x1b[?25h\x1b[?1049l"
	HomeCursor  = "\x1b[H"
	ClearLine   = "\x1b[K"
	ClearBelow  = "\x1b[J"
)

// OpenScreen shows a screen. Keys are to be read from in.
func OpenScreen(in, out *os.File) (*Screen, error) {
	s := &Screen{
		Out:  out,
		Size: func() (int, int, error) { return term.GetSize(int(out.Fd())) },
		Raw: func() (func(), error) {
			before, err := term.MakeRaw(int(in.Fd()))
			return func() { _ = term.Restore(int(in.Fd()), before) }, err // a terminal that is gone needs none
		},
		Foreground: func() bool { return InForeground(in) },
	}
	return s, s.Enter()
}

func (s *Screen) Enter() (err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.closed || s.suspended || s.restore != nil {
		return nil
	}
	if s.restore, err = s.Raw(); err != nil {
		s.restore = nil
		return err
	}
	_, err = io.WriteString(s.Out, EnterScreen)
	return err
}

func (s *Screen) shown() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.restore != nil
}

func (s *Screen) leave() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.restore == nil {
		return
	}
	_, _ = io.WriteString(s.Out, LeaveScreen) // who is gone sees nothing
	s.restore()
	s.restore = nil
}

// Close brings back what was there before.
func (s *Screen) Close() {
	s.leave()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.closed = true
}

// Aside brings it back while something is printed there.
func (s *Screen) Aside(show func()) {
	s.leave()
	show()
	_ = s.Enter() // without it there is no more to see than before
}

// suspend brings it back while the program is stopped. The next page is on the screen again.
func (s *Screen) suspend(stop func()) {
	s.suspends(true)
	s.leave()
	stop()
	s.suspends(false)
}

func (s *Screen) suspends(yes bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.suspended = yes
}

// Draw shows a page that is made for its size.
func (s *Screen) Draw(page func(width, height int) [][]byte) {
	if !s.shown() && s.Foreground() {
		_ = s.Enter() // without it there is no more to see than before
	}
	width, height, err := s.Size()
	if err != nil || width <= 0 || height <= 0 {
		return
	}
	lines := page(width, height)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.restore == nil {
		return
	}
	b := append(s.page[:0], HomeCursor...)
	for i, line := range lines[:min(len(lines), height)] {
		if i > 0 {
			b = append(b, "\r\n"...)
		}
		b = CutLine(b, line, width)
		b = append(b, ClearLine...)
	}
	s.page = append(b, ClearBelow...)
	_, _ = s.Out.Write(s.page) // who is gone sees nothing
}

// ReadKeys calls end at a q, or at what is an interrupt on a terminal that knows interrupts, and stop at what has the
// shell come back on one that knows that.
func ReadKeys(in io.Reader, end, stop func()) {
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
