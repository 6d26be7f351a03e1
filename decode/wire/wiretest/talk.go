package wiretest

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Talks shows conversations to a protocol's tracker and compares what it finds with golden files.
// A conversation is a .talk file:
//
//	# An answer that nobody asked for; made by hand.
//	client: 192.0.2.1:4000
//	server: 192.0.2.2:6969
//
//	0.000 client > server
//	07 00 0d 00000001
//	0.250 server > client tcp
//	...
//	3.000 server > client lost
//	9.000 end
//
// The first line says what it is. Names of endpoints follow; what goes to or comes from the
// endpoint "server" (or one whose name begins with it) has that direction. Each message is a line
// with its time in seconds and its way, "tcp" behind it if it is not a datagram, and then its bytes
// as in a Sample; a datagram may hold several. "lost" tells that bytes of a stream are missing, "closed" that it
// ends, "end" when the capture ends. What was found stands in the .said file of the same name. Behind a message
// "breaks: RULE SEVERITY BYTES", as in a Sample, states a finding of it; if one is stated, all are.
//
// Each conversation is also played many times at once, between other hosts each time, see checkMany: what is found
// of one is what is found of each. Addresses in what is said are then other ones as well. And it is played with each
// message lost that a client sends over a connection, see checkLost.
//
// Every rule of the protocol has to be broken by a talk or by a sample of the folder above, but for
// those listed in without.
func Talks(t *testing.T, p *wire.Protocol, dir string, without ...string) {
	files, err := filepath.Glob(filepath.Join(dir, "*.talk"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no talks in %s: %v", dir, err)
	}
	broken := make(map[string]int)
	var talks []*talk
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".talk"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			talk, err := parseTalk(string(text))
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			talks = append(talks, talk)
			said := talk.play(p, broken)
			checkText(t, said)
			checkStated(t, p, talk)
			checkNamed(t, p, talk)
			checkNext(t, p, talk)
			checkLost(t, p, talk)
			checkDirections(t, p, talk)
			checkMany(t, p, talk)
			Golden(t, strings.TrimSuffix(file, ".talk")+".said", said)
		})
	}
	t.Run("bounded", func(t *testing.T) { checkBounded(t, p, talks) })
	t.Run("coverage", func(t *testing.T) {
		samples, err := Samples(filepath.Dir(dir))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range samples {
			for r := read(p, p.New(), s); r.next(); {
				for _, f := range r.layer.Core().Findings() {
					broken[f.Rule.ID]++
				}
			}
		}
		for _, id := range without {
			if broken[id] > 0 {
				t.Errorf("%s is listed as an exception, but is broken", id)
			}
			broken[id]++
		}
		for _, rule := range p.Rules {
			if broken[rule.ID] == 0 {
				t.Errorf("no talk and no sample breaks %s", rule.ID)
			}
		}
	})
}

// talk is a conversation.
type talk struct {
	names map[netip.AddrPort]string
	turns []turn
}

// turn is a message of it, or something that happens.
type turn struct {
	when     int64 // nanoseconds
	src, dst netip.AddrPort
	what     string // "", "tcp", "lost", "closed", "end", or "wait": for a packet of others
	data     []byte
	breaks   []string // the findings of its messages, if they are stated
}

func parseTalk(text string) (*talk, error) {
	if !strings.HasPrefix(text, "# ") {
		return nil, errors.New("the first line has to say what the talk is: \"# ...\"")
	}
	t := &talk{names: make(map[netip.AddrPort]string)}
	ends := make(map[string]netip.AddrPort)
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		var err error
		name, address, named := strings.Cut(line, ": ")
		switch {
		case line == "" || line[0] == '#':
		case named && len(t.turns) == 0 && !strings.ContainsAny(name, " \"#"):
			err = t.declare(name, strings.TrimSpace(address), ends)
		case strings.Contains(line, " > ") && line[0] != '"' || strings.HasSuffix(line, " end"):
			err = t.turn(line, ends)
		case len(t.turns) == 0:
			err = errors.New("bytes before the first message")
		case name == "breaks" && named:
			last := &t.turns[len(t.turns)-1]
			last.breaks = append(last.breaks, address)
		default:
			var s Sample
			err = s.bytes(line)
			last := &t.turns[len(t.turns)-1]
			last.data = append(last.data, s.Data...)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	return t, nil
}

// declare reads the endpoint that a name stands for. One of them has one name: with two it would be open which
// of them says who is the server.
func (t *talk) declare(name, address string, ends map[string]netip.AddrPort) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	if _, ok := ends[name]; ok {
		return fmt.Errorf("%s is declared twice", name)
	}
	if other, ok := t.names[at]; ok {
		return fmt.Errorf("%s is the endpoint that is called %s already", name, other)
	}
	ends[name], t.names[at] = at, name
	return nil
}

// turn reads "0.250 client > server tcp".
func (t *talk) turn(line string, ends map[string]netip.AddrPort) error {
	words := strings.Fields(line)
	seconds, err := strconv.ParseFloat(words[0], 64)
	if err != nil {
		return err
	}
	next := turn{when: int64(seconds * 1e9)}
	if words[1] == "end" {
		next.what = "end"
	} else {
		if len(words) < 4 {
			return fmt.Errorf("%q is no turn", line)
		}
		var ok, ok2 bool
		next.src, ok = ends[words[1]]
		next.dst, ok2 = ends[words[3]]
		if !ok || !ok2 {
			return fmt.Errorf("%q has a name that is not declared", line)
		}
		if len(words) > 4 {
			next.what = words[4]
		}
	}
	t.turns = append(t.turns, next)
	return nil
}
