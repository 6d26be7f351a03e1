//go:build unix

package capture_test

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/capture"
)

// If an input is not a capture, Open fails without waiting for more data, even while the decompressor waits for data.
func TestOpenDoesNotWaitForPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	w, err := os.OpenFile(name, os.O_RDWR, 0) // O_RDWR: does not wait for a reader
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	write(w, gz(bytes.Repeat([]byte("no capture "), 10))) // the pipe stays open, so another member could follow
	opened := make(chan error, 1)
	go func() {
		_, err := capture.Open(name)
		opened <- err
	}()
	select {
	case err := <-opened:
		if err == nil {
			t.Error("no error")
		}
	case <-time.After(5 * time.Second):
		t.Error("Open waits")
	}
}
