package decode

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// lostParts returns a datagram of 67 bytes in fragments of 16, 16, 16, 16 and 3.
func lostParts(t *testing.T, src, dst string) [][]byte {
	t.Helper()
	return inFragments(udpPacket(t, src, dst, saying("S>", strings.Repeat("x", 56))), 9, 16)
}

func TestFragmentLost(t *testing.T) {
	for _, c := range []struct {
		name       string
		src, dst   string
		introduced bool // an earlier datagram introduced the conversation
		parts      []int
		want       string // text of the finding; "" for none
	}{
		{"of a known conversation", client, offPort, true, []int{0, 1, 2, 4},
			"5@5 chess#0 192.0.2.1:40000>198.51.100.2:9000 ip.fragment-lost: datagram of 192.0.2.1 with the id 9: 51 bytes came in frames 2 to 5, 16 are missing"},
		{"in the other direction", offPort, client, true, []int{0, 1},
			"3@3 chess#0 198.51.100.2:9000>192.0.2.1:40000 ip.fragment-lost: datagram of 198.51.100.2 with the id 9: 32 bytes came in frames 2 to 3, 35 are missing"},
		{"without the first fragment, of known hosts", client, offPort, true, []int{1, 2, 3, 4},
			"5@5 chess#-1 192.0.2.1:0>198.51.100.2:0 ip.fragment-lost: datagram of 192.0.2.1 with the id 9: 51 bytes came in frames 2 to 5, 16 are missing"},
		{"without the first fragment, in the other direction", offPort, client, true, []int{4},
			"2@2 chess#-1 198.51.100.2:0>192.0.2.1:0 ip.fragment-lost: datagram of 198.51.100.2 with the id 9: 3 bytes came in frame 2, 64 are missing"},
		{"on a known port", client, server, false, []int{0},
			"1@1 chess#-1 192.0.2.1:40000>198.51.100.2:7000 ip.fragment-lost: datagram of 192.0.2.1 with the id 9: 16 bytes came in frame 1, 51 are missing"},
		{"from a known port", server, client, false, []int{0, 4},
			"2@2 chess#-1 198.51.100.2:7000>192.0.2.1:40000 ip.fragment-lost: datagram of 198.51.100.2 with the id 9: 19 bytes came in frames 1 to 2, 48 are missing"},
		{"IPv6", client6, server6, true, []int{0, 1, 2, 4},
			"5@5 chess#0 [2001:db8::1]:40000>[2001:db8::2]:7000 ip.fragment-lost: datagram of 2001:db8::1 with the id 9: 51 bytes came in frames 2 to 5, 16 are missing"},
		{"IPv6 without the first fragment", client6, server6, true, []int{2},
			"2@2 chess#-1 [2001:db8::1]:0>[2001:db8::2]:0 ip.fragment-lost: datagram of 2001:db8::1 with the id 9: 16 bytes came in frame 2, an unknown number of bytes is missing"},
		{"on unknown ports", client, offPort, false, []int{0}, ""},
		{"without the first fragment, of unknown hosts", client, server, false, []int{1}, ""},
		{"nothing lost", client, server, true, []int{4, 3, 2, 1, 0}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := newTable(t, Options{})
			if c.introduced {
				e.say(c.src, c.dst, saying("S>", "hello"))
			}
			parts := lostParts(t, c.src, c.dst)
			for _, i := range c.parts {
				e.packet(parts[i])
			}
			e.expectFindings()
			e.Close()
			if c.want == "" {
				e.expectFindings()
			} else {
				e.expectFindings(c.want)
			}
			e.Close()
			e.expectFindings()
		})
	}
}

// Lost fragments are not reported if their conversation is known to be foreign, even on a protocol's port. Neither are
// lost fragments of another transport.
func TestFragmentLostOfOthers(t *testing.T) {
	e := newTable(t, Options{})
	e.say(client, server, foreign)
	parts := lostParts(t, client, server)
	e.packet(parts[0])
	for _, p := range lostParts(t, other, server)[:2] {
		e.packet(patch(p, 9, 6)) // TCP
	}
	e.Close()
	e.expectFindings()
	e.expectOurs(0, 4)
}

