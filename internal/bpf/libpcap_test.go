//go:build !nolibpcap && (linux || darwin) && (amd64 || arm64)

package bpf

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ebitengine/purego"

	"github.com/gamedissect/gamedissect/capture"
)

func needLibrary(t testing.TB) *libpcap {
	l := library()
	if l.err != nil {
		t.Skip("needs libpcap: ", l.err)
	}
	return l
}

// theirs compiles with libpcap. That nothing can get through is an error of its optimizer alone.
func (l *libpcap) theirs(t testing.TB, filter string, link capture.LinkType, optimize bool) ([]RawInstruction, bool) {
	tokens, err := lex(filter)
	if err != nil {
		t.Fatalf("%s: %v", filter, err)
	}
	text, err := spellOut(filter, tokens)
	if err != nil {
		t.Fatalf("%s: %v", filter, err)
	}
	code, err := l.compile(text, link, 1000, optimize)
	if err != nil && err.Error() == "expression rejects all packets" {
		return []RawInstruction{{Op: classReturn}}, true
	}
	return code, err == nil
}

// maskedOut finds nets of which whole words are masked out. libpcap reads those without its optimizer only.
var maskedOut = regexp.MustCompile(`net (0\.0\.0\.0/0|\S*::/([0-9]|[1-8][0-9]|9[0-6])\b|2001:db8::/)`)

// The own compiler decides as libpcap: about packets cut anywhere as its compiler, about others as its optimizer, too.
func TestVerdictsAreLibpcaps(t *testing.T) {
	l := needLibrary(t)
	r := rand.New(rand.NewPCG(1, 2))
	rounds := 900
	if testing.Short() {
		rounds = 100
	}
	var compared, accepted, moved int
	for round := range rounds {
		link := someLinks[round%len(someLinks)]
		filter := someFilter(r, link, r.IntN(4))
		own, err := ourCode(filter, link)
		literal, ok := l.theirs(t, filter, link, false)
		if !ok && err != nil {
			continue // both refuse it
		}
		fast, ok2 := l.theirs(t, filter, link, true)
		if err != nil || !ok || !ok2 {
			t.Fatalf("%s (%v): we say %v, libpcap takes it: %v, with its optimizer: %v", filter, link, err, ok, ok2)
		}
		exact := !maskedOut.MatchString(filter)
		for range 60 {
			p := somePacket(r, link)
			full := append(p, make([]byte, 160)...)
			length := uint32(len(p))
			if a, b, c := run(own, full, length), run(literal, full, length), run(fast, full, length); a != b || a != c {
				t.Fatalf("%s (%v), packet %x: %d, libpcap %d, optimized %d\n%v", filter, link, full, a, b, c, &Program{code: own})
			}
			for n := len(p); n >= 0; n-- {
				got := run(own, p[:n], length)
				if want := run(literal, p[:n], length); exact && got != want {
					t.Fatalf("%s (%v), packet %x: %d, libpcap %d\n%v", filter, link, p[:n], got, want, &Program{code: own})
				}
				if run(fast, p[:n], length) != got {
					moved++
				}
				if got != 0 {
					accepted++
				}
				compared++
			}
		}
	}
	t.Logf("%d verdicts, %d of them accept; libpcap's optimizer changes %d about cut packets", compared, accepted, moved)
	if accepted < compared/10 || accepted > compared*9/10 {
		t.Errorf("%d of %d accepted: the packets do not try the filters", accepted, compared)
	}
}

// Who asks the kernel which way a packet went asks in libpcap's words, on Linux.
func TestInboundIsLibpcaps(t *testing.T) {
	l := needLibrary(t)
	if runtime.GOOS != "linux" {
		t.Skip("other systems have other words")
	}
	for _, link := range someLinks {
		for _, filter := range []string{"inbound", "outbound"} {
			theirs, ok := l.theirs(t, filter, link, false)
			own, err := ourCode(filter, link)
			if err != nil || !ok || !slices.Equal(own[:1], theirs[:1]) || own[1].K != theirs[1].K {
				t.Errorf("%s (%v): %v\n%v\nlibpcap: %v", filter, link, err, &Program{code: own}, &Program{code: theirs})
			}
		}
	}
}

