//go:build unix

package session

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// OnStatisticsSignal sets a flag whenever somebody asks for the statistics so far (SIGUSR1), until release.
func OnStatisticsSignal() (asked *atomic.Bool, release func()) {
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

// OwnProcessGroup has a program that is started live on when this one is interrupted at its terminal.
func OwnProcessGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
