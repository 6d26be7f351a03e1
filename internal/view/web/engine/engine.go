// Package engine builds and stores the engine for browsers. The engine consists of two files: a program as WebAssembly,
// and the script of the Go version that built it. The command generate writes them into this folder; they are not in
// version control. A program built with the tag embedengine embeds the files. Other programs build them once, into the
// user's cache.
package engine

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// These are the names of the files.
const (
	Wasm = "engine.wasm.gz"
	Exec = "wasm_exec.js"
)

// Files contains what a browser needs to run the engine.
type Files struct {
	Wasm []byte // compressed by gzip
	Exec []byte
}

// Read reads the files from a folder.
func Read(dir string) (*Files, error) {
	var f Files
	var err error
	if f.Wasm, err = os.ReadFile(filepath.Join(dir, Wasm)); err != nil {
		return nil, err
	}
	if f.Exec, err = os.ReadFile(filepath.Join(dir, Exec)); err != nil {
		return nil, err
	}
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return &f, nil
}

// check returns an error if the files are not an engine.
func (f *Files) check() error {
	z, err := gzip.NewReader(bytes.NewReader(f.Wasm))
	if err == nil {
		var magic [4]byte
		if _, err = io.ReadFull(z, magic[:]); err == nil && string(magic[:]) != "\x00asm" {
			err = errors.New("not WebAssembly")
		}
	}
	if err != nil {
		return fmt.Errorf("%s is not an engine: %w", Wasm, err)
	}
	if !bytes.Contains(f.Exec, []byte("globalThis.Go")) {
		return fmt.Errorf("%s is not the script of that name in Go", Exec)
	}
	return nil
}

// write writes the files into a temporary folder and renames that folder to dir. If another process has written dir in
// the meantime, write keeps that version.
func (f *Files) write(dir string) error {
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	temporary, err := os.MkdirTemp(parent, "building-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temporary) }() // a folder that remains only takes up space
	if err := errors.Join(f.put(temporary), os.Chmod(temporary, 0o755)); err != nil {
		return err
	}
	if err := os.Rename(temporary, dir); err != nil {
		if _, there := Read(dir); there == nil {
			return nil
		}
		return err
	}
	return nil
}

// put writes the files into an existing folder.
func (f *Files) put(dir string) error {
	return errors.Join(
		os.WriteFile(filepath.Join(dir, Wasm), f.Wasm, 0o644),
		os.WriteFile(filepath.Join(dir, Exec), f.Exec, 0o644),
	)
}
