package stats

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// ConversationKey identifies a conversation: a transport and two endpoints, the lower one first. The zero key stands
// for all conversations that had no room in the list.
type ConversationKey struct {
	Transport wire.Transport
	A, B      netip.AddrPort
}

// CommunityID returns the id of the conversation that other programs also use, see wire.AppendCommunityID. It is empty
// for the zero ConversationKey.
func (p ConversationKey) CommunityID() string {
	return string(wire.AppendCommunityID(nil, p.Transport, p.A, p.B))
}

// EndpointKey identifies an endpoint. The zero key stands for all endpoints that had no room in the list.
type EndpointKey struct {
	Transport wire.Transport
	At        netip.AddrPort
}

// RowKey identifies the subject of a value: a player or a thing at a server, or the server itself if Who is "". Some
// names do not belong to a server, so their RowKey has no server. If Who did something to another player, Whom is that
// player. The zero RowKey stands for all subjects that had no room in the table, and for values without a subject.
type RowKey struct {
	Server netip.AddrPort
	Who    string
	Whom   string
}

// others is the text form of a zero key.
const others = "others"

// MarshalText returns "udp 10.0.0.1:4000 10.0.0.2:5154", or "others".
func (p ConversationKey) MarshalText() ([]byte, error) {
	if p == (ConversationKey{}) {
		return []byte(others), nil
	}
	return fmt.Appendf(nil, "%s %s %s", p.Transport, p.A, p.B), nil
}

func (p *ConversationKey) UnmarshalText(text []byte) error {
	if string(text) == others {
		*p = ConversationKey{}
		return nil
	}
	transport, rest, _ := strings.Cut(string(text), " ")
	a, b, _ := strings.Cut(rest, " ")
	return parse(transport, &p.Transport, []string{a, b}, &p.A, &p.B)
}

// MarshalText returns "udp 10.0.0.1:4000", or "others".
func (e EndpointKey) MarshalText() ([]byte, error) {
	if e == (EndpointKey{}) {
		return []byte(others), nil
	}
	return fmt.Appendf(nil, "%s %s", e.Transport, e.At), nil
}

func (e *EndpointKey) UnmarshalText(text []byte) error {
	if string(text) == others {
		*e = EndpointKey{}
		return nil
	}
	transport, at, _ := strings.Cut(string(text), " ")
	return parse(transport, &e.Transport, []string{at}, &e.At)
}

func parse(transport string, t *wire.Transport, texts []string, ends ...*netip.AddrPort) (err error) {
	switch transport {
	case wire.UDP.String():
		*t = wire.UDP
	case wire.TCP.String():
		*t = wire.TCP
	default:
		return fmt.Errorf("%q is not a transport", transport)
	}
	for i, text := range texts {
		if *ends[i], err = netip.ParseAddrPort(text); err != nil {
			return err
		}
	}
	return nil
}

// Compare orders rows by server, then by Who and Whom.
func (s RowKey) Compare(o RowKey) int {
	return cmp.Or(s.Server.Compare(o.Server), CompareNames(s.Who, o.Who), CompareNames(s.Whom, o.Whom))
}

// MarshalText returns "10.0.0.1:5154 3 Alice", "10.0.0.1:5154" for the server itself, "3 Alice" without a server, or
// "others". An ambiguous name is quoted as in Go. Two names are also quoted: 10.0.0.1:5154 "3 Alice" "4 Bob".
func (s RowKey) MarshalText() ([]byte, error) {
	if s == (RowKey{}) {
		return []byte(others), nil
	}
	var text []byte
	if s.Server.IsValid() {
		text = s.Server.AppendTo(nil)
		if s.Who == "" && s.Whom == "" {
			return text, nil
		}
		text = append(text, ' ')
	}
	if s.Whom != "" {
		return strconv.AppendQuote(append(strconv.AppendQuote(text, s.Who), ' '), s.Whom), nil
	}
	if plain := utf8.ValidString(s.Who) && s.Who[0] != '"' && (s.Server.IsValid() || !misleading(s.Who)); plain {
		return append(text, s.Who...), nil
	}
	return strconv.AppendQuote(text, s.Who), nil
}

// misleading reports whether a name without a server looks like one with a server, or like "others".
func misleading(who string) bool {
	if who == others {
		return true
	}
	first, _, _ := strings.Cut(who, " ")
	_, err := netip.ParseAddrPort(first)
	return err == nil
}

func (s *RowKey) UnmarshalText(text []byte) (err error) {
	*s = RowKey{}
	if string(text) == others {
		return nil
	}
	first, rest, _ := strings.Cut(string(text), " ")
	if s.Server, err = netip.ParseAddrPort(first); err != nil {
		s.Server, rest = netip.AddrPort{}, string(text)
	}
	if s.Who = rest; strings.HasPrefix(rest, `"`) {
		if s.Who, rest, err = unquote(rest); err == nil && rest != "" {
			s.Whom, rest, err = unquote(strings.TrimPrefix(rest, " "))
		}
		if err != nil || rest != "" {
			return fmt.Errorf("%q is not a quoted name", text)
		}
	}
	if again, _ := s.MarshalText(); *s == (RowKey{}) || string(again) != string(text) {
		return errors.New(strconv.Quote(string(text)) + " names no player")
	}
	return nil
}

// unquote reads a quoted text. It also returns the text after it.
func unquote(text string) (s, rest string, err error) {
	quoted, err := strconv.QuotedPrefix(text)
	if err != nil {
		return "", "", err
	}
	s, err = strconv.Unquote(quoted)
	return s, text[len(quoted):], err
}
