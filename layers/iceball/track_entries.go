package iceball

import (
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/plainhttp"
)

// isLocal reports whether an address can be reached only from its own network.
func isLocal(a netip.Addr) bool {
	return a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() || a.IsUnspecified()
}

// checkAddresses checks whether clients can reach the servers of a list.
func (l *list) checkAddresses() {
	times := make(map[netip.AddrPort]int, len(l.entries))
	local := 0
	var first netip.AddrPort
	for i := range l.entries {
		at := l.entries[i].at
		if !at.IsValid() {
			continue
		}
		if times[at]++; times[at] == 1 && isLocal(at.Addr()) {
			if local++; local == 1 {
				first = at
			}
		}
	}
	if local > 0 && !isLocal(l.place.Src.Addr()) {
		more := ""
		if local > 1 {
			more = " and " + wire.Counted(local-1, "other") + " like it"
		}
		l.report(rulePrivateEntry, "%s%s cannot be reached from outside its own network: the address is private", first, more)
	}
	for _, at := range l.order {
		if times[at] > 1 {
			l.report(ruleSharedEntry, "%s stands %d times in the list: two servers share it, or one announces itself from "+
				"two sockets; clients reach one of them", at, times[at])
		}
	}
}

// checkVersion checks whether the list makes clients show a notice about an update. Clients do not transmit their
// versions, but a client is rarely newer than all servers.
func (l *list) checkVersion() {
	var versions []Version
	for i := range l.entries {
		if v, ok := parseVersion(l.entries[i].version); ok {
			versions = append(versions, v)
		}
	}
	if len(versions) == 0 {
		return
	}
	if newest := slices.Max(versions); l.newest > newest {
		l.report(ruleUpdate, "iceball_version is %s, the newest server in the list has %s: clients of that version say "+
			"\"Update available!\"", l.newest, newest)
	}
}

// checkGameCanRead checks whether the game's list client finds the length of the body.
func checkGameCanRead(core *wire.Base, m *HTTPResponse) {
	if m.Status != 200 || core.Fault() != nil || core.Truncated() || plainhttp.Find(m.Headers, "Length") != nil {
		return
	}
	size := plainhttp.Size(m.Headers)
	core.Report(ruleNoLength, core.Size()-len(m.Body)-size, size,
		"the header Length is missing, without which the game's list client ends with an error")
}
