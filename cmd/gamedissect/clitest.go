// Package clitest has what the tests of the command line share.
package main

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
)

// captures is the folder of captures in testdata.
var captures = filepath.Join(root, "testdata", "pcap")

// root is the folder of the module.
var root = moduleRoot()

func moduleRoot() string {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	panic("no go.mod above the tests")
}

// noError ends a test that an error keeps from going on.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// readFile returns what is in a file.
func readFile(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	noError(t, err)
	return b
}

// readCapture returns the packets of a capture.
func readCapture(t testing.TB, name string) (all []capture.Packet) {
	t.Helper()
	f, err := capture.Open(name)
	noError(t, err)
	defer func() { _ = f.Close() }() // only read: nothing can be lost
	for {
		var p capture.Packet
		if f.Next(&p) != nil {
			return all
		}
		p.Data = bytes.Clone(p.Data)
		all = append(all, p)
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// closed is a pipe that nobody reads any more.
type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, syscall.EPIPE }
