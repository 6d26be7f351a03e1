package main

import (
	"cmp"
	"math"
	"net/netip"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// Sums adds up messages, findings and values of an engine. Those of one of several copies of a capture count under the
// hosts of the original, and once more by copy.
type sums struct {
	origin func(netip.Addr) (host netip.Addr, number int) // of the copy
	all    map[fact]total
	copies []map[subject]total
	states map[place]string
}

// A subject is what is counted.
type subject struct {
	kind     string // "messages", "findings" ...
	protocol string
	table    string
	name     string // of the message, the rule or what is measured
	unit     string
}

// A fact is a subject at a server, with what was measured.
type fact struct {
	subject
	server netip.AddrPort
	who    string
	number uint64 // as bits: one that is no number equals itself, too
	text   string
}

// A total is a number of messages, findings or values, and the bytes of messages.
type total struct{ count, bytes int64 }

// A place is where a state holds.
type place struct {
	subject
	server netip.AddrPort
	who    string
}

// A difference is what copies do not have as often as their original has it.
type difference struct {
	subject
	one, many total
	copy      bool   // many is what one of the copies has; in sum they are right
	example   string // of what differs
}

func newSums(m *multiplier) *sums {
	s := &sums{origin: m.originOf, all: make(map[fact]total), states: make(map[place]string)}
	for range m.copies {
		s.copies = append(s.copies, make(map[subject]total))
	}
	return s
}

// options returns o with callbacks that fill the sums.
func (s *sums) options(o decode.Options) decode.Options {
	o.Message, o.Finding, o.Value = s.message, s.finding, s.value
	return o
}

func (s *sums) message(m *decode.Message) {
	s.add(fact{subject: subject{kind: "messages", protocol: m.Protocol.Name, name: m.Name}}, &m.Place, int64(m.Length))
	for i := range m.Findings {
		s.rule(m.Findings[i].Rule, &m.Place)
	}
}

func (s *sums) finding(f *wire.TrafficFinding) { s.rule(f.Rule, &f.Place) }

func (s *sums) rule(r *wire.Rule, p *wire.Place) {
	protocol, _, _ := strings.Cut(r.ID, ".")
	s.add(fact{subject: subject{kind: "findings", protocol: protocol, name: r.ID}}, p, 0)
}

func (s *sums) value(v *wire.Value) {
	if joinsPayload(v) {
		return
	}
	f := fact{subject: subject{protocol: v.Protocol.Name, table: v.Table, name: v.What, unit: v.Unit}}
	n := s.copyOf(&v.Place)
	f.who = s.plain(v.Who, n)
	host, _ := s.origin(v.Server.Addr())
	f.server = netip.AddrPortFrom(host, v.Server.Port())
	f.kind, f.number = "values", math.Float64bits(v.Number)
	if v.Event {
		f.kind, f.number, f.text = "events", 0, s.plain(v.Text, n)
	}
	if v.State {
		f.kind, f.number, f.text = "states", 0, s.plain(v.Text, n)
		at := place{f.subject, v.Server, v.Who}
		if before, ok := s.states[at]; !ok || before != v.Text {
			s.states[at] = strings.Clone(v.Text)
			change := f
			change.kind = "changes"
			s.add(change, &v.Place, 0)
		}
	}
	s.add(f, &v.Place, 0)
}

// joinsPayload reports whether a value is about hosts and what names them in payloads, as lists do. Only hosts have
// copies: what is said is that of the original. Talks of the protocols, in which it is rewritten, hold these values
// with many at once.
func joinsPayload(v *wire.Value) bool {
	ways := v.What == "listed" || v.What == "unlisted" || v.What == "failed"
	return v.Table == "listing" || v.What == "address" || v.Event && ways
}

// add counts a fact, and by copy its subject.
func (s *sums) add(f fact, p *wire.Place, bytes int64) {
	t := s.all[f]
	t.count++
	t.bytes += bytes
	s.all[f] = t
	if n := s.copyOf(p); n >= 0 {
		t := s.copies[n][f.subject]
		t.count++
		t.bytes += bytes
		s.copies[n][f.subject] = t
	}
}

// copyOf is the number of the copy to which a message belongs, -1 if its hosts are of none.
func (s *sums) copyOf(p *wire.Place) int {
	_, n := s.origin(p.Src.Addr())
	if n < 0 {
		_, n = s.origin(p.Dst.Addr())
	}
	return n
}

// plain gives a text with the hosts of the original instead of those of a copy.
func (s *sums) plain(text string, n int) string {
	if len(s.copies) == 1 || !strings.ContainsAny(text, ".:") {
		return text
	}
	words := strings.Split(text, " ")
	for i, w := range words {
		w, colon := strings.CutSuffix(w, ":")
		if a, err := netip.ParseAddr(w); err == nil {
			w = s.hostIn(a, n).String()
		} else if a, err := netip.ParseAddrPort(w); err == nil {
			w = netip.AddrPortFrom(s.hostIn(a.Addr(), n), a.Port()).String()
		}
		if colon {
			w += ":"
		}
		words[i] = w
	}
	return strings.Join(words, " ")
}

// hostIn gives the original of a host of a copy; others, which stand in payloads, stay as they are.
func (s *sums) hostIn(a netip.Addr, n int) netip.Addr {
	if host, of := s.origin(a); of == n {
		return host
	}
	return a
}

// compare lists what N copies do not have exactly N times.
func compare(one, many *sums) (list []difference) {
	found := make(map[subject]*difference)
	n := int64(len(many.copies))
	note := func(f *fact) {
		a, b := one.all[*f], many.all[*f]
		if a.count*n == b.count && a.bytes*n == b.bytes {
			return
		}
		d := found[f.subject]
		if d == nil {
			d = &difference{subject: f.subject}
			found[f.subject] = d
		}
		if example := f.example(); d.example == "" || example < d.example {
			d.example = example
		}
	}
	for f := range one.all {
		note(&f)
	}
	for f := range many.all {
		note(&f)
	}
	a, b := one.subjects(), many.subjects()
	for what, d := range found {
		d.one, d.many = a[what], b[what]
		list = append(list, *d)
	}
	list = append(list, one.uneven(many, found)...)
	slices.SortFunc(list, func(a, b difference) int {
		return cmp.Or(cmp.Compare(a.protocol, b.protocol), cmp.Compare(a.kind, b.kind), cmp.Compare(a.table, b.table),
			cmp.Compare(a.name, b.name), cmp.Compare(a.unit, b.unit))
	})
	return list
}

// uneven finds what is right in sum, but not of each copy.
func (s *sums) uneven(many *sums, found map[subject]*difference) (list []difference) {
	for what := range many.subjects() {
		want := s.copies[0][what]
		for n := range many.copies {
			if got := many.copies[n][what]; got != want && found[what] == nil {
				list = append(list, difference{subject: what, one: want, many: got, copy: true})
				break
			}
		}
	}
	return list
}

// subjects adds up the facts about the same.
func (s *sums) subjects() map[subject]total {
	all := make(map[subject]total)
	for f, t := range s.all {
		sum := all[f.subject]
		sum.count += t.count
		sum.bytes += t.bytes
		all[f.subject] = sum
	}
	return all
}

// example is a fact in a few words.
func (f *fact) example() string {
	var words []string
	if f.server.IsValid() {
		words = append(words, f.server.String())
	}
	if f.who != "" {
		words = append(words, f.who)
	}
	if f.kind == "values" {
		words = append(words, decimals(math.Float64frombits(f.number), 6))
	}
	if f.text != "" {
		words = append(words, f.text)
	}
	return strings.Join(words, " ")
}
