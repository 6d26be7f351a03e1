package diff

import (
	"fmt"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// Filters are display filters for the messages that a difference is about. "" means that no filter can select them.
type Filters struct {
	In   int    `json:"in"` // index of the good capture
	Good string `json:"good,omitempty"`
	Now  string `json:"now,omitempty"`
}

// both returns one filter for the good captures and the compared one. In is the index of the first good capture that
// satisfies has.
func (c *comparer) both(text string, has func(*Capture) bool) Filters {
	return Filters{c.first(has), text, text}
}

// first returns the index of the first good capture that satisfies has, or 0.
func (c *comparer) first(has func(*Capture) bool) int {
	for i, g := range c.good {
		if has(g) {
			return i
		}
	}
	return 0
}

func quoted(text string) string { return filter.Quote([]byte(text)) }

func ofRule(id string) string { return "finding.rule == " + quoted(id) }

func ofMessage(protocol, name string) string {
	return "protocol == " + quoted(protocol) + " && message == " + quoted(name)
}

// ofEnds returns the filter for the messages between ends. For one end, the filter matches all messages from and to it.
func ofEnds(ends ...netip.AddrPort) (text string) {
	for _, e := range ends {
		if !e.IsValid() {
			continue
		}
		name := "ipv6.addr"
		if e.Addr().Unmap().Is4() {
			name = "ip.addr"
		}
		if text != "" {
			text += " && "
		}
		text += fmt.Sprintf("%s == %s", name, e.Addr().Unmap().WithZone(""))
		if e.Port() > 0 {
			text += fmt.Sprintf(" && (udp.port == %d || tcp.port == %[1]d)", e.Port())
		}
	}
	return text
}

// ofName returns the filter for a player, or a server by its address.
func (c *Capture) ofName(name string) string {
	if at := c.ends[name]; at.IsValid() {
		return ofEnds(at)
	}
	if at, err := netip.ParseAddrPort(name); err == nil {
		return ofEnds(at)
	}
	return "who == " + quoted(name)
}

// filter returns the filter for the messages in a capture that a share is about.
func (s *share) filter(c *Capture) string {
	switch s.what {
	case updatesMissing:
		return ofRule(decode.RuleLoss.ID)
	case listsIncomplete:
		return `finding.rule matches "\.list-incomplete$"`
	case bytesUnread:
		if c.rules[decode.RuleUnread.ID] != nil { // otherwise the bytes were in UDP datagrams
			return ofRule(decode.RuleUnread.ID)
		}
	case askedAgain:
		return ofEnds(c.talks.againBy[:]...)
	case endsOpen:
		return ofEnds(c.talks.openBy[:]...)
	case unanswered, noAnswer:
		if list := c.Summary.Health.Unanswered; len(list) > 0 {
			return ofEnds(list[0].Server)
		}
	}
	return ""
}
