//go:build !unix

package tshark

import (
	"os"

	"github.com/gamedissect/gamedissect/internal/cli/session"
)

// checkPipe accepts every name, since pipes are not files on this system.
func checkPipe(string) error { return nil }

// WhileRead returns a sink that does nothing. Without a reader, writing to the pipe fails.
func WhileRead(string) session.Sink { return session.Sink{} }

// unblock opens and closes a pipe to which nothing was written, so the pipe's reader sees the end.
func unblock(pipe string) {
	if f, err := os.OpenFile(pipe, os.O_WRONLY, 0); err == nil {
		_ = f.Close() // harmless: nothing was written
	}
}
