package wiretest

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// talk is a conversation to play: see Talks.
type talk struct {
	names map[netip.AddrPort]string
	turns []turn
	hides []string // rules that the talk may break if a message is missing: see checkNetwork
}

// turn is a message of a talk, or another event.
type turn struct {
	when     int64 // nanoseconds
	src, dst netip.AddrPort
	what     string // "", "tcp" or an event of Talks; also "jump", and "wait" for another packet
	data     []byte
	breaks   []string // the findings that the talk states for the turn's messages; nil: it states none
}

func parseTalk(text string) (*talk, error) {
	if !strings.HasPrefix(text, "# ") {
		return nil, errors.New("the first line must say what the talk is: \"# ...\"")
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
		case name == "hides" && len(t.turns) == 0:
			t.hides = append(t.hides, address)
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

// declare parses the endpoint of a name. An endpoint may have only one name, because the name shows whether it is a
// server.
func (t *talk) declare(name, address string, ends map[string]netip.AddrPort) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	if _, ok := ends[name]; ok {
		return fmt.Errorf("%s is declared twice", name)
	}
	if other, ok := t.names[at]; ok {
		return fmt.Errorf("%s has the endpoint of %s", name, other)
	}
	ends[name], t.names[at] = at, name
	return nil
}

// turn parses a line such as "0.250 client > server tcp".
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
			return fmt.Errorf("%q is not a turn", line)
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

// direction returns the direction of a turn, according to the names of its endpoints.
func (t *talk) direction(n *turn) wire.Direction {
	switch {
	case strings.HasPrefix(t.names[n.dst], "server"):
		return wire.ToServer
	case strings.HasPrefix(t.names[n.src], "server"):
		return wire.FromServer
	}
	return wire.Unknown
}
