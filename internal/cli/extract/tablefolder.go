package extract

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/outfile"
)

// A tableFolder is the folder of an export. Its tables are temporary files until all of them are complete. Then they
// are published together.
type tableFolder struct {
	outputs   *outfile.Outputs
	dir       string
	overwrite bool

	files []*tableFile
	made  []string // created folders, outermost first
	stale []string // tables of an earlier export
}

type tableFile struct {
	*outfile.File
	name string // export's name for the table
	path string
}

// open creates the folder. whole means that the tables are not split by day.
func (d *tableFolder) open(whole bool) error {
	d.note(d.dir)
	if err := outfile.MakeFolder(d.dir); err != nil {
		return err
	}
	if whole {
		return d.begin("")
	}
	return d.replace(d.existing("", ""), "tables that are not split by day", "name another folder")
}

// begin prepares a folder for tables. Existing tables must be replaced, because readers would combine them with the new
// ones. An exporter makes folders named again-* for a day that comes again after another day.
func (d *tableFolder) begin(folder string) error {
	if folder != "" {
		there := d.existing(folder, "", "again-*")
		return d.replace(there, "tables of this day", "use a separate folder for another sensor, as in -o "+
			filepath.Join(d.dir, "sensor=west"))
	}
	there := d.existing("", "", "again-*", "day=*", "day=*/again-*")
	return d.replace(there, "tables", "name another folder")
}

// existing lists the tables in those subfolders of a folder that match one of the patterns. The pattern "" stands for
// the folder itself.
func (d *tableFolder) existing(folder string, within ...string) (list []string) {
	for _, pattern := range within {
		for _, name := range tablePatterns() {
			found, _ := fs.Glob(os.DirFS(d.dir), path.Join(folder, pattern, name)) // valid patterns cannot fail
			for _, name := range found {
				name = filepath.Join(d.dir, filepath.FromSlash(name))
				if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() {
					list = append(list, name)
				}
			}
		}
	}
	return list
}

// replace marks tables for removal at the end if --overwrite is given. Otherwise it returns an error that names the
// tables and suggests alternatives.
func (d *tableFolder) replace(paths []string, what, otherwise string) error {
	if len(paths) == 0 {
		return nil
	}
	if !d.overwrite {
		return fmt.Errorf("-o %s: there are already %s, such as %s; %s, or replace them with --overwrite", d.dir, what,
			paths[0], otherwise)
	}
	d.stale = append(d.stale, paths...)
	slices.Sort(d.stale)
	d.stale = slices.Compact(d.stale)
	return nil
}

// tablePatterns returns patterns for the files that an export creates in its folder or in the folder of a day. An
// export replaces no other files.
func tablePatterns() []string {
	list := []string{"attempts.parquet", "conversations.parquet", "findings.parquet", "values.parquet"}
	for _, p := range option.Protocols() {
		list = append(list, p.Name+"/*.parquet")
	}
	return list
}

// note records which folders must be created for dir, so abandon can remove them. A dangling link counts as existing.
func (d *tableFolder) note(dir string) {
	var missing []string
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if _, err := os.Lstat(at); err == nil || at == filepath.Dir(at) {
			break
		}
		missing = append(missing, at)
	}
	slices.Reverse(missing)
	d.made = append(d.made, missing...)
}

// create creates a table. name is export's name for the table.
func (d *tableFolder) create(name string) (io.WriteCloser, error) {
	path := filepath.Join(d.dir, filepath.FromSlash(name))
	d.note(filepath.Dir(path))
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if errors.Is(err, syscall.ENOTDIR) {
		return nil, fmt.Errorf("-o %s: this is a file, or inside one", filepath.Dir(path))
	}
	if err != nil {
		return nil, err
	}
	f, err := d.outputs.InFolder("-o", path)
	if err != nil {
		return nil, err
	}
	d.files = append(d.files, &tableFile{f, name, path})
	return f, nil
}

// publish publishes all tables in the order of their names, and removes the tables of an earlier export. First it
// checks that no folder has the name of a table. Such a folder would make publishing fail halfway, and readers would
// then combine tables of both exports.
func (d *tableFolder) publish() error {
	slices.SortFunc(d.files, func(a, b *tableFile) int { return strings.Compare(a.name, b.name) })
	for _, f := range d.files {
		if info, err := os.Lstat(f.path); err == nil && info.IsDir() {
			return fmt.Errorf("-o %s: %s is a folder; nothing is written", d.dir, f.name)
		}
	}
	for _, f := range d.files {
		if err := f.Publish(); err != nil {
			return err
		}
		d.stale = slices.DeleteFunc(d.stale, func(path string) bool { return path == f.path })
	}
	d.made = nil
	for _, path := range d.stale {
		if err := os.Remove(path); err != nil {
			return err
		}
		for at := filepath.Dir(path); at != filepath.Clean(d.dir) && os.Remove(at) == nil; {
			at = filepath.Dir(at) // readers would treat an empty folder as a day
		}
	}
	return nil
}

func (d *tableFolder) abandon() {
	for _, f := range d.files {
		f.Abandon()
	}
	for _, dir := range slices.Backward(d.made) {
		_ = os.Remove(dir) // fails if it is not empty
	}
}
