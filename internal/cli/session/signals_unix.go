//go:build unix

package session

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// OnStatisticsSignal sets asked at each SIGUSR1, until release is called. The signal requests the statistics so far.
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

// OwnProcessGroup returns process attributes for a child. Ctrl-C on this program's terminal does not end such a child.
func OwnProcessGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
