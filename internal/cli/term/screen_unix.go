//go:build unix

package term

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// InForeground reports whether the program is in the foreground of its terminal. The system stops a background program
// if it changes the terminal's settings.
func InForeground(in *os.File) bool {
	group, err := unix.IoctlGetInt(int(in.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// Stop stops the program's process group, as Ctrl-Z does on a normal screen. The system ignores the signal if no shell
// could continue the group.
func (s *Screen) Stop() {
	const delay = 100 * time.Millisecond // time for the signal to arrive
	s.suspend(func() {
		_ = syscall.Kill(0, syscall.SIGTSTP) // always permitted
		time.Sleep(delay)
	})
}

// OnSignals closes the screen before SIGQUIT ends the program with a stack dump. It sets changed when the terminal's
// size changes or the program continues after a stop. release ends all of this.
func (s *Screen) OnSignals() (changed *atomic.Bool, release func()) {
	changed = new(atomic.Bool)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGWINCH, syscall.SIGCONT, syscall.SIGQUIT)
	go func() {
		for x := range signals {
			if x != syscall.SIGQUIT {
				changed.Store(true)
				continue
			}
			s.Close()
			signal.Reset(syscall.SIGQUIT)
			_ = syscall.Kill(os.Getpid(), syscall.SIGQUIT) // always permitted
		}
	}()
	return changed, func() {
		signal.Stop(signals)
		close(signals)
	}
}
