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

// InForeground reports whether the terminal obeys the program: what runs in the background is stopped if it changes it.
func InForeground(in *os.File) bool {
	group, err := unix.IoctlGetInt(int(in.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// Stop stops the program, and those that were begun together with it, as Ctrl-Z does where no screen is shown. Where no
// shell could have them go on, the system does not stop them.
func (s *Screen) Stop() {
	const late = 100 * time.Millisecond // after it was asked for
	s.suspend(func() {
		_ = syscall.Kill(0, syscall.SIGTSTP) // nobody forbids that
		time.Sleep(late)
	})
}

// OnSignals closes the screen before the program dumps itself (SIGQUIT), and sets a flag when the terminal gets another
// size or the program goes on, until release.
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
			_ = syscall.Kill(os.Getpid(), syscall.SIGQUIT) // nobody forbids that
		}
	}()
	return changed, func() {
		signal.Stop(signals)
		close(signals)
	}
}
