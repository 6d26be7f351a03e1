package session

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
)

// Interrupt reports whether a signal or a key asked the program to stop. A second signal ends the program at once. A
// signal within sameRequest of the first is ignored, since timeout(1) signals a program and then its process group.
type Interrupt struct {
	Flag    atomic.Bool   // checked by the loop over packets
	Done    chan struct{} // closed after Flag is set, for goroutines that wait
	signals chan os.Signal
	asked   chan struct{} // gets a value when a key asks the program to stop
}

const sameRequest = 100 * time.Millisecond

// OnInterrupt returns an Interrupt that listens for signals until Release is called.
func OnInterrupt() *Interrupt {
	i := &Interrupt{Done: make(chan struct{}), signals: make(chan os.Signal, 1), asked: make(chan struct{}, 1)}
	signal.Notify(i.signals, endings()...)
	go func() {
		select {
		case _, ok := <-i.signals:
			if !ok {
				return
			}
		case <-i.asked:
		}
		i.Flag.Store(true)
		close(i.Done)
		time.Sleep(sameRequest)
		signal.Reset(os.Interrupt, syscall.SIGTERM) // not SIGHUP: it may come several times when a session closes
	}()
	return i
}

// Ask asks the program to stop, as a signal does.
func (i *Interrupt) Ask() {
	select {
	case i.asked <- struct{}{}:
	default:
	}
}

// endings returns the signals that end the program. It leaves out SIGHUP if nohup(1) has made the program ignore that
// signal.
func endings() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// Release stops listening for signals.
func (i *Interrupt) Release() {
	signal.Stop(i.signals)
	close(i.signals)
}
