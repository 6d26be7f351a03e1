package stats

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Pair names a conversation: a transport and two endpoints, the lower one first. The zero Pair
// stands for all that the list had no room for.
type Pair struct {
	Transport wire.Transport
	A, B      netip.AddrPort
}

// End names an endpoint. The zero End stands for all that the list had no room for.
type End struct {
	Transport wire.Transport
	At        netip.AddrPort
}

// others is how the rest is called in texts.
const others = "others"

// MarshalText gives "udp 10.0.0.1:4000 10.0.0.2:5154", or "others".
func (p Pair) MarshalText() ([]byte, error) {
	if p == (Pair{}) {
		return []byte(others), nil
	}
	return fmt.Appendf(nil, "%s %s %s", p.Transport, p.A, p.B), nil
}

// UnmarshalText reads what MarshalText writes.
func (p *Pair) UnmarshalText(text []byte) error {
	if string(text) == others {
		*p = Pair{}
		return nil
	}
	transport, rest, _ := strings.Cut(string(text), " ")
	a, b, _ := strings.Cut(rest, " ")
	return parse(transport, &p.Transport, []string{a, b}, &p.A, &p.B)
}

// MarshalText gives "udp 10.0.0.1:4000", or "others".
func (e End) MarshalText() ([]byte, error) {
	if e == (End{}) {
		return []byte(others), nil
	}
	return fmt.Appendf(nil, "%s %s", e.Transport, e.At), nil
}

// UnmarshalText reads what MarshalText writes.
func (e *End) UnmarshalText(text []byte) error {
	if string(text) == others {
		*e = End{}
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
		return fmt.Errorf("%q is no transport", transport)
	}
	for i, text := range texts {
		if *ends[i], err = netip.ParseAddrPort(text); err != nil {
			return err
		}
	}
	return nil
}
