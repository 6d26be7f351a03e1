//go:build live && linux

package cli

import (
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	xterm "golang.org/x/term"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// The screen shows loopback traffic. However the screen ends, the terminal is restored, and then the totals are
// printed.
func TestLiveScreenOnLoopback(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("capturing needs root")
	}
	program := build(t)
	for name, end := range map[string]func(near *os.File, p *os.Process){
		"q":       func(near *os.File, _ *os.Process) { _, _ = near.WriteString("q") },
		"Ctrl-C":  func(near *os.File, _ *os.Process) { _, _ = near.WriteString("\x03") },
		"SIGTERM": func(_ *os.File, p *os.Process) { _ = p.Signal(syscall.SIGTERM) },
		"SIGHUP":  func(_ *os.File, p *os.Process) { _ = p.Signal(syscall.SIGHUP) },
	} {
		near, far := clitest.PseudoTerminal(t, 80, 24)
		before, err := xterm.GetState(int(far.Fd()))
		clitest.NoError(t, err)
		c := exec.Command(program, "-i", "lo", "-q", "-f", "udp port 28000", "-Z", "root")
		c.Stdin, c.Stdout, c.Stderr = far, far, far
		c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
		clitest.NoError(t, c.Start())
		clitest.Shows(t, near, term.EnterScreen)
		to, err := net.Dial("udp", "127.0.0.1:28000")
		clitest.NoError(t, err)
		over := make(chan struct{})
		go func() {
			for {
				select {
				case <-over:
					return
				case <-time.After(10 * time.Millisecond):
					_, _ = to.Write([]byte{0x10, 3, 0xff, 0, 0x12, 0x34, 0, 0}) // query for a server list
				}
			}
		}()
		clitest.Shows(t, near, "127.0.0.1:28000")
		clitest.Resize(t, near, 40, 10)
		if p := clitest.Shows(t, near, "q quits"); !strings.Contains(p, term.HomeCursor) {
			t.Errorf("%s: no new page after a resize: %q", name, p)
		}
		end(near, c.Process)
		if after := clitest.Shows(t, near, "captured"); !strings.Contains(after, term.LeaveScreen) || !strings.Contains(after, "MasterQuery") {
			t.Errorf("%s: at the end %q", name, after)
		}
		close(over)
		if err := c.Wait(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if after, err := xterm.GetState(int(far.Fd())); err != nil || *after != *before {
			t.Errorf("%s: the terminal was not restored: %v", name, err)
		}
	}
}

// Ctrl-Z returns the terminal to the shell, and fg restores the screen.
func TestLiveScreenStops(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("capturing needs root")
	}
	near, far := clitest.PseudoTerminal(t, 80, 24)
	c := exec.Command("bash", "--norc", "--noediting", "-i")
	c.Stdin, c.Stdout, c.Stderr = far, far, far
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	c.Env = append(os.Environ(), "PS1=ready: ")
	if err := c.Start(); err != nil {
		t.Skip("there is no bash:", err)
	}
	types := func(text string) {
		if _, err := near.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	types(build(t) + " -i lo -q -f 'udp port 28000' -Z root\n")
	for range 2 {
		clitest.Shows(t, near, "q quits")
		types("\x1a")
		if p := clitest.Shows(t, near, "Stopped"); !strings.Contains(p, term.LeaveScreen) {
			t.Errorf("stopped, the screen is %q", p)
		}
		types("stty -a; echo $((6*7))\n") // output differs from the shell's echo
		if p := clitest.Shows(t, near, "42"); !strings.Contains(p, " icanon") || strings.Contains(p, term.HomeCursor) {
			t.Errorf("the shell has %q", p)
		}
		types("fg\n")
		clitest.Shows(t, near, term.EnterScreen)
	}
	types("q")
	if p := clitest.Shows(t, near, "ready: "); !strings.Contains(p, term.LeaveScreen) || !strings.Contains(p, "captured") {
		t.Errorf("at the end %q", p)
	}
	types("exit\n")
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
}
