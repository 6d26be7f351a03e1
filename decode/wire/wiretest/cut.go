package wiretest

import (
	"github.com/gamedissect/gamedissect/decode/wire"
)

// checkShort shortens the datagram to every possible length, as if no more bytes had been sent.
func checkShort(t reporter, p *wire.Protocol, s *Sample) {
	first := &counter{reporter: t}
	for n := 0; n < len(s.Data) && first.failures == 0; n++ {
		short := *s
		short.Data, short.Missing = s.Data[:n:n], 0
		for r := read(p, p.New(), &short); r.next(); {
			r.checkTiles(first)
			r.checkFindings(first)
			r.checkFolded(first)
		}
		probe(p, &short)
	}
}

// checkCut truncates the sample at every byte, as a snap length does. The fields before the cut must stay the same, and
// the truncated sample must not break additional rules.
func checkCut(t reporter, p *wire.Protocol, s *Sample) {
	whole := outline(t, p, s)
	first := &counter{reporter: t}
	laidOut := false // whether the header "layout" was needed
	for n := 0; n < len(s.Data) && first.failures == 0; n++ {
		short := *s
		short.Data, short.Missing = s.Data[:n:n], s.Missing+len(s.Data)-n
		probe(p, &short)
		cut := outline(first, p, &short)
		for id, off := range cut.broken {
			if _, ok := whole.broken[id]; !ok && (s.LayoutWhy == "" || off < s.Layout) {
				first.Errorf("cut after %d bytes: the rest breaks %s, but the whole does not; rules must ignore bytes that "+
					"are cut off (see Cursor.Truncated)", n, id)
			}
		}
		want, got := whole.differs(cut, n)
		switch {
		case want == nil:
		case s.LayoutWhy != "" && want.end() > s.Layout:
			laidOut = true
		default:
			first.Errorf("cut after %d bytes: got %v, the whole has %v", n, got, want)
		}
	}
	if s.LayoutWhy != "" && !laidOut && first.failures == 0 {
		t.Errorf("the header \"layout\" is not needed")
	}
}

// outlined is the decoded content of a datagram, for comparison with the truncated datagram.
type outlined struct {
	leaves []leaf         // leaves that have bytes, with offsets in the datagram
	broken map[string]int // offset of the finding, by rule; without notes
}

func outline(t reporter, p *wire.Protocol, s *Sample) outlined {
	o := outlined{broken: make(map[string]int)}
	for r := read(p, p.New(), s); r.next(); {
		r.checkTiles(t)
		r.checkFindings(t)
		r.checkFolded(t)
		for _, l := range leaves(r.tree()) {
			if l.Size > 0 && !l.Computed && !l.Inside {
				l.Off += int32(r.off)
				o.leaves = append(o.leaves, l)
			}
		}
		for _, f := range r.layer.Core().Findings() {
			if f.Rule.Severity > wire.Note {
				o.broken[f.Rule.ID] = r.off + f.Off
			}
		}
	}
	return o
}

// differs returns the first leaf before the cut that the truncated datagram does not have, and the leaf that it has
// instead.
func (o outlined) differs(cut outlined, at int) (want, got *leaf) {
	for i := range o.leaves {
		want = &o.leaves[i]
		if want.end() > at {
			break
		}
		if i >= len(cut.leaves) {
			return want, nil
		}
		if got = &cut.leaves[i]; !want.same(got) {
			return want, got
		}
	}
	return nil, nil
}
