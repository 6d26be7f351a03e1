//go:build unix

package main

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// inForeground reports whether the terminal obeys the program: what runs in the background is stopped if it changes it.
func inForeground(in *os.File) bool {
	group, err := unix.IoctlGetInt(int(in.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// heed closes the screen before the program dumps itself (SIGQUIT), and sets a flag when the terminal gets another
// size, until release.
func (s *screen) heed() (resized *atomic.Bool, release func()) {
	resized = new(atomic.Bool)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGWINCH, syscall.SIGQUIT)
	go func() {
		for x := range signals {
			if x == syscall.SIGWINCH {
				resized.Store(true)
				continue
			}
			s.close()
			signal.Reset(syscall.SIGQUIT)
			_ = syscall.Kill(os.Getpid(), syscall.SIGQUIT) // nobody forbids that
		}
	}()
	return resized, func() {
		signal.Stop(signals)
		close(signals)
	}
}
