package bzflag17

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// world is a database of 30 bytes, with only a style and the end.
var world = "st\x00\x1a" + strings.Repeat("\x00", 24) + "ed"

func TestDownload(t *testing.T) {
	r := bzflag.Route{
		Client: netip.MustParseAddrPort("192.0.2.1:4000"),
		Server: netip.MustParseAddrPort("192.0.2.2:5155"),
	}
	type part struct {
		offset    int // requested offset; -1: no request
		from, to  int // range of the world in the answer
		remaining uint16
		whole     bool
	}
	for _, c := range []struct {
		name  string
		parts []part
	}{
		{"remaining includes the part", []part{{0, 0, 20, 30, false}, {20, 20, 30, 10, true}}},
		{"remaining excludes the part", []part{{0, 0, 20, 10, false}, {20, 20, 30, 0, true}}},
		{"one part", []part{{0, 0, 30, 30, true}}},
		{"a download that begins again", []part{{0, 0, 20, 30, false}, {0, 0, 20, 30, false}, {20, 20, 30, 10, true}}},
		{"two downloads", []part{{0, 0, 30, 30, true}, {0, 0, 30, 30, true}}},
		{"a lost part", []part{{0, 0, 10, 30, false}, {20, 20, 30, 10, false}}},
		{"an empty part", []part{{0, 0, 20, 30, false}, {20, 20, 20, 0, false}}},
		{"no request", []part{{-1, 0, 30, 30, false}}},
		{"the world ends within a block", []part{{0, 0, 20, 20, false}}},
	} {
		s := newSession(nil).(*session)
		for i, p := range c.parts {
			if p.offset >= 0 {
				s.Downloads.Request(r, p.offset)
			}
			got := s.joinWorld(r, &WorldPart{Remaining: p.remaining, Data: []byte(world[p.from:p.to])})
			if (got != nil) != p.whole || p.whole && string(got) != world {
				t.Errorf("%s: after part %d, the world has %d bytes", c.name, i, len(got))
			}
		}
	}
}
