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
// that changes the terminal's settings.
func InForeground(in *os.File) bool {
	group, err := unix.IoctlGetInt(int(in.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// Stop stops the program's process group, as Ctrl-Z does on a normal screen. If no shell could continue the group, the
// system does not stop it.
func (s *Screen) Stop() {
	const delay = 100 * time.Millisecond // until the signal has arrived
	s.suspend(func() {
		_ = syscall.Kill(0, syscall.SIGTSTP) // always permitted
		time.Sleep(delay)
	})
}

// OnSignals closes the screen before SIGQUIT ends the program with a dump, and sets changed when the terminal's size
// changes or the program continues. release stops this.
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
