package option

import "errors"

// FileName is the value of a flag that names a file to write.
type FileName string

func (f *FileName) String() string { return string(*f) }

func (*FileName) Type() string { return "string" }

func (f *FileName) Set(name string) error {
	switch name {
	case "":
		return errors.New("the file name is empty")
	case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1": // standard output, which must have only one writer
		name = "-"
	}
	*f = FileName(name)
	return nil
}
