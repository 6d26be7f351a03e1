package main

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"path"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// A folder takes the tables of a shard: each table is a folder with a file for each shard. They are written beside
// their places, under names that no other attempt at the same shard uses, and renamed when all of them are whole.
type folder struct {
	ctx     context.Context
	fs      filesystem.Interface
	dir     string
	name    string // of the files
	attempt string
	files   []string // their places
}

func newFolder(ctx context.Context, output, key string) (*folder, error) {
	fs, err := filesystem.New(ctx, output)
	if err != nil {
		return nil, err
	}
	return &folder{ctx: ctx, fs: fs, dir: tablesPath(output), name: key + ".parquet", attempt: "." + rand.Text()}, nil
}

func tablesPath(output string) string { return output + "/tables" }

// create makes the file of a table: see export.Creator.
func (f *folder) create(table string) (io.WriteCloser, error) {
	place := f.dir + "/" + strings.TrimSuffix(table, path.Ext(table)) + "/" + f.name
	f.files = append(f.files, place)
	return f.fs.OpenWrite(f.ctx, place+f.attempt)
}

// place puts all files where they belong, and gives their paths.
func (f *folder) place() ([]string, error) {
	placed := f.files
	for len(f.files) > 0 {
		if err := filesystem.Rename(f.ctx, f.fs, f.files[0]+f.attempt, f.files[0]); err != nil {
			return nil, err
		}
		f.files = f.files[1:]
	}
	return placed, nil
}

// abandon removes what is not in its place. What it cannot remove, finishFn does.
func (f *folder) abandon() {
	for _, place := range f.files {
		_ = remove(f.ctx, f.fs, place+f.attempt)
	}
	_ = f.fs.Close()
}

// writeFile writes a file beside its place, and puts it there.
func writeFile(ctx context.Context, fs filesystem.Interface, place string, content []byte) error {
	beside := place + "." + rand.Text()
	if err := filesystem.Write(ctx, fs, beside, content); err != nil {
		return err
	}
	return filesystem.Rename(ctx, fs, beside, place)
}

// sweep removes the files of tables that are not of this run: of attempts that were stopped, and of runs before.
func sweep(ctx context.Context, fs filesystem.Interface, output string, ours map[string]bool) error {
	var errs []error
	for _, depth := range []string{"/*/*", "/*/*/*", "/*/*/*/*"} { // table, protocol and table, day before these
		found, err := fs.List(ctx, tablesPath(output)+depth)
		errs = append(errs, err)
		for _, p := range found {
			if strings.Contains(path.Base(p), ".parquet") && !ours[p] {
				errs = append(errs, remove(ctx, fs, p))
			}
		}
	}
	return errors.Join(errs...)
}
