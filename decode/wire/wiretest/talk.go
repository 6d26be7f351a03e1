package wiretest

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/format"

	"github.com/google/gopacket"

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
// as in a Sample; a datagram may hold several. "lost" tells that bytes of a stream are missing, "end"
// when the capture ends. What was found stands in the .said file of the same name.
//
// Every rule of the protocol has to be broken by a talk or by a sample of the folder above, but for
// those listed in without.
func Talks(t *testing.T, p *wire.Protocol, dir string, without ...string) {
	files, err := filepath.Glob(filepath.Join(dir, "*.talk"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no talks in %s: %v", dir, err)
	}
	broken := make(map[string]bool)
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
			said := talk.play(p, broken)
			checkText(t, said)
			Golden(t, strings.TrimSuffix(file, ".talk")+".said", said)
		})
	}
	t.Run("coverage", func(t *testing.T) {
		samples, err := Samples(filepath.Dir(dir))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range samples {
			for r := read(p, p.New(), s); r.next(); {
				for _, f := range r.layer.Core().Findings() {
					broken[f.Rule.ID] = true
				}
			}
		}
		for _, id := range without {
			if broken[id] {
				t.Errorf("%s is listed as an exception, but is broken", id)
			}
			broken[id] = true
		}
		for _, rule := range p.Rules {
			if !broken[rule.ID] {
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
	what     string // "", "tcp", "lost" or "end"
	data     []byte
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

// player shows a talk to a protocol and writes down what is found.
type player struct {
	*talk
	layer   wire.Layer
	session wire.Session
	tracker wire.Tracker
	broken  map[string]bool
	said    []byte
}

// play gives what is found in the talk, and adds the rules that it breaks to broken.
func (t *talk) play(p *wire.Protocol, broken map[string]bool) []byte {
	y := &player{talk: t, layer: p.New(), broken: broken}
	if p.NewSession != nil {
		y.session = p.NewSession()
	}
	y.tracker = p.NewTracker(&wire.Reporter{Finding: y.remark, Value: y.value})
	now := int64(0)
	for i := range t.turns {
		n := &t.turns[i]
		now = max(now, n.when)
		y.tracker.Time(now)
		place := wire.Place{Frame: i + 1, Time: n.when, Src: n.src, Dst: n.dst, Protocol: p}
		if n.what == "tcp" || n.what == "lost" {
			place.Transport = wire.TCP
		}
		switch n.what {
		case "end":
		case "lost":
			y.said = append(y.where(&place), "  bytes are lost\n"...)
			y.tracker.Lost(&place)
		default:
			y.datagram(n, &place)
		}
	}
	y.tracker.Close(now)
	return y.said
}

// where begins a line.
func (y *player) where(p *wire.Place) []byte {
	return fmt.Appendf(y.said, "%.3f %s > %s", float64(p.Time)/1e9, y.names[p.Src], y.names[p.Dst])
}

// remark writes a finding that is about no message at hand. It stands before the message that
// showed it.
func (y *player) remark(r *wire.TrafficFinding) {
	y.broken[r.Rule.ID] = true
	y.said = fmt.Appendf(y.said, "! %s %s: %s (", r.Rule.ID, r.Rule.Severity, r.Text)
	y.said = append(y.where(&r.Place), ")\n"...)
}

func (y *player) value(v *wire.Value) {
	y.said = format.AppendEscaped(append(y.said, "= "...), []byte(v.Who+" "+v.What+" "))
	if v.State {
		y.said = append(format.AppendQuoted(y.said, []byte(v.Text)), '\n')
		return
	}
	y.said = fmt.Appendf(y.said, "%.4g%s\n", v.Number, v.Unit)
}

// datagram shows the messages of a turn and writes a line for each, and its findings.
func (y *player) datagram(n *turn, place *wire.Place) {
	d := &wire.Datagram{Src: n.src, Dst: n.dst, Payload: n.data}
	part := y.layer.Core()
	for len(d.Payload) > 0 {
		part.Context = wire.Context{Transport: place.Transport, Direction: y.direction(n)}
		if y.session != nil {
			y.session.Before(y.layer, d)
		}
		_ = y.layer.DecodeFromBytes(d.Payload, gopacket.NilDecodeFeedback) // its error is a finding, or of no interest here
		if y.session != nil {
			y.session.After(y.layer, d)
		}
		y.tracker.Message(y.layer, place)
		y.said = fmt.Appendf(y.where(place), "  %s", part.Message.Name)
		if s := summary(y.layer); s != nil && part.Fault() == nil {
			y.said = bytes.TrimRight(s.AppendSummary(append(y.said, "  "...)), " ")
		}
		y.said = append(y.said, '\n')
		for _, f := range part.Findings() {
			y.broken[f.Rule.ID] = true
			y.said = fmt.Appendf(y.said, "  ! %s %s: %s\n", f.Rule.ID, f.Rule.Severity, f.Text)
		}
		if len(part.Contents) == 0 {
			return
		}
		d.Payload = part.Payload
	}
}

func (y *player) direction(n *turn) wire.Direction {
	switch {
	case strings.HasPrefix(y.names[n.dst], "server"):
		return wire.ToServer
	case strings.HasPrefix(y.names[n.src], "server"):
		return wire.FromServer
	}
	return wire.Unknown
}

// summary is what tells a message in a line.
func summary(l wire.Layer) wire.Summarizer {
	if s, ok := l.(wire.Summarizer); ok {
		return s
	}
	s, _ := l.Core().Body.(wire.Summarizer)
	return s
}
