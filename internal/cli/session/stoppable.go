package session

import (
	"io"
	"os"
)

// stoppable is an input that ends at an interrupt, even while its Read blocks, for example on a pipe.
type stoppable struct {
	in   io.Reader
	stop *Interrupt
	read chan []byte   // bytes that loop has read; they alias its buffer
	free chan struct{} // signal to loop that its buffer is free again
	rest []byte        // unread part of the last slice from read
	err  error         // read error of in; valid after read is closed
}

const stoppableSize = 64 << 10

func newStoppable(in io.Reader, stop *Interrupt) *stoppable {
	s := &stoppable{in: in, stop: stop, read: make(chan []byte), free: make(chan struct{})}
	go s.loop()
	return s
}

// loop reads into a single buffer. After an interrupt its last Read may block until the program ends.
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
			case <-s.free:
			case <-s.stop.Done:
				return
			}
		}
	}
}

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
		case s.free <- struct{}{}:
		case <-s.stop.Done:
		}
	}
	return n, nil
}

// awaited is a pipe or device that is opened at the first Read, because opening it may block too. It is never closed,
// since the goroutine that reads it may live until the program ends.
type awaited struct {
	name string
	file *os.File
}

func (a *awaited) Read(p []byte) (n int, err error) {
	if a.file == nil {
		if a.file, err = os.Open(a.name); err != nil {
			return 0, err
		}
	}
	return a.file.Read(p)
}
