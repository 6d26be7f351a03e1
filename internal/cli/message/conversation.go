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

// A Conversation is what the follow command shows: one conversation with a given number, all messages between two
// endpoints, or all messages to and from one endpoint.
type Conversation struct {
	text      string
	id        wire.ConversationID // not set if there are endpoints
	endpoints []endpoint
}

// An endpoint is an address and a port. Port 0 stands for every port of the host.
type endpoint netip.AddrPort

// ParseConversation parses the arguments of follow: a number such as tcp,3, or one or two endpoints or hosts.
func ParseConversation(args []string) (Conversation, error) {
	t := Conversation{text: strings.Join(args, " and ")}
	switch {
	case len(args) == 0:
		return t, errors.New("name a conversation, such as tcp,3 (-z conv lists them), or an endpoint, such as 10.0.0.7:5154")
	case len(args) > 2:
		return t, fmt.Errorf("%d arguments: follow takes one conversation, or one or two endpoints", len(args))
	}
	if transport, number, ok := strings.Cut(args[0], ","); ok && len(args) == 1 {
		var err error
		t.text = "conversation " + t.text
		t.id, err = parseNumber(args[0], transport, number)
		return t, err
	}
	for _, arg := range args {
		e, ok := parseEndpoint(arg)
		if !ok {
			return t, fmt.Errorf("%s: name a conversation, such as tcp,3 or udp,0, or endpoints, such as 127.0.0.1:5154, "+
				"10.0.0.7 or [::1]:5154; host names are not looked up", arg)
		}
		t.endpoints = append(t.endpoints, e)
	}
	return t, nil
}

// parseNumber parses the two parts of a number such as tcp,3.
func parseNumber(text, transport, number string) (wire.ConversationID, error) {
	n, err := strconv.ParseUint(strings.TrimSpace(number), 10, 31)
	if err != nil {
		return wire.ConversationID{}, fmt.Errorf("%s: name a conversation, such as tcp,3 or udp,0", text)
	}
	for _, t := range []wire.Transport{wire.TCP, wire.UDP} {
		if transport == t.String() {
			return wire.ConversationID{Transport: t, Number: int(n)}, nil
		}
	}
	return wire.ConversationID{}, option.OneOf(text+":", transport, []string{"tcp", "udp"})
}

func parseEndpoint(text string) (endpoint, bool) {
	if a, err := netip.ParseAddrPort(text); err == nil {
		return endpoint(netip.AddrPortFrom(a.Addr().Unmap(), a.Port())), true
	}
	a, err := netip.ParseAddr(strings.Trim(text, "[]"))
	return endpoint(netip.AddrPortFrom(a.Unmap(), 0)), err == nil
}

// is reports whether e is the endpoint a, or the host of a.
func (e endpoint) is(a netip.AddrPort) bool {
	want := netip.AddrPort(e)
	return want.Addr() == a.Addr().Unmap() && (want.Port() == 0 || want.Port() == a.Port())
}

// String returns the conversation's name in error messages.
func (t Conversation) String() string { return t.text }

// Contains reports whether a message at the place belongs to the conversation.
func (t Conversation) Contains(p *wire.Place) bool {
	switch len(t.endpoints) {
	case 0:
		return p.ConversationID() == t.id
	case 1:
		return t.endpoints[0].is(p.Src) || t.endpoints[0].is(p.Dst)
	}
	return t.endpoints[0].is(p.Src) && t.endpoints[1].is(p.Dst) || t.endpoints[1].is(p.Src) && t.endpoints[0].is(p.Dst)
}

// appendConversation appends the number of a conversation, such as tcp,3, in the form that the follow command accepts.
func appendConversation(b []byte, id wire.ConversationID) []byte {
	if id.Number < 0 {
		return append(b, '-')
	}
	b = append(b, id.Transport.String()...)
	return strconv.AppendInt(append(b, ','), int64(id.Number), 10)
}
