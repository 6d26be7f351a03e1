//go:build unix

package wireshark

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

// NeedPipe gives an error if a name is taken by what is no pipe: packets would be written over a file. Where there is
// nothing yet a file is made, for who tries this without Wireshark.
func NeedPipe(name string) error {
	if info, err := os.Stat(name); err == nil && info.Mode()&os.ModeNamedPipe == 0 {
		return fmt.Errorf("--fifo %s: this is no pipe, and is left as it is; make one with mkfifo", name)
	}
	return nil
}

// A pipeReader is the sink that ends a run when nobody reads a pipe any more. Where no packet comes, no write
// would tell.
type pipeReader struct {
	session.Discard
	pipe string
	next time.Time // when it is looked at again
}

func WhileRead(pipe string) session.Sink { return &pipeReader{pipe: pipe} }

// Full asks the system, which lets nobody write to a pipe that has no reader.
func (r *pipeReader) Full() bool {
	now := time.Now()
	if now.Before(r.next) {
		return false
	}
	r.next = now.Add(live.AskEvery)
	fd, err := syscall.Open(r.pipe, syscall.O_WRONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if err == nil {
		_ = syscall.Close(fd) // nothing was written
	}
	return errors.Is(err, syscall.ENXIO)
}

// Unblock opens a pipe that was not written to, so that its reader finds the end: Wireshark waits for that, without
// regard to a program that failed. The end comes with that of this program, when it has said what is wrong: afterwards
// Wireshark does not listen. The reader may still be about to open the pipe.
func Unblock(pipe string) {
	for range 40 {
		_, err := syscall.Open(pipe, syscall.O_WRONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
		if !errors.Is(err, syscall.ENXIO) {
			return
		}
		time.Sleep(capture.Quiet)
	}
}
