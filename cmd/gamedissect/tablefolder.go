package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// tableFolder is the folder of an export. Its tables are written beside their places, and put there when all of them
// are whole.
type tableFolder struct {
	outputs   *outputs
	dir       string
	overwrite bool

	files []*tableFile
	made  []string // folders, the outer ones first
	stale []string // tables of an earlier export
}

// A tableFile is a table that is written.
type tableFile struct {
	name string // as export has it
	out  *outfile
	size int64
}

// Write implements io.Writer.
func (f *tableFile) Write(b []byte) (int, error) {
	n, err := f.out.file.Write(b)
	f.size += int64(n)
	return n, f.out.failed(err)
}

// Close implements io.Closer. The table is whole, but not in its place yet.
func (f *tableFile) Close() error {
	err := f.out.file.Close()
	f.out.file = nil
	return f.out.failed(err)
}

// open makes the folder. whole says that it is for the tables of all days.
func (d *tableFolder) open(whole bool) error {
	if err := d.make(d.dir); err != nil {
		return err
	}
	if err := makeFolder(d.dir); err != nil { // and sees that it takes files
		return err
	}
	if whole {
		return d.begin("")
	}
	return nil
}

// begin is called before tables are written to a folder: there must be no others, with which they would be read.
func (d *tableFolder) begin(folder string) error {
	within := filepath.Join(d.dir, filepath.FromSlash(folder))
	var there []string
	for _, pattern := range []string{"*.parquet", filepath.Join("*", "*.parquet")} {
		for _, path := range glob(within, pattern) {
			if !slices.Contains(d.stale, path) {
				there = append(there, path)
			}
		}
	}
	if len(there) == 0 {
		return nil
	}
	if !d.overwrite {
		return fmt.Errorf("-o %s: there are tables already, such as %s; name another folder, or have them replaced with "+
			"--overwrite", d.dir, there[0])
	}
	d.stale = append(d.stale, there...)
	return nil
}

// glob lists the files below a folder that fit a pattern, whatever the folder is called.
func glob(dir, pattern string) (list []string) {
	found, _ := filepath.Glob(filepath.Join(escapeGlob(dir), pattern)) // the patterns are right
	for _, path := range found {
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			list = append(list, path)
		}
	}
	return list
}

// escapeGlob makes a pattern of a name that only the name fits.
func escapeGlob(name string) string {
	if filepath.Separator == '\\' {
		return name // there is no way
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(name)
}

// make makes a folder and those around it, and remembers which there were not.
func (d *tableFolder) make(dir string) error {
	var missing []string
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); err == nil || at == filepath.Dir(at) {
			break
		}
		missing = append(missing, at)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	slices.Reverse(missing)
	d.made = append(d.made, missing...)
	return nil
}

// create makes a table, which is one of export's names for them.
func (d *tableFolder) create(name string) (io.WriteCloser, error) {
	path := filepath.Join(d.dir, filepath.FromSlash(name))
	if err := d.make(filepath.Dir(path)); err != nil {
		return nil, err
	}
	out, err := d.outputs.beginInFolder(path)
	if err != nil {
		return nil, err
	}
	f := &tableFile{name: name, out: out}
	d.files = append(d.files, f)
	return f, nil
}

// place puts all tables in their places, in the order of their names, and removes those of an earlier export.
func (d *tableFolder) place() error {
	slices.SortFunc(d.files, func(a, b *tableFile) int { return strings.Compare(a.name, b.name) })
	for _, f := range d.files {
		if err := f.out.place(); err != nil {
			return err
		}
		if at := slices.Index(d.stale, f.out.path); at >= 0 {
			d.stale = slices.Delete(d.stale, at, at+1)
		}
	}
	d.made = nil
	for _, path := range d.stale {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}

// abandon removes what is not in its place.
func (d *tableFolder) abandon() {
	for _, f := range d.files {
		f.out.abandon()
	}
	for _, dir := range slices.Backward(d.made) {
		_ = os.Remove(dir) // unless somebody else put something there
	}
}
