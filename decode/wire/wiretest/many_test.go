package wiretest

import (
	"net/netip"
	"testing"
)

// No two copies share a host, hosts of one network stay in one network, and addresses that are not hosts do not change.
func TestMove(t *testing.T) {
	k := &talk{names: make(map[netip.AddrPort]string)}
	for _, a := range []string{"192.0.2.1", "192.0.2.255", "203.0.113.9", "192.168.1.5", "127.0.0.1", "255.255.255.255",
		"239.1.2.3", "2001:db8::1"} {
		k.names[netip.AddrPortFrom(netip.MustParseAddr(a), 1)] = a
	}
	seen := make(map[netip.Addr]bool)
	for i := range 1000 {
		hosts := move(k, i)
		if len(hosts) != 6 {
			t.Fatalf("%d hosts: %v", len(hosts), hosts)
		}
		to := make(map[string]netip.Addr)
		for _, h := range hosts {
			if seen[h.to] || h.from.IsPrivate() != h.to.IsPrivate() || h.from.IsLoopback() != h.to.IsLoopback() || (h.from == h.to) != (i == 0) {
				t.Fatalf("copy %d: %v", i, h)
			}
			seen[h.to] = true
			to[h.from.String()] = h.to
		}
		one, other := to["192.0.2.1"], to["192.0.2.255"]
		if network, _ := one.Prefix(24); !network.Contains(other) || len(one.String()) != len("192.0.2.1") {
			t.Fatalf("copy %d: %v and %v", i, one, other)
		}
	}
}

// An address in a text changes in a copy, but a longer number does not.
func TestReplaceWord(t *testing.T) {
	const text = "192.0.2.1, 192.0.2.10, 192.0.2.1:5, 1192.0.2.1, 192.0.2.1"
	const want = "host, 192.0.2.10, host:5, 1192.0.2.1, host"
	if got := string(replaceWord([]byte(text), "192.0.2.1", "host")); got != want {
		t.Errorf("%q", got)
	}
}
