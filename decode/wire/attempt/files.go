package attempt

import "slices"

// maxFiles is the maximum number of file names that are distinguished.
const maxFiles = 1 << 12

// Files assigns numbers to the names of capture files.
type Files struct {
	names  []string
	latest int // index of the name last passed to Number
	next   int // index of the next new name
}

// Number returns the number of a name. After maxFiles names, a new name gets the number of the oldest one.
func (f *Files) Number(name string) uint16 {
	if len(f.names) > 0 && f.names[f.latest] == name {
		return uint16(f.latest)
	}
	if f.latest = slices.Index(f.names, name); f.latest < 0 {
		f.latest, f.next = f.next, (f.next+1)%maxFiles
		if f.latest == len(f.names) {
			f.names = append(f.names, "")
		}
		f.names[f.latest] = name
	}
	return uint16(f.latest)
}

// Name returns the name with a number.
func (f *Files) Name(number uint16) string { return f.names[number] }
