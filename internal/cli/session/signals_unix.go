//go:build unix

package session

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// OnStatisticsSignal sets asked at each SIGUSR1, which asks for the statistics so far, until release is called.
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

// OwnProcessGroup returns the attributes of a process that survives a Ctrl-C that ends this one.
func OwnProcessGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
