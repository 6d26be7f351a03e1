// Package engine builds and stores the engine for browsers: a program as WebAssembly, and the script of the Go
// version that built it. These are two files, which the command generate writes into this folder. They are not kept
// with the source: a program that is built with the tag embedengine embeds them, others build them once into the user's
// cache.
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

// The names of the files.
const (
	Wasm = "engine.wasm.gz"
	Exec = "wasm_exec.js"
)

// Files are what a browser needs.
type Files struct {
	Wasm []byte // with gzip
	Exec []byte
}

// Read reads the files of a folder.
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

// check reports files that are no engine.
func (f *Files) check() error {
	z, err := gzip.NewReader(bytes.NewReader(f.Wasm))
	if err == nil {
		var magic [4]byte
		if _, err = io.ReadFull(z, magic[:]); err == nil && string(magic[:]) != "\x00asm" {
			err = errors.New("no WebAssembly")
		}
	}
	if err != nil {
		return fmt.Errorf("%s is not an engine: %w", Wasm, err)
	}
	if !bytes.Contains(f.Exec, []byte("globalThis.Go")) {
		return fmt.Errorf("%s is not the script that Go has by that name", Exec)
	}
	return nil
}

// write writes the files into a temporary folder and renames that to dir. A dir that another process wrote meanwhile
// stays.
func (f *Files) write(dir string) error {
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	temporary, err := os.MkdirTemp(parent, "building-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temporary) }() // a folder that stays costs only space
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
