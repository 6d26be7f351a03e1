//go:build unix

package main

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// onAsked sets a flag whenever somebody asks for the statistics so far (SIGUSR1), until release.
func onAsked() (asked *atomic.Bool, release func()) {
	asked = new(atomic.Bool)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR1)
	go func() {
		for range signals {
			asked.Store(true)
		}
	}()
	return asked, func() {
		signal.Stop(signals)
		close(signals)
	}
}

// ofItsOwn has a program that is started live on when this one is interrupted at its terminal.
func ofItsOwn() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
