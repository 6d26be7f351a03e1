//go:build !unix

package main

import "os"

// needPipe takes every name: what a file of the disk is not called, a named pipe may be.
func needPipe(string) error { return nil }

// whileRead gives a sink that does nothing: that nobody reads a pipe shows when it is written to.
func whileRead(string) sink { return nothing{} }

// unblock opens a pipe that was not written to, so that who waits for that goes on.
func unblock(pipe string) {
	if f, err := os.OpenFile(pipe, os.O_WRONLY, 0); err == nil {
		_ = f.Close() // nothing was written
	}
}
