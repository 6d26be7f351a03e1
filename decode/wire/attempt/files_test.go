package attempt_test

import (
	"strconv"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/attempt"
)

// If there are too many files, Files still distinguishes the most recent ones.
func TestFiles(t *testing.T) {
	const many, kept = 10_000, 4096
	var f attempt.Files
	var numbers [many]uint16
	for i := range many {
		numbers[i] = f.Number(strconv.Itoa(i))
		f.Number(strconv.Itoa(max(0, i-1))) // packets of two files may alternate
	}
	for i := many - kept; i < many; i++ {
		if got := f.Name(numbers[i]); got != strconv.Itoa(i) {
			t.Fatalf("file %d is called %s", i, got)
		}
	}
}
