package decode

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/tcp"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// A scene is random traffic of a few hosts, with losses, repetitions and jumps of the time.
type scene struct {
	*rand.Rand
	t       *testing.T
	packets [][]byte
	times   []int64
	links   []*wired
	id      byte
}

func newScene(t *testing.T, seed uint64, steps int) *scene {
	s := &scene{t: t, Rand: rand.New(rand.NewPCG(seed, 250))}
	for _, ends := range [][2]string{{client, server}, {other, server}, {client, offPort}} {
		w := newWired(t, ends[0], ends[1])
		w.sent = func(p []byte) { s.packets = append(s.packets, p) }
		if s.IntN(3) > 0 {
			w.open()
		}
		s.links = append(s.links, w)
	}
	for range steps {
		s.step()
	}
	now := int64(time.Hour)
	for range s.packets {
		switch s.IntN(40) {
		case 0:
			now += int64(40 * time.Second)
		case 1:
			now -= int64(time.Minute)
		case 2, 3, 4:
			now -= int64(s.IntN(int(time.Second)))
		default:
			now += int64(s.IntN(int(time.Second)))
		}
		s.times = append(s.times, now)
	}
	return s
}

// step appends the next packets.
func (s *scene) step() {
	w, side := s.links[s.IntN(len(s.links))], s.IntN(2)
	text := saying("S>", strings.Repeat(string(rune('a'+s.IntN(26))), 1+s.IntN(60)))
	last := len(s.packets) - 1
	switch s.IntN(11) {
	case 0:
		s.packets = append(s.packets, udpPacket(s.t, client, server, text))
	case 1:
		to := fmt.Sprintf("198.51.100.2:%d", 9000+s.IntN(3))
		s.packets = append(s.packets, udpPacket(s.t, other, to, "MSW"[s.IntN(3):][:1]+text[1:]))
	case 2, 3:
		s.fragments(text)
	case 4, 5, 6:
		w.send(side, text)
	case 7:
		w.send(side, text[:s.IntN(len(text))])
	case 8:
		w.lose(side, 1+s.IntN(20))
		w.send(side, text+text)
	case 9: // a retransmission, perhaps with other bytes
		n := uint32(1 + s.IntN(30))
		w.at(side, w.seq[side]-n, tcp.ACK, strings.Repeat(text[:1], int(n)), 0)
	case 10:
		if last > 0 {
			s.packets[last], s.packets[last-1] = s.packets[last-1], s.packets[last]
		}
	}
}

// fragments appends the fragments of a datagram. One may be missing, and some may come twice.
func (s *scene) fragments(text string) {
	s.id++
	parts := inFragments(udpPacket(s.t, client, server, text), s.id, 16)
	for _, p := range slices.Clone(parts) {
		if s.IntN(6) == 0 {
			parts = append(parts, p)
		}
	}
	s.Shuffle(len(parts), func(i, k int) { parts[i], parts[k] = parts[k], parts[i] })
	s.packets = append(s.packets, parts[s.IntN(2):]...)
}

// play passes copies of the scene to an engine, packet by packet, each copy with its own hosts. It returns the output
// for each copy.
func (s *scene) play(copies int, o Options) (all [][]string) {
	all = make([][]string, copies)
	add := func(p *wire.Place, format string, args ...any) {
		host := p.Src.Addr().As4()
		k := int(host[1])<<8 + int(host[2])
		all[k] = append(all[k], fmt.Sprint((p.Frame-1)/copies, p.Time, p.Src.Port(), p.Dst.Port(), " ")+fmt.Sprintf(format, args...))
	}
	o.Protocols = []*wire.Protocol{toyStreams()}
	o.Message = func(m *Message) { add(&m.Place, "%v %d %q", m.Direction, m.At, m.Data) }
	o.Finding = func(f *wire.TrafficFinding) {
		text := f.Text
		switch f.Rule {
		case RuleJump:
			return // a jump concerns all copies
		case RuleFragmentLost:
			text = text[strings.LastIndexByte(text, ',')+1:] // the text begins with addresses and frames
		}
		add(&f.Place, "%s %s", f.Rule.ID, text)
	}
	e := New(o)
	for i, p := range s.packets {
		for k := range copies {
			p[13], p[14], p[17], p[18] = byte(k>>8), byte(k), byte(k>>8), byte(k)
			e.Frame(&Frame{Data: p, Length: len(p), Time: s.times[i], Link: ip.LinkRaw, Number: i*copies + k + 1})
		}
	}
	e.Close()
	if f := e.Counters().Forgotten; len(f) > 0 {
		s.t.Fatalf("%v are forgotten", f)
	}
	return all
}

// Copies of a capture, each with its own hosts, do not affect each other.
func TestCopiesAreAlike(t *testing.T) {
	scenes, many := uint64(40), 250
	if wiretest.RaceDetector {
		scenes, many = 8, 25
	}
	for seed := range scenes {
		s := newScene(t, seed, 150)
		want := s.play(1, Options{})[0]
		copies := 3
		if seed < 4 {
			copies = many
		}
		for k, got := range s.play(copies, Options{Parallel: seed%2 == 0}) {
			if !slices.Equal(got, want) {
				i := 0
				for i < min(len(got), len(want)) && got[i] == want[i] {
					i++
				}
				t.Fatalf("scene %d, copy %d of %d, from %d on:\n%q\nwant\n%q", seed, k, copies, i, got[i:], want[i:])
			}
		}
		if seed == 0 {
			t.Log(strings.Join(want, "\n"))
		}
	}
}
