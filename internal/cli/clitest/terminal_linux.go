package clitest

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// PseudoTerminal opens a pseudo-terminal. What is written to one end can be read from the other.
func PseudoTerminal(t *testing.T, width, height uint16) (near, far *os.File) {
	t.Helper()
	near, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here:", err)
	}
	t.Cleanup(func() { _ = near.Close() })
	number, err := unix.IoctlGetInt(int(near.Fd()), unix.TIOCGPTN)
	NoError(t, err)
	NoError(t, unix.IoctlSetPointerInt(int(near.Fd()), unix.TIOCSPTLCK, 0))
	if far, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0); err != nil {
		t.Skip("no pseudo-terminals here:", err)
	}
	t.Cleanup(func() { _ = far.Close() })
	Resize(t, near, width, height)
	return near, far
}

// Resize sets the size of a terminal, in columns and lines.
func Resize(t *testing.T, terminal *os.File, width, height uint16) {
	t.Helper()
	NoError(t, unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: height, Col: width}))
}

// Shows reads the output of a terminal until it contains text.
func Shows(t *testing.T, terminal *os.File, text string) string {
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
