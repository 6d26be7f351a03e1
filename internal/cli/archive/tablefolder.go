package archive

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/gamedissect/gamedissect/internal/cli/known"
	"github.com/gamedissect/gamedissect/internal/cli/outfile"
)

// tableFolder is the folder of an export. Its tables are written beside their places, and put there when all of them
// are whole.
type tableFolder struct {
	outputs   *outfile.Outputs
	dir       string
	overwrite bool

	files []*tableFile
	made  []string // folders, the outer ones first
	stale []string // tables of an earlier export
}

// A tableFile is a table that is written.
type tableFile struct {
	name string // as export has it
	out  *outfile.File
	size int64
}

// Write implements io.Writer.
func (f *tableFile) Write(b []byte) (int, error) {
	n, err := f.out.File.Write(b)
	f.size += int64(n)
	return n, f.out.Failed(err)
}

// Close implements io.Closer. The table is whole, but not in its place yet.
func (f *tableFile) Close() (err error) {
	if f.out.Info != nil {
		err = f.out.File.Sync() // after a crash of the system there has to be this table, or the one of before
	}
	err = errors.Join(err, f.out.File.Close())
	f.out.File = nil
	return f.out.Failed(err)
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

// begin is called before tables are written to a folder: there must be no others, with which they would be read.
func (d *tableFolder) begin(folder string) error {
	if folder != "" {
		there := d.there(folder, "", "again-*")
		return d.replace(there, "tables of this day already", "another sensor has a folder of its own, as in -o "+
			filepath.Join(d.dir, "sensor=west"))
	}
	there := d.there("", "", "again-*", "day=*", filepath.Join("day=*", "again-*"))
	return d.replace(there, "tables already", "name another folder")
}

// there lists the tables in a folder, and in those within it that fit the patterns; "" is the folder itself.
func (d *tableFolder) there(folder string, within ...string) (paths []string) {
	for _, pattern := range within {
		for _, name := range tablePatterns() {
			paths = append(paths, glob(filepath.Join(d.dir, filepath.FromSlash(folder)), filepath.Join(pattern, name))...)
		}
	}
	return paths
}

// replace has tables removed in the end, if that is wanted. Otherwise its error says what they are, and what else there
// is to do.
func (d *tableFolder) replace(paths []string, what, otherwise string) error {
	if len(paths) == 0 {
		return nil
	}
	if !d.overwrite {
		return fmt.Errorf("-o %s: there are %s, such as %s; %s, or have them replaced with --overwrite", d.dir, what,
			paths[0], otherwise)
	}
	for _, path := range paths {
		if !slices.Contains(d.stale, path) {
			d.stale = append(d.stale, path)
		}
	}
	return nil
}

// tablePatterns are those of the files that an export makes in its folder, or in that of a day. Others are not ours to
// replace.
func tablePatterns() []string {
	list := []string{"conversations.parquet", "findings.parquet", "values.parquet"}
	for _, p := range known.Protocols() {
		list = append(list, filepath.Join(p.Name, "*.parquet"))
	}
	return list
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

// note remembers the folders that have to be made for one to be there: abandon removes them again. A link that leads
// nowhere is there: it is somebody else's.
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
	out, err := d.outputs.BeginInFolder(path)
	if err != nil {
		return nil, err
	}
	f := &tableFile{name: name, out: out}
	d.files = append(d.files, f)
	return f, nil
}

// place puts all tables in their places, in the order of their names, and removes those of an earlier export. It looks
// at all places first: some tables of this export among others of an earlier one would be read as one.
func (d *tableFolder) place() error {
	slices.SortFunc(d.files, func(a, b *tableFile) int { return strings.Compare(a.name, b.name) })
	for _, f := range d.files {
		if info, err := os.Lstat(f.out.Path); err == nil && info.IsDir() {
			return fmt.Errorf("-o %s: %s is a folder; nothing is written", d.dir, f.name)
		}
	}
	for _, f := range d.files {
		if err := f.out.Place(); err != nil {
			return err
		}
		if at := slices.Index(d.stale, f.out.Path); at >= 0 {
			d.stale = slices.Delete(d.stale, at, at+1)
		}
	}
	d.made = nil
	for _, path := range d.stale {
		if err := os.Remove(path); err != nil {
			return err
		}
		for at := filepath.Dir(path); at != filepath.Clean(d.dir) && os.Remove(at) == nil; {
			at = filepath.Dir(at) // folders of days without tables are days to who reads them
		}
	}
	return nil
}

// abandon removes what is not in its place.
func (d *tableFolder) abandon() {
	for _, f := range d.files {
		f.out.Abandon()
	}
	for _, dir := range slices.Backward(d.made) {
		_ = os.Remove(dir) // unless somebody else put something there
	}
}
