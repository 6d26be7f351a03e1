package tribes

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

var (
	rulePrivate = &wire.Rule{
		ID: "tribes.private-entry", Severity: wire.Note, Rests: wire.OnContext, Fact: true,
		Title:  "a private address in the list of a public master",
		Why:    "The master and the client have public addresses, but the list has servers with private, loopback or link-local addresses. Masters list the source addresses of heartbeats, so these servers are in the master's own network, and no player elsewhere can reach them. Make them send their heartbeats from their public address.",
		Source: inMasters,
	}
	ruleEmpty = &wire.Rule{
		ID: "tribes.empty-list", Severity: wire.Note, Rests: wire.OnBytes, Fact: true,
		Title:  "a list without servers",
		Why:    "The list of a new master is empty. darkstar-query-go also sends an empty list to banned addresses, and says so in the message of the day.",
		Source: "darkstar-query-go, server/serve.go",
	}
)

// checkEntries reports properties of a list that may explain why a player does not see a server.
func checkEntries(l wire.Layer, p *wire.Place, m *MasterListReply) {
	core := l.Core()
	if core.Fault() != nil || core.Truncated() {
		return
	}
	at := core.Size() - len(m.Trailing) - len(m.Servers)*serverSize
	if m.Total == 1 && len(m.Servers) == 0 && len(m.Trailing) == 0 && m.count() == 0 {
		if motd := wire.Trim(m.MOTD); len(motd) == 0 {
			core.Report(ruleEmpty, at-1, 1, "no server")
		} else {
			core.Report(ruleEmpty, at-1, 1, "no server; the message of the day is %s", format.AppendQuoted(nil, motd))
		}
	}
	if isLocal(p.Src.Addr()) || isLocal(p.Dst.Addr()) {
		return
	}
	var local tally
	for i := range m.Servers {
		if isLocal(m.Servers[i].AddrPort().Addr()) {
			local.add(i)
		}
	}
	if local.n > 0 {
		core.Report(rulePrivate, at+local.first*serverSize, serverSize,
			"%d of %d entries are private, loopback or link-local, the first is %s: no player elsewhere can reach them",
			local.n, len(m.Servers), m.Servers[local.first].AddrPort())
	}
}

// isLocal reports whether an address is valid only within a private network.
func isLocal(a netip.Addr) bool {
	a = a.Unmap()
	return a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast()
}
