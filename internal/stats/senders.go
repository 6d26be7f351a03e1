package stats

import (
	"cmp"
	"fmt"
	"net/netip"
	"strings"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Sender is the endpoint that broke a rule, and the rule. An unknown endpoint is an invalid AddrPort. The zero Sender
// stands for all senders that had no room in the list.
type Sender struct {
	Rule string
	At   netip.AddrPort
}

// MarshalText returns "10.0.0.1:5154 bzflag24.length", "capture.cut" without an endpoint, or "others".
func (s Sender) MarshalText() ([]byte, error) {
	switch {
	case s == (Sender{}):
		return []byte(others), nil
	case !s.At.IsValid():
		return []byte(s.Rule), nil
	}
	return fmt.Appendf(nil, "%s %s", s.At, s.Rule), nil
}

// UnmarshalText reads the output of MarshalText, and returns an error for any other text.
func (s *Sender) UnmarshalText(text []byte) (err error) {
	*s = Sender{}
	if string(text) == others {
		return nil
	}
	at, rule, known := strings.Cut(string(text), " ")
	if s.Rule = rule; !known {
		s.Rule = at
	} else if s.At, err = netip.ParseAddrPort(at); err != nil {
		return err
	}
	if again, _ := s.MarshalText(); s.Rule == "" || s.Rule == others || string(again) != string(text) {
		return fmt.Errorf("%q names no sender", text)
	}
	return nil
}

func (s Sender) hash() uint64 { return digest(5).addEnd(s.At).addText(s.Rule).sum() }

// Broken counts how often a sender broke a rule.
type Broken struct {
	head[Sender]

	Severity wire.Severity `json:"severity"`
	Count    int64         `json:"count"`
	First    Packet        `json:"first"`
	Last     Packet        `json:"last"`
}

// A Packet is the place in the captures where something was seen.
type Packet struct {
	File  string `json:"file"`
	Frame int    `json:"frame"`
	Time  int64  `json:"ns"`
}

// compare orders packets by time, then by file and frame.
func (p *Packet) compare(o *Packet) int {
	return cmp.Or(cmp.Compare(p.Time, o.Time), cmp.Compare(p.File, o.File), cmp.Compare(p.Frame, o.Frame))
}

const brokenCost = int(unsafe.Sizeof(Broken{})) + (int(unsafe.Sizeof(Sender{}))+9)*3/2 + 24

// broken returns the count of a sender and a rule.
func (k *keeping) broken(key Sender) *Broken {
	if b := k.lastBroken; b != nil && b.key == key && b.hash < k.senders.beyond {
		return b
	}
	b := k.senders.row(key)
	if b != k.senders.others {
		k.lastBroken = b
	}
	return b
}

// merge adds the count of other Stats.
func (b *Broken) merge(o *Broken) {
	if o.Count == 0 { // the row was dropped before it counted anything
		return
	}
	first, last := o.First, o.Last
	first.File, last.File = legible(first.File), legible(last.File)
	if b.Count == 0 || first.compare(&b.First) < 0 {
		b.First = first
	}
	if b.Count == 0 || last.compare(&b.Last) > 0 {
		b.Last = last
	}
	b.Count += o.Count
	b.Severity = max(b.Severity, o.Severity)
}
