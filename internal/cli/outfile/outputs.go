package outfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// Outputs are the files that a command writes. Before anything is written, all files are opened and compared with each
// other and with the inputs. The comparison uses the files' identity, not their names.
//
// A file is first written as a temporary file in the same folder. When it is complete, it is published, which means
// that it is renamed. So a full disk, an error or a kill leaves the previous file unchanged. A streamed file is
// published with its first packet, so after a kill it has the packets up to that moment. If the input is
// damaged, the packets before the damage are published.
//
// Links are followed and remain links. Standard output, devices, pipes and descriptors are written directly, and so are
// files in folders in which no new file can be created.
type Outputs struct {
	Std    term.Streams
	inputs []string
	list   []*File
	lost   error // write error of standard output
}

// NewOutputs returns the outputs of a run. inputs are files that the outputs must not overwrite.
func NewOutputs(std term.Streams, inputs ...string) *Outputs {
	return &Outputs{Std: std, inputs: inputs}
}

// Write writes to standard output. If the command also writes files, Write never fails, so the files are completed
// even if standard output is closed. tee(1) does the same. Trouble returns the error of standard output.
func (o *Outputs) Write(b []byte) (int, error) {
	if !slices.ContainsFunc(o.list, func(f *File) bool { return f.Name != "-" }) {
		return o.Std.Out.Write(b)
	}
	if o.lost == nil {
		_, o.lost = o.Std.Out.Write(b)
	}
	return len(b), nil
}

// Trouble returns the error of standard output that Write ignored. A closed pipe is not an error.
func (o *Outputs) Trouble() error {
	if o.lost == nil || errors.Is(o.lost, syscall.EPIPE) {
		return nil
	}
	return fmt.Errorf("standard output: %w", o.lost)
}

// File declares the file that a flag names. The name - means standard output. If the name is empty, File returns nil.
func (o *Outputs) File(flag, name string) *File {
	if name == "" {
		return nil
	}
	f := &File{Flag: flag, Name: name}
	o.list = append(o.list, f)
	return f
}

// Stream declares a file that other programs may read while it is written, and that must survive a crash. Its writer
// publishes it with the first packet.
func (o *Outputs) Stream(flag, name string) *File {
	f := o.File(flag, name)
	if f != nil {
		f.Streamed = true
	}
	return f
}

// Ring declares numbered files that the caller opens. No output or input may have one of their names.
func (o *Outputs) Ring(flag, name string) {
	ending := filepath.Ext(name)
	stem := strings.TrimSuffix(filepath.Base(name), ending)
	numbered := regexp.MustCompile("^" + regexp.QuoteMeta(stem) + `_\d{5,}_\d{14,}` + regexp.QuoteMeta(ending) + "$")
	o.list = append(o.list, &File{Flag: flag, Name: name, numbered: numbered})
}

// Open opens all files. It opens none if one of them cannot be written or would overwrite another.
func (o *Outputs) Open() error {
	err := o.reserve()
	for _, f := range o.list {
		if err == nil {
			err = f.replaceLater()
		}
	}
	if err != nil {
		o.Abandon()
		return err
	}
	for _, f := range o.list {
		f.release()
	}
	return nil
}

// reserve reserves all files. It compares them with each other, with the standard streams and with the inputs.
func (o *Outputs) reserve() error {
	for i, f := range o.list {
		if f.numbered != nil {
			continue
		}
		if err := f.reserve(o); err != nil {
			return err
		}
		for _, other := range o.list[:i] {
			if f.isAlso(other) {
				return f.refused("%s writes there as well; each output needs a file of its own", other.Flag)
			}
		}
	}
	if out := described(o.Std.Out); out != nil {
		if err := o.checkInputs(&File{Flag: "standard output", info: out}); err != nil {
			return err
		}
	}
	for _, f := range o.list {
		if err := errors.Join(o.checkInputs(f), o.checkStandard(f), o.checkNumbered(f)); err != nil {
			return err
		}
	}
	return nil
}

func (o *Outputs) checkInputs(f *File) error {
	for _, name := range o.inputs {
		in, _ := os.Stat(name) // reading the input will report the error
		if name == "-" {
			in = described(o.Std.In)
		}
		same := in != nil && f.info != nil && os.SameFile(in, f.info)
		if same && (in.Mode().IsRegular() || in.Mode()&fs.ModeType == fs.ModeDevice) || f.takes(name) {
			if name == "-" {
				name = "standard input"
			}
			return f.refused("is the same file as the input %s, and would overwrite it; choose another name", name)
		}
	}
	return nil
}

// checkStandard returns an error if standard output or standard error is redirected to one of the files. The name "-"
// is allowed.
func (o *Outputs) checkStandard(f *File) error {
	if f.info == nil || f.Name == "-" {
		return nil
	}
	if out := described(o.Std.Out); out != nil && clash(out, f.info) {
		return f.refused("standard output already goes there; use the name - for it")
	}
	if out := described(o.Std.Err); out != nil && out.Mode().IsRegular() && clash(out, f.info) {
		return f.refused("standard error already goes there")
	}
	return nil
}

// checkNumbered returns an error if a file might be one of the numbered files.
func (o *Outputs) checkNumbered(f *File) error {
	for _, ring := range o.list {
		if ring != f && f.numbered == nil && ring.takes(f.Name) {
			return f.refused("%s may write a file of this name", ring.Flag)
		}
	}
	return nil
}

func (f *File) isAlso(other *File) bool {
	if f.Name == "-" && other.Name == "-" {
		return true
	}
	return f.info != nil && other.info != nil && clash(f.info, other.info)
}

// takes reports whether a name may be one of the numbered files.
func (f *File) takes(name string) bool {
	if f.numbered == nil || !f.numbered.MatchString(filepath.Base(name)) {
		return false
	}
	mine, err := os.Stat(filepath.Dir(f.Name))
	others, err2 := os.Stat(filepath.Dir(name))
	return err == nil && err2 == nil && os.SameFile(mine, others)
}

// described returns the file info of a standard stream, or nil if the stream is not a file.
func described(stream any) fs.FileInfo {
	f, ok := stream.(*os.File)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	return info
}

// clash reports whether two writers to these files would overwrite each other's text. Two writers to a terminal would
// not.
func clash(a, b fs.FileInfo) bool { return a.Mode()&fs.ModeCharDevice == 0 && os.SameFile(a, b) }

// Abandon removes everything that was not published. Every command calls it at its end.
func (o *Outputs) Abandon() {
	for _, f := range o.list {
		f.Abandon()
	}
}
