package bpf

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"os"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
)

// testdata/verdicts.txt has lines of three kinds, all with a link type:
//
// packet LINK HEX             a frame
// filter LINK SUM N FILTER    libpcap accepts N of the frames; SUM is a checksum of its verdicts
// refused LINK FILTER         libpcap refuses the filter
//
// The lines were made with libpcap 1.10.3 on Linux. It compiled the filters for reading files, without its optimizer.
func TestVerdicts(t *testing.T) {
	file, err := os.Open("testdata/verdicts.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	packets := map[capture.LinkType][][]byte{}
	count := map[string]int{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		kind, rest, _ := strings.Cut(lines.Text(), " ")
		if kind == "#" {
			continue
		}
		number, rest, _ := strings.Cut(rest, " ")
		var link capture.LinkType
		if _, err := fmt.Sscan(number, (*uint16)(&link)); err != nil {
			t.Fatal(lines.Text(), err)
		}
		count[kind]++
		switch kind {
		case "packet":
			b, err := hex.DecodeString(rest)
			if err != nil {
				t.Fatal(lines.Text(), err)
			}
			packets[link] = append(packets[link], b)
		case "refused":
			if _, err := Compile(rest, link, 0); err == nil {
				t.Errorf("%s (%v): libpcap refuses the filter", rest, link)
			}
		case "filter":
			want, filter, _ := strings.Cut(rest, " ")
			accepted, filter, _ := strings.Cut(filter, " ")
			code, err := ourCode(filter, link)
			if err != nil {
				t.Errorf("%s (%v): %v", filter, link, err)
			} else if sum, n := verdicts(code, packets[link]); sum != want || fmt.Sprint(n) != accepted {
				t.Errorf("%s (%v): accepts %d packets, libpcap accepts %s", filter, link, n, accepted)
			}
		}
	}
	if count["packet"] < 300 || count["filter"] < 500 || count["refused"] < 100 {
		t.Errorf("testdata/verdicts.txt has only %v", count)
	}
}

// verdicts runs a program on packets that are truncated after each byte in turn. It returns a checksum of the verdicts,
// and the number of complete packets that the program accepts.
func verdicts(code []RawInstruction, packets [][]byte) (sum string, whole int) {
	h := fnv.New64a()
	for _, p := range packets {
		for n := range len(p) + 1 {
			verdict := byte(0)
			if run(code, p[:n], uint32(len(p))) != 0 {
				verdict = 1
				if n == len(p) {
					whole++
				}
			}
			h.Write([]byte{verdict})
		}
	}
	return fmt.Sprintf("%016x", h.Sum64()), whole
}
