package session

import (
	"io"
	"os"
)

// stoppable is an input that ends at an interrupt, even while its Read blocks, as on a pipe.
type stoppable struct {
	in   io.Reader
	stop *Interrupt
	read chan []byte   // bytes that loop has read
	want chan struct{} // tells loop that its buffer is free
	rest []byte        // unread part of the last slice from read
	err  error         // error of in; valid once read is closed
}

const stoppableSize = 64 << 10

func newStoppable(in io.Reader, stop *Interrupt) *stoppable {
	s := &stoppable{in: in, stop: stop, read: make(chan []byte), want: make(chan struct{})}
	go s.loop()
	return s
}

// loop reads into one buffer. After an interrupt it may stay in its last Read until the program ends.
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

// awaited is a pipe or a device that is opened at its first Read, since opening may block too. It is never closed: the
// goroutine that reads it may live until the program ends.
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
