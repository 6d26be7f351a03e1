package session

import (
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
)

// Interrupt reports whether the user, or the system, wants the program to stop. A second signal
// ends it at once, unless it is the same wish: timeout(1) signals a program and then its group.
type Interrupt struct {
	Flag    atomic.Bool   // for the loop over packets
	Done    chan struct{} // for those who wait; closed when flag is set
	signals chan os.Signal
	asked   chan struct{} // by a key
}

// sameWish is how long after a signal another one means the same.
const sameWish = 100 * time.Millisecond

// OnInterrupt begins to listen; release ends it.
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
		time.Sleep(sameWish)
		signal.Reset(os.Interrupt, syscall.SIGTERM) // who hangs up does so several times, and in no hurry
	}()
	return i
}

// Ask has the program stop as a signal does.
func (i *Interrupt) Ask() {
	select {
	case i.asked <- struct{}{}:
	default:
	}
}

// endings are the signals that end the program. That the session is closed is one of them, unless nohup(1) has it
// ignored.
func endings() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

func (i *Interrupt) Release() {
	signal.Stop(i.signals)
	close(i.signals)
}

// stoppable is an input that may keep its reader waiting, such as a pipe. It ends at an
// interrupt.
type stoppable struct {
	in   io.Reader
	stop *Interrupt
	read chan []byte // what the goroutine has read
	want chan struct{}
	rest []byte
	err  error // of the goroutine; valid once read is closed
}

const stoppableSize = 64 << 10

func newStoppable(in io.Reader, stop *Interrupt) *stoppable {
	s := &stoppable{in: in, stop: stop, read: make(chan []byte), want: make(chan struct{})}
	go s.loop()
	return s
}

// loop reads into one buffer, which is free again when more is wanted. After an interrupt
// it may stay in its last Read until the program ends.
func (s *stoppable) loop() {
	defer close(s.read)
	buf := make([]byte, stoppableSize)
	for s.err == nil {
		var n int
		if n, s.err = s.in.Read(buf); n > 0 {
			select {
			case s.read <- buf[:n]:
			case <-s.stop.Done:
				return
			}
			select {
			case <-s.want:
			case <-s.stop.Done:
				return
			}
		}
	}
}

// Read implements io.Reader.
func (s *stoppable) Read(p []byte) (int, error) {
	if len(s.rest) == 0 {
		select {
		case b, ok := <-s.read:
			if !ok {
				return 0, s.err
			}
			s.rest = b
		case <-s.stop.Done:
			return 0, io.EOF
		}
	}
	n := copy(p, s.rest)
	if s.rest = s.rest[n:]; len(s.rest) == 0 {
		select {
		case s.want <- struct{}{}:
		case <-s.stop.Done:
		}
	}
	return n, nil
}

// awaited is a pipe or a device, which is opened when it is first read: opening may wait, too. It stays open
// as long as the program lives, as who reads it may.
type awaited struct {
	name string
	file *os.File
}

// Read implements io.Reader.
func (a *awaited) Read(p []byte) (n int, err error) {
	if a.file == nil {
		if a.file, err = os.Open(a.name); err != nil {
			return 0, err
		}
	}
	return a.file.Read(p)
}
