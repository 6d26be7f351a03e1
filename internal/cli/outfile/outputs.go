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

// Outputs are the files that a command writes. All of them are named first, and then opened: before anything is
// written they are compared with each other and with what is read, by what they are and not by how they are called.
//
// A file is written beside its place, and put there when it is whole: a full disk, an error or a kill leaves what was
// there before. One that is streamed takes the place with its first packet: then a kill, or an input that ends too
// early, leaves what came until then and not what was there before. So does, without a kill, a file of packets whose
// input is damaged: what could be read is put in place, and said to be no more. Links are followed, as other programs
// do, and stay links. What cannot have a file beside it is written directly: standard output, devices, pipes,
// descriptors, and files in folders that take no further one.
type Outputs struct {
	Std    term.Streams
	inputs []string
	list   []*File
	lost   error // of standard output, which the files outlive
}

func NewOutputs(std term.Streams, inputs ...string) *Outputs {
	return &Outputs{Std: std, inputs: inputs}
}

// Write writes to standard output. Where files are written besides, it never fails: as with tee(1), who reads the one
// no more must not cost the others. trouble tells at the end.
func (o *Outputs) Write(b []byte) (int, error) {
	if !slices.ContainsFunc(o.list, func(f *File) bool { return f.Name != "-" }) {
		return o.Std.Out.Write(b)
	}
	o.tryWrite(b)
	return len(b), nil
}

// tryWrite writes to standard output as long as that works.
func (o *Outputs) tryWrite(b []byte) {
	if o.lost == nil {
		_, o.lost = o.Std.Out.Write(b)
	}
}

// Trouble is why standard output lacks something while the files are whole. That nobody wants it is none.
func (o *Outputs) Trouble() error {
	if o.lost == nil || errors.Is(o.lost, syscall.EPIPE) {
		return nil
	}
	return fmt.Errorf("standard output: %w", o.lost)
}

// File names a file that is written by a flag; nil if there is none. It is - for standard output.
func (o *Outputs) File(flag, name string) *File {
	if name == "" {
		return nil
	}
	f := &File{Flag: flag, Name: name}
	o.list = append(o.list, f)
	return f
}

// Stream names a file that others may look at while it is written, and that a crash must not take. It is put in its
// place with the first that is written to it, see outfile.place.
func (o *Outputs) Stream(flag, name string) *File {
	f := o.File(flag, name)
	if f != nil {
		f.Streamed = true
	}
	return f
}

// Ring names numbered files beside a name, which somebody else opens. None of them takes the place of another file.
func (o *Outputs) Ring(flag, name string) {
	ending := filepath.Ext(name)
	stem := strings.TrimSuffix(filepath.Base(name), ending)
	numbered := regexp.MustCompile("^" + regexp.QuoteMeta(stem) + `_\d{5,}_\d{14,}` + regexp.QuoteMeta(ending) + "$")
	o.list = append(o.list, &File{Flag: flag, Name: name, numbered: numbered})
}

// Open opens all files, or none if one cannot be written or would destroy another.
func (o *Outputs) Open() error {
	err := o.claim()
	if err == nil {
		for _, f := range o.list {
			if err = f.prepare(); err != nil {
				break
			}
		}
	}
	if err != nil {
		o.Abandon()
		return err
	}
	for _, f := range o.list {
		f.unclaim()
	}
	return nil
}

// claim finds out what all files are, and changes none that is there.
func (o *Outputs) claim() error {
	for i, f := range o.list {
		if f.numbered != nil {
			continue
		}
		if err := f.claim(o); err != nil {
			return err
		}
		for _, other := range o.list[:i] {
			if f.isAlso(other) {
				return f.refused("%s writes there as well; each output needs a file of its own", other.Flag)
			}
		}
	}
	if out := described(o.Std.Out); out != nil {
		if err := o.spareInputs(&File{Flag: "standard output", Info: out}); err != nil {
			return err
		}
	}
	for _, f := range o.list {
		if err := errors.Join(o.spareInputs(f), o.spareStandard(f), o.spareNumbered(f)); err != nil {
			return err
		}
	}
	return nil
}

// spareInputs gives an error if a file is read as well.
func (o *Outputs) spareInputs(f *File) error {
	for _, name := range o.inputs {
		in, err := os.Stat(name)
		if name == "-" {
			in = described(o.Std.In)
			err = nil
		}
		same := err == nil && in != nil && f.Info != nil && os.SameFile(in, f.Info)
		if same && (in.Mode().IsRegular() || in.Mode()&fs.ModeType == fs.ModeDevice) || f.takes(name) {
			if name == "-" {
				name = "standard input"
			}
			return f.refused("is the same file as the input %s, which writing would destroy; choose another name", name)
		}
	}
	return nil
}

// spareStandard gives an error if a file that is named is where texts go. That standard output is one is no error.
func (o *Outputs) spareStandard(f *File) error {
	if f.Info == nil || f.Name == "-" {
		return nil
	}
	if out := described(o.Std.Out); out != nil && clash(out, f.Info) {
		return f.refused("is where standard output goes already; - stands for that")
	}
	if out := described(o.Std.Err); out != nil && out.Mode().IsRegular() && clash(out, f.Info) {
		return f.refused("is where standard error goes already")
	}
	return nil
}

// spareNumbered gives an error if a file might be one of the numbered ones.
func (o *Outputs) spareNumbered(f *File) error {
	for _, ring := range o.list {
		if ring != f && f.numbered == nil && ring.takes(f.Name) {
			return f.refused("%s may write a file of this name", ring.Flag)
		}
	}
	return nil
}

// described tells what a standard stream is; nil if it is no file.
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

// clash reports whether what is written to one file spoils the other. Terminals and the like take all.
func clash(a, b fs.FileInfo) bool { return a.Mode()&fs.ModeCharDevice == 0 && os.SameFile(a, b) }

// Abandon removes what is not whole. It is to be called at the end of a command, whatever happened.
func (o *Outputs) Abandon() {
	for _, f := range o.list {
		f.Abandon()
	}
}
