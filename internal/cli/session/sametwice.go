package session

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
)

// sameBeginning is how much of two files of one size has to be equal for them to be the same capture: it has the times
// of the first packets.
const sameBeginning = 64 << 10

// WarnDuplicates tells of files that are the same capture, whose datagrams count twice then. What cannot be read is told of
// elsewhere.
func WarnDuplicates(names []string, say func(error)) {
	sizes, count := make([]int64, len(names)), make(map[int64]int)
	for i, name := range names {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			sizes[i] = info.Size()
			count[info.Size()]++
		}
	}
	type alike struct {
		size int64
		sum  [sha256.Size]byte
	}
	first := make(map[alike]string)
	for i, name := range names {
		if sizes[i] == 0 || count[sizes[i]] < 2 {
			continue
		}
		sum, err := sumOfBeginning(name)
		if err != nil {
			continue
		}
		a := alike{sizes[i], sum}
		if other := first[a]; other != "" {
			say(fmt.Errorf("%s and %s seem to be the same capture: what it holds counts twice", other, name))
			continue
		}
		first[a] = name
	}
}

// sumOfBeginning gives a sum of the first bytes of a file.
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
