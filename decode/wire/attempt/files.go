package attempt

import "slices"

// maxFiles is how many file names are distinguished.
const maxFiles = 1 << 12

// files numbers the names of capture files.
type files struct{ names []string }

// number returns the number of a name. All names beyond maxFiles share the last number.
func (f *files) number(name string) uint16 {
	if n := len(f.names); n > 0 && f.names[n-1] == name {
		return uint16(n - 1)
	}
	i := slices.Index(f.names, name)
	switch {
	case i >= 0:
	case len(f.names) < maxFiles:
		i, f.names = len(f.names), append(f.names, name)
	default:
		i = maxFiles - 1
	}
	return uint16(i)
}

func (f *files) name(number uint16) string { return f.names[number] }
