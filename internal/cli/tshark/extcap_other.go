//go:build !unix

package tshark

import (
	"os"

	"github.com/gamedissect/gamedissect/internal/cli/session"
)

// checkPipe accepts every name, since pipes have other names than files here.
func checkPipe(string) error { return nil }

// WhileRead returns a sink that does nothing. A write fails when the pipe has no reader.
func WhileRead(string) session.Sink { return session.Sink{} }

// unblock opens and closes a pipe to which nothing was written, so that its reader finds the end.
func unblock(pipe string) {
	if f, err := os.OpenFile(pipe, os.O_WRONLY, 0); err == nil {
		_ = f.Close() // nothing was written
	}
}
