package message

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/option"
)

// A Talk is what follow shows: a conversation by its number, or all between two who are named, or one and anybody.
type Talk struct {
	text string
	id   wire.ConversationID
	ends []end // none: id counts
}

// An end is an endpoint, or all of a host where the port is 0.
type end netip.AddrPort

// ParseTalk reads tcp,3, or one or two endpoints or hosts.
func ParseTalk(args []string) (Talk, error) {
	t := Talk{text: strings.Join(args, " and ")}
	switch {
	case len(args) == 0:
		return t, errors.New("name a conversation, tcp,3 (-z conv lists them), or who talks, 10.0.0.7:5154")
	case len(args) > 2:
		return t, fmt.Errorf("%d names: follow takes a conversation, or one or two who talk", len(args))
	}
	if transport, number, ok := strings.Cut(args[0], ","); ok && len(args) == 1 {
		var err error
		t.text = "conversation " + t.text
		t.id, err = parseConversation(args[0], transport, number)
		return t, err
	}
	for _, arg := range args {
		e, ok := parseEnd(arg)
		if !ok {
			return t, fmt.Errorf("%s: a conversation is named like tcp,3 or udp,0, or by who talks: 127.0.0.1:5154, "+
				"10.0.0.7 or [::1]:5154; no name of a host is looked up", arg)
		}
		t.ends = append(t.ends, e)
	}
	return t, nil
}

// parseConversation reads the two parts of tcp,3.
func parseConversation(text, transport, number string) (wire.ConversationID, error) {
	n, err := strconv.ParseUint(strings.TrimSpace(number), 10, 31)
	if err != nil {
		return wire.ConversationID{}, fmt.Errorf("%s: a conversation is named like tcp,3 or udp,0", text)
	}
	for _, t := range []wire.Transport{wire.TCP, wire.UDP} {
		if transport == t.String() {
			return wire.ConversationID{Transport: t, Number: int(n)}, nil
		}
	}
	return wire.ConversationID{}, option.OneOf(text+":", transport, []string{"tcp", "udp"})
}

func parseEnd(text string) (end, bool) {
	if a, err := netip.ParseAddrPort(text); err == nil {
		return end(netip.AddrPortFrom(a.Addr().Unmap(), a.Port())), true
	}
	a, err := netip.ParseAddr(strings.Trim(text, "[]"))
	return end(netip.AddrPortFrom(a.Unmap(), 0)), err == nil
}

// is reports whether an endpoint is the end, or one of that host.
func (e end) is(a netip.AddrPort) bool {
	want := netip.AddrPort(e)
	return want.Addr() == a.Addr().Unmap() && (want.Port() == 0 || want.Port() == a.Port())
}

// String names it for people.
func (t Talk) String() string { return t.text }

// Here reports whether a place belongs to it.
func (t Talk) Here(p *wire.Place) bool {
	switch len(t.ends) {
	case 0:
		return p.ConversationID() == t.id
	case 1:
		return t.ends[0].is(p.Src) || t.ends[0].is(p.Dst)
	}
	return t.ends[0].is(p.Src) && t.ends[1].is(p.Dst) || t.ends[1].is(p.Src) && t.ends[0].is(p.Dst)
}

// AppendConversation writes a conversation as follow takes it.
func AppendConversation(b []byte, id wire.ConversationID) []byte {
	if id.Number < 0 {
		return append(b, '-')
	}
	b = append(b, id.Transport.String()...)
	return strconv.AppendInt(append(b, ','), int64(id.Number), 10)
}
