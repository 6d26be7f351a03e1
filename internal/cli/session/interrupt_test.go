//go:build unix

package session

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
)

// pressed returns an interrupt and a function that triggers it.
func pressed() (stop *Interrupt, press func()) {
	stop = &Interrupt{Done: make(chan struct{})}
	return stop, func() {
		stop.Flag.Store(true)
		close(stop.Done)
	}
}

func fifo(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "pipe")
	clitest.NoError(t, syscall.Mkfifo(name, 0o600))
	return name
}

// An interrupt ends the wait for a pipe that has no writer.
func TestInterruptBeforeFirstWriter(t *testing.T) {
	stop, press := pressed()
	go press()
	name := fifo(t)
	files, err := open([]string{name}, nil, stop)
	if len(files) > 0 || err == nil {
		t.Errorf("%d files, %v", len(files), err)
	}
	w, err := os.OpenFile(name, os.O_WRONLY, 0) // lets the goroutine end
	clitest.NoError(t, err)
	_ = w.Close()
}

// Packets that arrived before the interrupt are read. Then the input ends even though the writer keeps the pipe open.
func TestInterruptBetweenPackets(t *testing.T) {
	name := fifo(t)
	stop, press := pressed()
	whole := clitest.ReadFile(t, "../../../testdata/pcap/bz17-c-reject.pcap")
	written := make(chan error, 1)
	go func() {
		w, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err == nil {
			_, err = w.Write(whole)
		}
		written <- err
		<-stop.Done
		_ = w.Close() // error ignored: everything written has been read
	}()
	files, err := open([]string{name}, nil, stop)
	clitest.NoError(t, err)
	var p capture.Packet
	if err := files[0].Next(&p); err != nil || p.Number != 1 {
		t.Errorf("packet %d, %v", p.Number, err)
	}
	clitest.NoError(t, <-written)
	press()
	for err == nil {
		err = files[0].Next(&p)
	}
}
