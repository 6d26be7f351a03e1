package bpf

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
)

const verdicts = "testdata/verdicts.txt"

// goldenPackets are the same on every machine: whole ones, and each cut somewhere.
func goldenPackets(link capture.LinkType) (packets [][]byte, lengths []int) {
	r := rand.New(rand.NewPCG(2026, uint64(link)))
	for range 500 {
		p := somePacket(r, link)
		for _, n := range []int{len(p), r.IntN(len(p) + 1)} {
			packets = append(packets, p[:n])
			lengths = append(lengths, len(p))
		}
	}
	return packets, lengths
}

// digest sums up what a program says about the packets of a link type.
func digest(code []RawInstruction, link capture.LinkType) string {
	h := fnv.New64a()
	packets, lengths := goldenPackets(link)
	accepted := 0
	for i, p := range packets {
		verdict := byte(0)
		if run(code, p, uint32(lengths[i])) != 0 {
			verdict = 1
			accepted++
		}
		h.Write([]byte{verdict})
	}
	return fmt.Sprintf("%016x %d", h.Sum64(), accepted)
}

// Each line has a link type, what libpcap's unoptimized program says about the packets, how many it
// accepts, and the filter. They were made by libpcap 1.10.3 on Linux.
func TestVerdicts(t *testing.T) {
	file, err := os.Open(verdicts)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	count := 0
	for lines := bufio.NewScanner(file); lines.Scan(); count++ {
		var link capture.LinkType
		var sum, accepted string
		if _, err := fmt.Sscan(lines.Text(), &link, &sum, &accepted); err != nil {
			t.Fatal(lines.Text(), err)
		}
		filter := strings.Join(strings.Split(lines.Text(), " ")[3:], " ")
		if link == linkNull && !hostIsLittle() || (link == linkNull || link == linkLoop) && runtime.GOOS != "linux" {
			continue // made for another system's address families
		}
		tokens, err := lex(filter)
		if err != nil {
			t.Fatalf("%s: %v", filter, err)
		}
		code, err := compileOwn(filter, tokens, link, 1000)
		if err != nil {
			t.Errorf("%s: %v", filter, err)
			continue
		}
		if got, want := digest(code, link), sum+" "+accepted; got != want {
			t.Errorf("%s (%v): %s, libpcap %s\n%v", filter, link, got, want, &Program{code: code})
		}
	}
	if count < 300 {
		t.Errorf("%d filters", count)
	}
}
