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

// tableFolder is the folder of an export. Its tables are temporary files until all of them are whole, and are published
// together then.
type tableFolder struct {
	outputs   *outfile.Outputs
	dir       string
	overwrite bool

	files []*tableFile
	made  []string // folders, the outer ones first
	stale []string // tables of an earlier export
}

type tableFile struct {
	*outfile.File
	name string // as export has it
	path string
}

// open makes the folder. whole says that it is for the tables of all days.
func (d *tableFolder) open(whole bool) error {
	d.note(d.dir)
	if err := outfile.MakeFolder(d.dir); err != nil {
		return err
	}
	if whole {
		return d.begin("")
	}
	return d.replace(d.there("", ""), "tables without days already", "name another folder")
}

// begin prepares a folder for tables: readers would take other tables there for theirs.
func (d *tableFolder) begin(folder string) error {
	if folder != "" {
		there := d.there(folder, "", "again-*")
		return d.replace(there, "tables of this day already", "another sensor has a folder of its own, as in -o "+
			filepath.Join(d.dir, "sensor=west"))
	}
	there := d.there("", "", "again-*", "day=*", "day=*/again-*")
	return d.replace(there, "tables already", "name another folder")
}

// there lists the tables in a folder, and in those within it that fit the patterns; "" is the folder itself.
func (d *tableFolder) there(folder string, within ...string) (list []string) {
	for _, pattern := range within {
		for _, name := range tablePatterns() {
			found, _ := fs.Glob(os.DirFS(d.dir), path.Join(folder, pattern, name)) // the patterns are right
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

// replace has tables removed in the end if --overwrite is given. Otherwise its error says what they are, and what else
// can be done.
func (d *tableFolder) replace(paths []string, what, otherwise string) error {
	if len(paths) == 0 {
		return nil
	}
	if !d.overwrite {
		return fmt.Errorf("-o %s: there are %s, such as %s; %s, or have them replaced with --overwrite", d.dir, what,
			paths[0], otherwise)
	}
	d.stale = append(d.stale, paths...)
	slices.Sort(d.stale)
	d.stale = slices.Compact(d.stale)
	return nil
}

// tablePatterns match the files that an export makes in its folder, or in that of a day. It replaces no others.
func tablePatterns() []string {
	list := []string{"attempts.parquet", "conversations.parquet", "findings.parquet", "values.parquet"}
	for _, p := range option.Protocols() {
		list = append(list, p.Name+"/*.parquet")
	}
	return list
}

// note remembers which folders have to be made for one to be there: abandon removes them again. A link that leads
// nowhere is there.
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

// create makes a table, which is one of export's names for them.
func (d *tableFolder) create(name string) (io.WriteCloser, error) {
	path := filepath.Join(d.dir, filepath.FromSlash(name))
	d.note(filepath.Dir(path))
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if errors.Is(err, syscall.ENOTDIR) {
		return nil, fmt.Errorf("-o %s: this is a file, or within one", filepath.Dir(path))
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

// publish publishes all tables, in the order of their names, and removes those of an earlier export. It looks for
// folders in their places first: readers would take tables of both exports for one.
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
			at = filepath.Dir(at) // readers take a folder of a day for a day
		}
	}
	return nil
}

func (d *tableFolder) abandon() {
	for _, f := range d.files {
		f.Abandon()
	}
	for _, dir := range slices.Backward(d.made) {
		_ = os.Remove(dir) // fails where it is not empty
	}
}
