package term

import (
	"io"
	"os"
	"sync"

	"golang.org/x/term"
)

// A Screen shows pages on a terminal's alternate screen. It restores the normal screen when it is closed, while the
// program is stopped (Ctrl-Z), and during Aside. Its methods may be called from several goroutines.
type Screen struct {
	Out        io.Writer
	Size       func() (width, height int, err error)
	Raw        func() (restore func(), err error) // makes the terminal pass on each key at once, without echo
	Foreground func() bool                        // reports whether the program may use the terminal

	mutex     sync.Mutex
	restore   func() // undoes Raw; nil: the terminal shows its normal screen
	suspended bool
	closed    bool
	page      []byte
}

// Control sequences of ECMA-48 and, for the alternate screen, of xterm.
const (
	EnterScreen = "\x1b[?1049h\x1b[?25l" // alternate screen, no cursor
	LeaveScreen = "\x1b[?25h\x1b[?1049l"
	HomeCursor  = "\x1b[H"
	ClearLine   = "\x1b[K"
	ClearBelow  = "\x1b[J"
)

// OpenScreen enters the alternate screen of the terminal out. The caller reads keys from in.
func OpenScreen(in, out *os.File) (*Screen, error) {
	s := &Screen{
		Out:  out,
		Size: func() (int, int, error) { return term.GetSize(int(out.Fd())) },
		Raw: func() (func(), error) {
			before, err := term.MakeRaw(int(in.Fd()))
			return func() { _ = term.Restore(int(in.Fd()), before) }, err // fails only if the terminal is gone
		},
		Foreground: func() bool { return InForeground(in) },
	}
	return s, s.Enter()
}

// Enter enters the alternate screen, unless the Screen is closed, suspended, or already on it.
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
	_, _ = io.WriteString(s.Out, LeaveScreen) // fails only if the terminal is gone
	s.restore()
	s.restore = nil
}

// Close restores the normal screen permanently.
func (s *Screen) Close() {
	s.leave()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.closed = true
}

// Aside restores the normal screen while show prints on it.
func (s *Screen) Aside(show func()) {
	s.leave()
	show()
	_ = s.Enter() // if it fails, the next Draw tries again
}

// suspend restores the normal screen and calls stop, which returns when the program continues. The next Draw enters the
// alternate screen again.
func (s *Screen) suspend(stop func()) {
	s.setSuspended(true)
	s.leave()
	stop()
	s.setSuspended(false)
}

func (s *Screen) setSuspended(yes bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.suspended = yes
}

// Draw shows a page. The function page makes the lines for the terminal's size.
func (s *Screen) Draw(page func(width, height int) [][]byte) {
	if !s.shown() && s.Foreground() {
		_ = s.Enter() // if it fails, the next Draw tries again
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
	_, _ = s.Out.Write(s.page) // fails only if the terminal is gone
}

// ReadKeys reads keys until in ends. It calls end for q and Ctrl-C, and stop for Ctrl-Z, because a raw terminal passes
// these keys on instead of sending signals.
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
