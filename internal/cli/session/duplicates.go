package session

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
)

// sameBeginning is the number of bytes to compare at the start of two files of equal size. If these bytes are equal,
// the files are considered the same capture, since the bytes include the times of many packets.
const sameBeginning = 64 << 10

// WarnDuplicates calls say with a warning for each file that seems to be the same capture as an earlier file. It skips
// unreadable files, because opening them later will report the error.
func WarnDuplicates(names []string, say func(error)) {
	sizes, count := make([]int64, len(names)), make(map[int64]int)
	for i, name := range names {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			sizes[i] = info.Size()
			count[info.Size()]++
		}
	}
	type fingerprint struct {
		size int64
		sum  [sha256.Size]byte
	}
	first := make(map[fingerprint]string)
	for i, name := range names {
		if sizes[i] == 0 || count[sizes[i]] < 2 {
			continue
		}
		sum, err := sumOfBeginning(name)
		if err != nil {
			continue
		}
		found := fingerprint{sizes[i], sum}
		if other := first[found]; other != "" {
			say(fmt.Errorf("%s and %s seem to be the same capture: its packets count twice", other, name))
			continue
		}
		first[found] = name
	}
}

// sumOfBeginning returns the checksum of the first sameBeginning bytes of a file.
func sumOfBeginning(name string) (sum [sha256.Size]byte, err error) {
	f, err := os.Open(name)
	if err != nil {
		return sum, err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, io.LimitReader(f, sameBeginning))
	return [sha256.Size]byte(h.Sum(nil)), err
}
