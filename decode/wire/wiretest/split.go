package wiretest

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Limits on the bytes that a splitter may read: per byte of a stream, and per piece in which the stream arrives. A
// splitter may also read firstShown bytes per message.
const (
	shownByte  = 8
	shownPiece = 1 << 10
	streamSize = 8 << 10 // large enough that the limits are far below its square
)

// isStream reports whether a sample is the beginning of a stream that the protocol can split.
func isStream(p *wire.Protocol, s *Sample) bool {
	return s.Transport == wire.TCP && p.NewSplitter != nil && len(s.Data) > 0
}

// checkSplits runs checkSplit with the sample in each direction. It also runs checkSplit with long streams: the
// beginning of the sample, followed by repetitions of its last byte or last half.
func checkSplits(t reporter, p *wire.Protocol, s *Sample) {
	if !isStream(p, s) {
		return
	}
	first := &counter{reporter: t}
	for way := wire.Unknown; way <= wire.PeerToPeer; way++ {
		other := *s
		other.Direction = way
		checkSplit(first, p, &other)
	}
	for n := 1; n <= 4 && first.failures == 0; n++ {
		begin := s.Data[:(len(s.Data)*n+3)/4]
		for _, again := range [][]byte{begin[len(begin)-1:], begin[len(begin)/2:]} {
			long := *s
			long.Data = append(bytes.Clone(begin), bytes.Repeat(again, streamSize/len(again)+1)...)[:streamSize]
			checkSplit(first, p, &long)
		}
	}
}

// checkSplit splits a stream that arrives in pieces of several sizes. The messages must be the same each time. The work
// must grow with the number of bytes and pieces, not with its square.
func checkSplit(t reporter, p *wire.Protocol, s *Sample) {
	if !isStream(p, s) {
		return
	}
	way := s.Direction
	for name, ask := range map[string]func(wire.Splitter, wire.Direction) asking{"Next": next, "Plausible": plausible} {
		whole, fault := split(s.Data, len(s.Data), ask(p.NewSplitter(), way))
		if fault != "" {
			t.Errorf("%s: %s %s", s.Name, name, fault)
			return
		}
		for _, piece := range []int{1, 100, len(s.Data)} {
			looked := 0
			sizes, fault := split(s.Data, piece, ask(CountShown(p, &looked).NewSplitter(), way))
			if fault != "" {
				t.Errorf("%s: in pieces of %d %s %s", s.Name, piece, name, fault)
				return
			}
			if !slices.Equal(sizes, whole) {
				t.Errorf("%s, direction %q: %s splits %d bytes in pieces of %d into messages of %v bytes, in one piece of %v%s",
					s.Name, way, name, len(s.Data), piece, sizes[:min(len(sizes), 8)], whole[:min(len(whole), 8)],
					differing(s.Data, sizes, whole, func() asking { return ask(p.NewSplitter(), way) }))
			}
			if looked > shownByte*len(s.Data)+shownPiece*(len(s.Data)/piece+1)+(firstShown+1)*len(sizes) {
				t.Errorf("%s: to split %d bytes (%.40q ...) in pieces of %d, %s reads %d bytes; count in Progress.Passed "+
					"the bytes that it need not read again", s.Name, len(s.Data), s.Data, piece, name, looked)
			}
		}
	}
}

// differing describes where the sizes of messages begin to differ, and whether the splitter's results there contradict
// each other.
func differing(data []byte, sizes, whole []int, fresh func() asking) string {
	at := 0
	for i := 0; i < min(len(sizes), len(whole)) && sizes[i] == whole[i]; i++ {
		at += sizes[i]
	}
	rest := data[at:]
	contradiction := ""
	all, ask, progress := fresh()(new(wire.Progress), rest, false), fresh(), new(wire.Progress)
	for n := 1; n < len(rest); n++ {
		if is := ask(progress, rest[:n], false); is != wire.NeedMore {
			if is != all {
				contradiction = fmt.Sprintf(": the splitter returns %d for the first %s, and %d for all", is,
					wire.Counted(n, "byte"), all)
			}
			break
		}
	}
	return fmt.Sprintf("; the first difference is at byte %d, % x%s (%d is NoMessage)", at, rest[:min(len(rest), 16)],
		contradiction, wire.NoMessage)
}

// asking returns the size of the next message according to a splitter.
type asking func(p *wire.Progress, data []byte, ended bool) int

func next(s wire.Splitter, way wire.Direction) asking {
	return func(p *wire.Progress, data []byte, ended bool) int { return p.Next(s, way, data, ended) }
}

func plausible(s wire.Splitter, way wire.Direction) asking {
	return func(p *wire.Progress, data []byte, _ bool) int { return p.Plausible(s, way, data) }
}

// split splits a stream that arrives in pieces. It returns the sizes of the complete messages, and any violation of the
// Splitter's contract.
func split(data []byte, piece int, ask asking) (sizes []int, fault string) {
	var p wire.Progress
	at, arrived := 0, 0
	for ended := false; at < len(data) && !ended; {
		ended = arrived == len(data)
		arrived = min(arrived+piece, len(data))
		for at < arrived {
			passed := p.Passed
			n := ask(&p, data[at:arrived], ended)
			switch {
			case n < wire.NoMessage:
				return sizes, fmt.Sprintf("returns the size %d", n)
			case p.Passed < passed:
				return sizes, fmt.Sprintf("sets Progress.Passed from %d back to %d", passed, p.Passed)
			}
			whole := n > 0 && n <= arrived-at
			if n < 0 || ended && !whole {
				return sizes, "" // the splitter may have returned sizes before NoMessage
			}
			if !whole {
				break
			}
			sizes = append(sizes, n)
			at += n
			p = wire.Progress{}
		}
	}
	return sizes, ""
}

// shown counts the bytes that a splitter reads. It passes few bytes to the splitter at first, and more if the splitter
// needs more.
type shown struct {
	wire.Splitter
	bytes *int
}

const firstShown = 16

// CountShown returns the protocol with a splitter that counts the bytes passed to it, as a measure of its work.
func CountShown(p *wire.Protocol, bytes *int) *wire.Protocol {
	counting := *p
	counting.NewSplitter = func() wire.Splitter { return &shown{Splitter: p.NewSplitter(), bytes: bytes} }
	return &counting
}

func (s *shown) Next(way wire.Direction, data []byte, ended bool, p *wire.Progress) int {
	from := p.Passed
	n := s.show(data, p, func(part []byte, all bool) int { return s.Splitter.Next(way, part, ended && all, p) })
	if ended && n > from+len(data) { // the end of the stream may cut the message
		n = s.Splitter.Next(way, data[min(p.Passed-from, len(data)):], true, p)
	}
	return n
}

func (s *shown) Plausible(way wire.Direction, data []byte, p *wire.Progress) int {
	return s.show(data, p, func(part []byte, _ bool) int { return s.Splitter.Plausible(way, part, p) })
}

func (s *shown) show(data []byte, p *wire.Progress, ask func(part []byte, all bool) int) int {
	from := p.Passed
	for size := firstShown; ; {
		passed := p.Passed
		rest := data[min(max(passed-from, 0), len(data)):]
		part := rest[:min(size, len(rest))]
		*s.bytes += len(part) + 1
		n := ask(part, len(part) == len(rest))
		switch {
		case n < 0, n > from+len(data), n > 0 && n <= passed+len(part), len(part) == len(rest):
			return n
		case n > 0:
			size = n - p.Passed
		case p.Passed > passed:
			size = firstShown
		default:
			size *= 2
		}
	}
}
