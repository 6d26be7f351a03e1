//go:build unix

package tshark

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/internal/cli/live"
	"github.com/gamedissect/gamedissect/internal/cli/session"
)

// checkPipe returns an error if the name belongs to a file that is not a pipe, since packets would overwrite the file.
// If no file has the name, packets go to a new file, so users can try extcap without Wireshark.
func checkPipe(name string) error {
	if info, err := os.Stat(name); err == nil && info.Mode()&os.ModeNamedPipe == 0 {
		return fmt.Errorf("--fifo %s: this is not a pipe, so nothing is written to it; make one with mkfifo", name)
	}
	return nil
}

// A pipeWatcher ends a run when a pipe no longer has a reader. Writing would fail then, but as long as no packets come,
// nothing is written.
type pipeWatcher struct {
	pipe string
	next time.Time // time of the next check
}

// WhileRead returns a sink that ends a run when a pipe no longer has a reader.
func WhileRead(pipe string) session.Sink { return session.Sink{Full: (&pipeWatcher{pipe: pipe}).full} }

// full reports whether the pipe has no reader. The system then refuses to open it for writing.
func (r *pipeWatcher) full() bool {
	now := time.Now()
	if now.Before(r.next) {
		return false
	}
	r.next = now.Add(live.AskEvery)
	fd, err := syscall.Open(r.pipe, syscall.O_WRONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if err == nil {
		_ = syscall.Close(fd) // harmless: nothing was written
	}
	return errors.Is(err, syscall.ENXIO)
}

// unblock opens a pipe to which nothing was written, because Wireshark waits for data or the end of the pipe even if
// this program failed. The pipe stays open until this program exits, since Wireshark shows no error that comes after
// the end. unblock retries, because Wireshark may not have opened the pipe yet.
func unblock(pipe string) {
	for range 40 {
		_, err := syscall.Open(pipe, syscall.O_WRONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
		if !errors.Is(err, syscall.ENXIO) {
			return
		}
		time.Sleep(capture.Quiet)
	}
}
