package main

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// sums counts the messages, findings and values of an engine. In values of copies, it replaces hosts with the hosts of
// the original, so that copies can be compared with the original.
type sums struct {
	origin func(netip.Addr) (host netip.Addr, number int) // the host in the original, and the number of the copy
	all    counts                                         // total counts by kind, server and value
	copies []counts                                       // counts of each copy, by kind
	states map[string]string
	key    []byte
}

type counts map[string]*int64

func (c counts) add(key []byte, n int64) {
	if at := c[string(key)]; at != nil {
		*at += n
		return
	}
	c[string(key)] = &n
}

func (c counts) get(key string) int64 {
	if at := c[key]; at != nil {
		return *at
	}
	return 0
}

func newSums(m *multiplier) *sums {
	s := &sums{origin: m.originOf, all: make(counts), states: make(map[string]string)}
	for range m.copies {
		s.copies = append(s.copies, make(counts))
	}
	return s
}

// options returns o with callbacks that fill the sums.
func (s *sums) options(o decode.Options) decode.Options {
	o.Message, o.Value = s.message, s.value
	o.Finding = func(f *wire.TrafficFinding) { s.add(&f.Place, 1, "", "findings", f.Rule.ID) }
	return o
}

func (s *sums) message(m *decode.Message) {
	s.add(&m.Place, 1, "", "messages", m.Protocol.Name, m.Name)
	s.add(&m.Place, int64(m.Length), "", "bytes", m.Protocol.Name, m.Name)
	for i := range m.Findings {
		s.add(&m.Place, 1, "", "findings", m.Findings[i].Rule.ID)
	}
}

func (s *sums) value(v *wire.Value) {
	if joinsPayload(v) {
		return
	}
	n := s.copyOf(&v.Place)
	host, _ := s.origin(v.Server.Addr())
	at := netip.AddrPortFrom(host, v.Server.Port()).String() + " " + s.plain(v.Who, n) + " "
	kind, text := "values", fmt.Sprint(v.Number)
	switch {
	case v.State:
		kind, text = "states", s.plain(v.Text, n)
		key := strings.Join([]string{v.Protocol.Name, v.Table, v.What, v.Server.String(), v.Who}, " ")
		if before, ok := s.states[key]; !ok || before != v.Text {
			s.states[key] = strings.Clone(v.Text)
			s.add(&v.Place, 1, at+text, "changes", v.Protocol.Name, v.Table, v.What, v.Unit)
		}
	case v.Event:
		kind, text = "events", s.plain(v.Text, n)
	}
	s.add(&v.Place, 1, at+text, kind, v.Protocol.Name, v.Table, v.What, v.Unit)
}

// joinsPayload reports whether a value depends on addresses in payloads, such as lists of servers. Payloads are the
// same in all copies, so such values do not occur once per copy.
func joinsPayload(v *wire.Value) bool {
	ways := v.What == "listed" || v.What == "unlisted" || v.What == "absent" || v.What == "expired"
	return v.Table == "listing" || v.What == "address" || v.Event && ways
}

// add adds n to the count of a kind and a value.
func (s *sums) add(p *wire.Place, n int64, value string, kind ...string) {
	s.key = s.key[:0]
	for _, word := range kind {
		s.key = append(append(s.key, word...), ' ')
	}
	if c := s.copyOf(p); c >= 0 {
		s.copies[c].add(s.key, n)
	}
	s.key = append(append(s.key, '|', ' '), value...)
	s.all.add(s.key, n)
}

// copyOf returns the number of the copy to which a message belongs, or -1 if its hosts belong to no copy.
func (s *sums) copyOf(p *wire.Place) int {
	_, n := s.origin(p.Src.Addr())
	if n < 0 {
		_, n = s.origin(p.Dst.Addr())
	}
	return n
}

// plain returns a text with the hosts of copy n replaced by the original hosts.
func (s *sums) plain(text string, n int) string {
	if len(s.copies) == 1 || !strings.ContainsAny(text, ".:") {
		return text
	}
	words := strings.Split(text, " ")
	for i, w := range words {
		w, mark := w, ""
		if n := len(w) - 1; n >= 0 && (w[n] == ':' || w[n] == ',') {
			w, mark = w[:n], w[n:]
		}
		if a, err := netip.ParseAddr(w); err == nil {
			w = s.hostIn(a, n).String()
		} else if a, err := netip.ParseAddrPort(w); err == nil {
			w = netip.AddrPortFrom(s.hostIn(a.Addr(), n), a.Port()).String()
		}
		words[i] = w + mark
	}
	return strings.Join(words, " ")
}

// hostIn returns the original of a host in copy n. It does not change other hosts, such as hosts in payloads.
func (s *sums) hostIn(a netip.Addr, n int) netip.Addr {
	if host, of := s.origin(a); of == n {
		return host
	}
	return a
}

// compare lists the kinds of results that do not occur exactly N times in N copies, or that some copies have more often
// than others.
func compare(one, many *sums) (list []string) {
	found := make(map[string]string)
	n := int64(len(many.copies))
	for _, c := range []counts{one.all, many.all} {
		for key := range c {
			kind, _, _ := strings.Cut(key, "|")
			got, want := many.all.get(key), one.all.get(key)*n
			if got == want {
				continue
			}
			text := fmt.Sprintf("%s: %d, want %d", key, got, want)
			if found[kind] == "" || text < found[kind] { // the example is the first text in alphabetical order
				found[kind] = text
			}
		}
	}
	for number, c := range many.copies {
		for _, kinds := range []counts{one.copies[0], c} {
			for kind := range kinds {
				if got, want := c.get(kind), one.copies[0].get(kind); got != want && found[kind] == "" {
					found[kind] = fmt.Sprintf("%s: %d of copy %d, want %d", kind, got, number, want)
				}
			}
		}
	}
	for _, text := range found {
		list = append(list, text)
	}
	slices.Sort(list)
	return list
}
