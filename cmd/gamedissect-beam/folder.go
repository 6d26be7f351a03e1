package main

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"path"
	"regexp"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// A folder writes the tables of a shard. Each table is a folder with a file for each shard. Files first have temporary
// names, which are unique to this attempt at the shard. They are renamed when all of them are complete.
type folder struct {
	ctx     context.Context
	fs      filesystem.Interface
	dir     string
	name    string // name of the files
	attempt string
	files   []*tableFile // files not published yet
}

// A tableFile is a table that is being written.
type tableFile struct {
	io.WriteCloser
	place  string
	closed bool
}

// Close ends the table.
func (t *tableFile) Close() error {
	t.closed = true
	return t.WriteCloser.Close()
}

func newFolder(ctx context.Context, output, key string) (*folder, error) {
	fs, err := filesystem.New(ctx, output)
	if err != nil {
		return nil, err
	}
	return &folder{ctx: ctx, fs: fs, dir: tablesPath(output), name: key + ".parquet", attempt: "." + rand.Text()}, nil
}

func tablesPath(output string) string { return output + "/tables" }

// create creates the file of a table, see export.Creator.
func (f *folder) create(table string) (io.WriteCloser, error) {
	place := f.dir + "/" + strings.TrimSuffix(table, path.Ext(table)) + "/" + f.name
	to, err := f.fs.OpenWrite(f.ctx, place+f.attempt)
	if err != nil {
		return nil, err
	}
	t := &tableFile{WriteCloser: to, place: place}
	f.files = append(f.files, t)
	return t, nil
}

// publish renames all files to their final paths, and returns these paths.
func (f *folder) publish() (placed []string, err error) {
	for ; len(f.files) > 0; f.files = f.files[1:] {
		place := f.files[0].place
		if err := filesystem.Rename(f.ctx, f.fs, place+f.attempt, place); err != nil {
			return nil, err
		}
		placed = append(placed, place)
	}
	return placed, nil
}

// abandon removes the files that are not published. If it fails, finishFn removes them.
func (f *folder) abandon() {
	for _, t := range f.files {
		if !t.closed {
			_ = t.Close() // error ignored: it will be removed
		}
		_ = remove(f.ctx, f.fs, t.place+f.attempt)
	}
	_ = f.fs.Close()
}

// writeFile writes a file under a temporary name, and renames it.
func writeFile(ctx context.Context, fs filesystem.Interface, place string, content []byte) error {
	temporary := place + "." + rand.Text()
	if err := filesystem.Write(ctx, fs, temporary, content); err != nil {
		return err
	}
	return filesystem.Rename(ctx, fs, temporary, place)
}

// swept matches the names of tables' files, final and temporary. It must not match other files, because these may come
// from gamedissect export.
var swept = regexp.MustCompile(`-\d{5,}\.parquet(\.[A-Z2-7]+)?$`)

// sweep removes tables' files of stopped attempts and of earlier runs.
func sweep(ctx context.Context, fs filesystem.Interface, output string, ours map[string]bool) error {
	var errs []error
	for _, depth := range []string{"/*/*", "/*/*/*", "/*/*/*/*"} { // table; protocol and table; day before either
		found, err := fs.List(ctx, tablesPath(output)+depth)
		errs = append(errs, err)
		for _, p := range found {
			if swept.MatchString(p) && !ours[p] {
				errs = append(errs, remove(ctx, fs, p))
			}
		}
	}
	return errors.Join(errs...)
}
