// Package engine gives the engine for browsers: view/wasm as WebAssembly, and the script of the Go that built it. It
// is two files of a folder, which stand beside this one after go generate ./view. They are not kept with the source: a
// program that is built with the tag embedengine has them inside, others build them once into the user's cache.
//
// What may not enter: what the engine does, and the page around it.
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

// check finds files that are something else, before a browser does.
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

// write writes the files into a folder, which takes its name when it is whole. One that is there stays: somebody else
// was faster.
func (f *Files) write(dir string) error {
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	beside, err := os.MkdirTemp(parent, "building-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(beside) }() // what is left takes room, no more
	if err := errors.Join(f.put(beside), os.Chmod(beside, 0o755)); err != nil {
		return err
	}
	if err := os.Rename(beside, dir); err != nil {
		if _, there := Read(dir); there == nil {
			return nil
		}
		return err
	}
	return nil
}

// put writes the files into a folder that is there.
func (f *Files) put(dir string) error {
	return errors.Join(
		os.WriteFile(filepath.Join(dir, Wasm), f.Wasm, 0o644),
		os.WriteFile(filepath.Join(dir, Exec), f.Exec, 0o644),
	)
}
