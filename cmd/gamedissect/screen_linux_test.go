package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	xterm "golang.org/x/term"
)

// pseudoTerminal makes a terminal: what is written to one end appears at the other.
func pseudoTerminal(t *testing.T, width, height uint16) (near, far *os.File) {
	t.Helper()
	near, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here:", err)
	}
	t.Cleanup(func() { near.Close() })
	number, err := unix.IoctlGetInt(int(near.Fd()), unix.TIOCGPTN)
	noError(t, err)
	noError(t, unix.IoctlSetPointerInt(int(near.Fd()), unix.TIOCSPTLCK, 0))
	if far, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0); err != nil {
		t.Skip("no pseudo-terminals here:", err)
	}
	t.Cleanup(func() { far.Close() })
	resize(t, near, width, height)
	return near, far
}

func resize(t *testing.T, terminal *os.File, width, height uint16) {
	t.Helper()
	noError(t, unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: height, Col: width}))
}

// shows reads what a terminal shows until a text is among it.
func shows(t *testing.T, terminal *os.File, text string) string {
	t.Helper()
	found := make(chan string, 1)
	go func() {
		var all []byte
		var b [4096]byte
		for !strings.Contains(string(all), text) {
			n, err := terminal.Read(b[:])
			if err != nil {
				break
			}
			all = append(all, b[:n]...)
		}
		found <- string(all)
	}()
	select {
	case all := <-found:
		if !strings.Contains(all, text) {
			t.Fatalf("the terminal shows no %q: %q", text, all)
		}
		return all
	case <-time.After(20 * time.Second):
		t.Fatalf("the terminal shows no %q", text)
	}
	return ""
}

// A terminal is as before when the screen is closed, also by a panic: its mode, its text, its cursor.
func TestScreenRestoresTheTerminal(t *testing.T) {
	near, far := pseudoTerminal(t, 33, 7)
	mode := func() xterm.State {
		state, err := xterm.GetState(int(far.Fd()))
		noError(t, err)
		return *state
	}
	before := mode()
	for _, end := range []func(*screen){
		(*screen).close,
		func(s *screen) { s.close(); s.close() },
		func(s *screen) {
			defer func() { _ = recover() }()
			l := &live{screen: newLiveScreen(s, "", colours, time.Now()), err: far}
			defer l.endScreen()
			panic("broken")
		},
	} {
		s, err := openScreen(far, far)
		noError(t, err)
		if mode() == before {
			t.Error("keys do not come one by one")
		}
		s.draw(func(width, height int) [][]byte { return [][]byte{fmt.Appendf(nil, "%d by %d", width, height)} })
		if got := shows(t, near, clearBelow); got != enterScreen+homeCursor+"33 by 7"+clearLine+clearBelow {
			t.Errorf("shown is %q", got)
		}
		s.aside(func() {
			if mode() != before {
				t.Error("what stands aside is written to a terminal that is not as before")
			}
		})
		shows(t, near, enterScreen)
		if end(s); mode() != before {
			t.Error("the terminal is not as before")
		}
		if got := shows(t, near, leaveScreen); got != leaveScreen {
			t.Errorf("at the end %q", got)
		}
	}
}
