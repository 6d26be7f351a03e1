package report

import (
	"io"
	"net/netip"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/internal/stats"
	"github.com/gamedissect/gamedissect/layers"
)

// said is the part of a message that tables use.
type said struct {
	wire.Place
	name     string
	length   int64
	findings int64
}

// recorded has what an engine finds in consecutive captures, and the tables that are made from it.
type recorded struct {
	Source
	messages []said
	findings []wire.TrafficFinding // including findings of messages
	loose    []wire.TrafficFinding // findings that belong to no message
	values   []wire.Value
	events   []wire.Value
}

// read dissects captures and records what the engine finds.
func read(t *testing.T, intervals *Intervals, names ...string) *recorded {
	t.Helper()
	r := &recorded{Source: Source{Stats: new(stats.Stats), Protocols: layers.All()}}
	history := filter.NewHistory(bounded.NewBudget(1 << 20))
	var subject *filter.Subject
	if intervals != nil {
		intervals.Subject = func() *filter.Subject { return subject }
	}
	e := decode.New(decode.Options{Protocols: r.Protocols, Others: true,
		Message: func(m *decode.Message) {
			r.Stats.Message(m)
			r.messages = append(r.messages, said{m.Place, m.Name, int64(m.Length), int64(len(m.Findings))})
			for _, f := range m.Findings {
				r.findings = append(r.findings, wire.TrafficFinding{Place: m.Place, Rule: f.Rule, Text: f.Text})
			}
			if subject = history.Message(m); intervals != nil {
				intervals.Message(m, r.First)
			}
		},
		Finding: func(f *wire.TrafficFinding) {
			r.Stats.Finding(f)
			r.findings, r.loose = append(r.findings, *f), append(r.loose, *f)
			if intervals != nil {
				intervals.Finding(f, r.First)
			}
		},
		Value: func(v *wire.Value) {
			if v.Event {
				r.events = append(r.events, *v)
				return
			}
			r.Stats.Value(v)
			r.values = append(r.values, *v)
			if intervals != nil {
				intervals.Value(v, r.First)
			}
		},
	})
	r.frames(t, e, names)
	r.Counters = e.Counters()
	e.Close()
	r.Counters.Others = e.Others()
	r.Stats.Count(r.Counters)
	return r
}

func (r *recorded) frames(t *testing.T, e *decode.Engine, names []string) {
	var files []*capture.File
	for _, name := range names {
		f, err := capture.Open(filepath.Join("../../testdata/pcap", name))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	all := capture.Merge(files...)
	defer all.Close()
	var p capture.Packet
	err := all.Next(&p)
	for ; err == nil; err = all.Next(&p) {
		if r.First == 0 {
			r.First = p.Time
		}
		e.Frame(&decode.Frame{Data: p.Data, Length: p.Length, Time: p.Time, Link: uint16(p.LinkType), Number: p.Number, File: p.File})
	}
	if err != io.EOF {
		t.Fatal(err)
	}
}

// pair is a conversation, lower endpoint first.
type pair struct {
	transport wire.Transport
	a, b      netip.AddrPort
}

func pairOf(p *wire.Place) pair {
	if p.Src.Compare(p.Dst) > 0 {
		return pair{p.Transport, p.Dst, p.Src}
	}
	return pair{p.Transport, p.Src, p.Dst}
}

// talk is the traffic of a conversation, an endpoint, or a kind.
type talk struct {
	protocol    string // first by name, if there are several
	stream      int
	first, last int64
	out, in     int64 // messages from the first endpoint and to it, or from and to this one
	outB, inB   int64
}

func (t *talk) add(m *said, out bool) {
	name := m.Protocol.Name
	if t.protocol == "" {
		*t = talk{protocol: name, stream: m.Conversation, first: m.Time, last: m.Time}
	}
	t.protocol, t.stream = min(t.protocol, name), min(t.stream, m.Conversation)
	t.first, t.last = min(t.first, m.Time), max(t.last, m.Time)
	if out {
		t.out, t.outB = t.out+1, t.outB+m.length
	} else {
		t.in, t.inB = t.in+1, t.inB+m.length
	}
}

// grouped returns the values by key, in the order in which keys first occur.
func grouped[K comparable, V any](list []V, key func(*V) K) (keys []K, groups map[K][]*V) {
	groups = make(map[K][]*V)
	for i := range list {
		k := key(&list[i])
		if groups[k] == nil {
			keys = append(keys, k)
		}
		groups[k] = append(groups[k], &list[i])
	}
	return keys, groups
}

// quantile returns the smallest value v such that at least the given share of the values is <= v.
func quantile(list []float64, share float64) float64 {
	list = slices.Sorted(slices.Values(list))
	at := int(share * float64(len(list)))
	if float64(at) == share*float64(len(list)) {
		at--
	}
	return list[min(max(at, 0), len(list)-1)]
}
