package attempt_test

import (
	"strconv"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/attempt"
)

// Of very many files, the last ones are distinguished.
func TestFiles(t *testing.T) {
	const many, kept = 10_000, 4096
	var f attempt.Files
	var numbers [many]uint16
	for i := range many {
		numbers[i] = f.Number(strconv.Itoa(i))
		f.Number(strconv.Itoa(max(0, i-1))) // files may overlap
	}
	for i := many - kept; i < many; i++ {
		if got := f.Name(numbers[i]); got != strconv.Itoa(i) {
			t.Fatalf("file %d is called %s", i, got)
		}
	}
}
