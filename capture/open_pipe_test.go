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

// Input that turns out to be no capture is not waited for, even if its decompressor waits for more.
func TestOpenLeavesPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	w, err := os.OpenFile(name, os.O_RDWR, 0) // does not wait for a reader
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	write(w, gz(bytes.Repeat([]byte("no capture "), 10))) // and the next member may follow
	opened := make(chan error, 1)
	go func() {
		_, err := capture.Open(name)
		opened <- err
	}()
	select {
	case err := <-opened:
		if err == nil {
			t.Error("was opened")
		}
	case <-time.After(5 * time.Second):
		t.Error("Open waits")
	}
}
