//go:build !unix

package wireshark

import (
	"os"

	"github.com/gamedissect/gamedissect/internal/cli/session"
)

// NeedPipe takes every name: what a file of the disk is not called, a named pipe may be.
func NeedPipe(string) error { return nil }

// WhileRead gives a sink that does nothing: that nobody reads a pipe shows when it is written to.
func WhileRead(string) session.Sink { return session.Discard{} }

// Unblock opens a pipe that was not written to, so that who waits for that goes on.
func Unblock(pipe string) {
	if f, err := os.OpenFile(pipe, os.O_WRONLY, 0); err == nil {
		_ = f.Close() // nothing was written
	}
}