// A condition alone is decided as by libpcap's optimizer for packets cut anywhere.
func TestConditionsAreLibpcaps(t *testing.T) {
	l := needLibrary(t)
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 600 {
		link := someLinks[round%len(someLinks)]
		filter := someCondition(r, link)
		if regexp.MustCompile(`( or| and) [0-9]`).MatchString(filter) {
			continue // two conditions
		}
		own, err := ourCode(filter, link)
		fast, ok := l.theirs(t, filter, link, true)
		if (err == nil) != ok {
			t.Fatalf("%s (%v): we say %v, libpcap takes it: %v", filter, link, err, ok)
		}
		for range 60 {
			p := somePacket(r, link)
			for n := range len(p) + 1 {
				if got, want := run(own, p[:n], uint32(len(p))), run(fast, p[:n], uint32(len(p))); got != want {
					t.Fatalf("%s (%v), packet %x: %d, libpcap %d\n%v", filter, link, p[:n], got, want, &Program{code: own})
				}
			}
		}
	}
}

func TestLibpcapsLanguage(t *testing.T) {
	l := needLibrary(t)
	for filter, ok := range map[string]bool{
		"ether host 00:11:22:aa:bb:cc":           true,
		`ether proto \arp or \ip`:                true,
		"tcp[tcpflags] & (tcp-syn|tcp-fin) != 0": true,
		"icmp6[icmp6type] = icmp6-echo":          true,
		"portrange 5 - 9 or 10-12":               true,
		"tcp[12] - 5 > 3*2":                      true,
		"ip broadcast or ip multicast":           false, // needs the interface's mask
		"mpls 5 and port http":                   true,
		"pppoes and ip6 host ::ffff:1.2.3.4":     true,
		"port (53 or 54 or domain)":              true,
		"host 1.2.3.4/32":                        false,
		"tcp and":                                false,
	} {
		p, err := Compile(filter, linkEthernet, 0)
		if (err == nil) != ok {
			t.Errorf("%s: %v", filter, err)
		}
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.By != l.version || e.Off != -1 || e.Excerpt() != filter {
				t.Errorf("%s: %#v", filter, err)
			}
			continue
		}
		if code := p.Raw(); code[len(code)-2].K != defaultSnap && code[len(code)-1].K != defaultSnap {
			t.Errorf("%s: asks for another number of bytes\n%v", filter, p)
		}
	}
}

// Programs read as libpcap shows them.
func TestStringIsLibpcaps(t *testing.T) {
	needLibrary(t)
	var image func(in *RawInstruction, at int32) string
	for _, name := range libraries() {
		if handle, err := purego.Dlopen(name, purego.RTLD_NOW); err == nil {
			purego.RegisterLibFunc(&image, handle, "bpf_image")
			break
		}
	}
	seen := 0
	for op := range uint16(256) {
		in := RawInstruction{Op: op, Jt: 1, Jf: 2, K: 7}
		if !known(in) || op == classLoadX|modeLength { // which libpcap knows and does not show
			continue
		}
		seen++
		if got, want := disassemble(in, 3), image(&in, 3); got != want {
			t.Errorf("%#02x: %q, libpcap says %q", op, got, want)
		}
	}
	if seen < 45 {
		t.Errorf("%d instructions", seen)
	}
}

var update = flag.Bool("update", false, "write testdata/verdicts.txt with libpcap")

// With -update, the file that machines without libpcap are tested by is written anew.
func TestUpdateVerdicts(t *testing.T) {
	if !*update {
		t.Skip("needs -update")
	}
	l := needLibrary(t)
	var b strings.Builder
	r := rand.New(rand.NewPCG(5, 6))
	for count := 0; count < 420; {
		link := someLinks[count%len(someLinks)]
		filter := someFilter(r, link, r.IntN(3))
		code, ok := l.theirs(t, filter, link, false)
		if !ok || maskedOut.MatchString(filter) {
			continue
		}
		count++
		fmt.Fprintf(&b, "%d %s %s\n", link, digest(code, link), filter)
	}
	if err := os.WriteFile(verdicts, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// compareWithLibrary tries a program that the own compiler made against libpcap's.
func compareWithLibrary(t *testing.T, filter string, link capture.LinkType, code []RawInstruction) {
	l := library()
	if l.err != nil || len(filter) > 1000 {
		return
	}
	literal, ok := l.theirs(t, filter, link, false)
	if !ok {
		t.Fatalf("%q (%v): libpcap refuses it", filter, link)
	}
	r := rand.New(rand.NewPCG(13, 14))
	for range 30 {
		p := append(somePacket(r, link), make([]byte, 160)...)
		if got, want := run(code, p, 100), run(literal, p, 100); got != want {
			t.Fatalf("%q (%v), packet %x: %d, libpcap %d", filter, link, p, got, want)
		}
	}
}