// A loss is reported as soon as packet time shows that no more fragments will come, even if the current packet is
// foreign.
func TestFragmentLostByTime(t *testing.T) {
	e := newTable(t, Options{})
	e.packet(lostParts(t, client, server)[0])
	for e.number < 31 {
		e.frame(ip.LinkEthernet, nil, 0)
	}
	e.expectFindings()
	e.frame(ip.LinkEthernet, nil, 0)
	e.expectFindings("1@1 chess#-1 192.0.2.1:40000>198.51.100.2:7000 ip.fragment-lost: datagram of 192.0.2.1 with the id 9: 16 bytes came in frame 1, 51 are missing")
	e.expectOurs(0, 32)
}

// If the captured part of a datagram ends before the ports, the hosts decide whether its loss is reported.
func TestFragmentLostWithCutPorts(t *testing.T) {
	e := newTable(t, Options{})
	e.say(client, offPort, saying("S>", "hello"))
	part := lostParts(t, client, offPort)[0]
	e.frame(ip.LinkRaw, part[:ipv4HeaderSize+3], len(part))
	e.Close()
	e.expectFindings("2@2 chess#-1 192.0.2.1:0>198.51.100.2:0 ip.fragment-lost: datagram of 192.0.2.1 with the id 9: 3 bytes came in frame 2, an unknown number of bytes is missing")
}

// Two hosts are known as long as any of their conversations is in the table.
func TestFragmentLostOfForgottenHosts(t *testing.T) {
	for forgotten := range 3 {
		e := newTable(t, Options{})
		e.say(client, server, saying("S>", "one"))
		e.say(client, offPort, saying("S>", "two"))
		for range forgotten {
			e.conversations.Forget()
		}
		e.packet(lostParts(t, client, server)[1])
		e.Close()
		if known := len(e.findings) == 1; known != (forgotten < 2) {
			t.Errorf("%d conversations were dropped: %q", forgotten, e.findings)
		}
	}
}

// If fragments of two hosts were joined, the hosts stay known even if their other conversations were dropped.
func TestFragmentLostOfHostsWithFragments(t *testing.T) {
	e := newTable(t, Options{})
	e.say(client, server, saying("S>", "one"))
	e.say(client, offPort, saying("S>", "two"))
	for _, p := range inFragments(udpPacket(t, client, server, saying("S>", strings.Repeat("x", 40))), 1, 16) {
		e.packet(p)
	}
	e.conversations.Forget() // drops the second conversation
	e.packet(lostParts(t, client, server)[1])
	e.Close()
	if len(e.findings) != 1 {
		t.Errorf("%q", e.findings)
	}
}

func TestFragmentLostNamesTheConversation(t *testing.T) {
	e := newTable(t, Options{})
	e.say(client, "192.0.2.9:53", foreign)
	e.say(client, offPort, saying("S>", "hello"))
	e.packet(lostParts(t, client, offPort)[0])
	e.Close()
	e.expectFindings("3@3 chess#1 192.0.2.1:40000>198.51.100.2:9000 ip.fragment-lost: datagram of 192.0.2.1 with the id 9: 16 bytes came in frame 3, 51 are missing")
}

// TestFragmentLostInItsFile checks that a loss in one file is reported for that file, even if the next file is already
// being read.
func TestFragmentLostInItsFile(t *testing.T) {
	e := newTable(t, Options{})
	var found []string
	e.options.Finding = func(f *wire.TrafficFinding) { found = append(found, f.File) }
	e.packet(lostParts(t, client, server)[0])
	e.Frame(&Frame{Time: toyStart + int64(time.Hour), Number: 1, File: "next.pcap"})
	e.Close()
	if !slices.Contains(found, "toy.pcap") {
		t.Errorf("findings in %v, want one in toy.pcap", found)
	}
}
