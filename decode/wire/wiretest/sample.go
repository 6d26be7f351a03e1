package wiretest

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// A Sample is a datagram, or a message of a stream, with its context.
//
//	# The list of a master with one server; real traffic.
//	src: 127.0.0.1:28000
//	dst: 127.0.0.1:39316
//
//	10 06 01 01 6666 0066   # header
//	05 "Forty" 00 00 01
//
// The first line is a comment with the content and the origin of the sample. Lines with a key and a colon follow, and
// then the bytes: pairs of hex digits and quoted texts, with any white space between them. A comment ends at the end of
// its line.
type Sample struct {
	Name string // name of the file, without .hex
	Data []byte

	Direction wire.Direction // "direction: c2s", "s2c" or "p2p"
	Dialect   wire.Dialect   // "dialect: document"
	Missing   int            // "missing: 12", the number of bytes that the snap length cut off
	Transport wire.Transport // "transport: tcp"
	Src, Dst  netip.AddrPort // "src: 10.0.0.1:4000"; without endpoints there is no session

	// "after: handshake.hex" means that the session receives the messages of that sample first. If such samples have no
	// endpoints, they belong to the same connection.
	After string
	after *Sample

	// "layout: 8 why" means that the meaning of the fields from offset 8 on depends on bytes after them. If the snap
	// length cuts off those bytes, the fields cannot be read.
	Layout    int
	LayoutWhy string

	// "breaks: tribes.short-string error 22-28" states a finding: a rule, its severity, and the bytes of the sample
	// that it is about. A single byte is "22", and an empty range is "at 22". There is one line for each finding, in
	// the order in which the message is read. Authors write these lines by hand, from the protocol's document, because
	// a golden file cannot show that a severity or a range is wrong.
	Breaks []string

	// "unrecognised: why" means that these bytes by themselves do not identify the protocol.
	Unrecognised string
}

// Samples reads all samples in a folder.
func Samples(dir string) ([]*Sample, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.hex"))
	if err != nil {
		return nil, err
	}
	var list []*Sample
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		s, err := parse(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		s.Name = strings.TrimSuffix(filepath.Base(name), ".hex")
		list = append(list, s)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no samples in %s", dir)
	}
	return list, order(list)
}

// order finds the sample that the header "after" names.
func order(list []*Sample) error {
	for _, s := range list {
		if s.After == "" {
			continue
		}
		i := slices.IndexFunc(list, func(o *Sample) bool { return o.Name+".hex" == s.After })
		if i < 0 {
			return fmt.Errorf("%s.hex follows %s, which is not in its folder", s.Name, s.After)
		}
		for o := list[i]; o != nil; o = o.after {
			if o == s {
				return fmt.Errorf("%s.hex follows itself", s.Name)
			}
		}
		s.after = list[i]
	}
	return nil
}

func parse(text string) (*Sample, error) {
	what, _, _ := strings.Cut(text, "\n")
	if what, ok := strings.CutPrefix(what, "# "); !ok || strings.TrimSpace(what) == "" {
		return nil, errors.New("the first line must say what the sample is: \"# ...\"")
	}
	s := new(Sample)
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		key, value, header := strings.Cut(line, ": ")
		var err error
		switch {
		case strings.HasPrefix(line, "#"):
		case header && len(s.Data) == 0 && !strings.ContainsAny(key, "\"# "):
			err = s.set(key, strings.TrimSpace(value))
		default:
			err = s.bytes(line)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	if s.Src.IsValid() != s.Dst.IsValid() {
		return nil, errors.New("a sample must have both src and dst, or neither")
	}
	return s, nil
}

// set sets a field from a header line.
func (s *Sample) set(key, value string) (err error) {
	switch key {
	case "direction":
		s.Direction, err = choice(value, wire.ToServer, wire.FromServer, wire.PeerToPeer)
	case "dialect":
		if value != "document" {
			return fmt.Errorf("unknown dialect %q", value)
		}
		s.Dialect = wire.Document
	case "transport":
		if value != "tcp" {
			return fmt.Errorf("transport must be tcp or omitted, not %q", value)
		}
		s.Transport = wire.TCP
	case "missing":
		s.Missing, err = strconv.Atoi(value)
	case "src":
		s.Src, err = netip.ParseAddrPort(value)
	case "dst":
		s.Dst, err = netip.ParseAddrPort(value)
	case "layout":
		offset, why, _ := strings.Cut(value, " ")
		if why == "" {
			return errors.New("layout must have an offset and a reason")
		}
		s.LayoutWhy = why
		s.Layout, err = strconv.Atoi(offset)
	case "breaks":
		s.Breaks = append(s.Breaks, value)
	case "after":
		s.After = value
	case "unrecognised":
		s.Unrecognised = value
	default:
		err = fmt.Errorf("unknown header %q", key)
	}
	return err
}

func choice(value string, list ...wire.Direction) (wire.Direction, error) {
	for _, d := range list {
		if d.String() == value {
			return d, nil
		}
	}
	return 0, fmt.Errorf("unknown direction %q", value)
}

// bytes appends the bytes of a line of hex digits and quoted texts.
func (s *Sample) bytes(line string) error {
	for {
		line = strings.TrimLeft(line, " \t")
		if line == "" || line[0] == '#' {
			return nil
		}
		if line[0] == '"' {
			quoted, err := strconv.QuotedPrefix(line)
			if err != nil {
				return fmt.Errorf("text %s: %w", line, err)
			}
			text, err := strconv.Unquote(quoted)
			if err != nil {
				return fmt.Errorf("text %s: %w", quoted, err)
			}
			s.Data = append(s.Data, text...)
			line = line[len(quoted):]
			continue
		}
		word := line
		if i := strings.IndexAny(line, " \t\"#"); i >= 0 {
			word = line[:i]
		}
		b, err := hex.DecodeString(word)
		if err != nil {
			return err
		}
		s.Data = append(s.Data, b...)
		line = line[len(word):]
	}
}

// appendBreaks appends the findings of a message at offset off, in the form of the header "breaks".
func appendBreaks(list []string, l wire.Layer, off int) []string {
	for _, f := range l.Core().Findings() {
		first, last := off+f.Off, off+f.Off+f.Size-1
		where := strconv.Itoa(first)
		switch {
		case f.Size == 0:
			where = "at " + where
		case f.Size > 1:
			where += "-" + strconv.Itoa(last)
		}
		list = append(list, f.Rule.ID+" "+f.Rule.Severity.String()+" "+where)
	}
	return list
}
