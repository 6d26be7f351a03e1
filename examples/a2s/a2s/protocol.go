// Package a2s dissects the queries that servers of Source games answer over UDP. The answers describe the server, its
// players and its settings. If a query lacks the server's challenge, the server sends the challenge, and the client
// repeats the query with it.
//
// The source is Valve's page "Server queries" (developer.valvesoftware.com/wiki/Server_queries). A long answer comes in
// several packets, which begin with -2 instead of -1. Each of these packets is decoded as a Part. In the packet that
// completes the answer, the fields of the answer come after the fields of the part.
package a2s

import (
	"encoding/binary"
	"fmt"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/ask"
)

// Protocol describes the protocol to the engine.
var Protocol = &wire.Protocol{
	Name: "a2s", Title: "Source server queries", Type: LayerType, UDP: []uint16{27015},
	Messages: messages, New: newLayer, Probe: probe, NewSession: wire.NewStates[answers],
	NewTracker: (&ask.Pairs{
		Patience: 3e9, Unanswered: ruleUnanswered, Unasked: ruleUnasked, Table: "servers", Measure: measure,
	}).NewTracker,
	Tables: []wire.Table{{Name: "servers", Columns: []string{"name", "map", "players", "ping", "version"}}},
	Rules:  []*wire.Rule{ruleType, ruleUnanswered, ruleUnasked},
	Private: wire.Privacies{
		"name": wire.PrivateName, "players.name": wire.PrivateName, "rules.name": wire.Public,
		"rules.value": wire.PrivateName,
		"map":         wire.Public, "folder": wire.Public, "game": wire.Public, "version": wire.Public, "keywords": wire.PrivateName,
		"tv_name": wire.PrivateName, "text": wire.Public, "trailing": wire.PrivateBytes, "data": wire.PrivateBytes,
		"part.data": wire.PrivateBytes,
	},
	Roles: wire.Roles{"prefix": wire.Structural, "type": wire.Structural, "challenge": wire.Passing},
}

// The rules.
var (
	ruleType = &wire.Rule{
		ID: "a2s.type", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "a message type that Valve's page does not define",
		Why:    "The message may belong to an older game.",
		Source: "Server queries, Requests",
	}
	ruleUnanswered = &wire.Rule{
		ID: "a2s.unanswered", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a query without an answer",
		Why:    "A server answers at once, or not at all if it is asked too often.",
		Source: "Server queries, Requests",
	}
	ruleUnasked = &wire.Rule{
		ID: "a2s.unasked", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "an answer without a query in the capture",
		Why:    "The capture may lack the query, or another host sent the query with a forged source address.",
		Source: "Server queries, Requests",
	}
)

// The messages.
var (
	infoQuery   = &wire.MessageType{Name: "InfoQuery", Direction: wire.ToServer, Body: wire.Like(InfoQuery{})}
	playerQuery = &wire.MessageType{Name: "PlayerQuery", Direction: wire.ToServer, Body: wire.Like(Challenge{})}
	rulesQuery  = &wire.MessageType{Name: "RulesQuery", Direction: wire.ToServer, Body: wire.Like(Challenge{})}
	challenge   = answer("Challenge", wire.Like(Challenge{}), "InfoQuery", "PlayerQuery", "RulesQuery")
	info        = answer("Info", wire.Like(Info{}), "InfoQuery")
	players     = answer("Players", wire.Like(Players{}), "PlayerQuery")
	rules       = answer("Rules", wire.Like(Rules{}), "RulesQuery")
	part        = answer("Part", wire.Like(wire.Empty{}), "InfoQuery", "PlayerQuery", "RulesQuery")
	unknown     = &wire.MessageType{Name: "Unknown", Body: wire.Like(wire.Undefined{})}

	messages = wire.NewMessages(infoQuery, playerQuery, rulesQuery, challenge, info, players, rules, part, unknown)

	byType = map[uint8]*wire.MessageType{'T': infoQuery, 'U': playerQuery, 'V': rulesQuery,
		'A': challenge, 'I': info, 'D': players, 'E': rules}
)

// answer returns the type of a server's message that answers one of the queries.
func answer(name string, body wire.Prototype, queries ...string) *wire.MessageType {
	return &wire.MessageType{Name: name, Direction: wire.FromServer, Body: body, Answers: queries}
}

// measure reports what a server says about itself.
func measure(r *wire.Reporter, l wire.Layer, p *wire.Place) {
	i, ok := l.Core().Body.(*Info)
	if !ok {
		return
	}
	for _, v := range []wire.Value{
		{What: "name", Text: string(i.Name)},
		{What: "map", Text: string(i.Map)},
		{What: "players", Text: fmt.Sprintf("%d/%d", i.Players, i.MaxPlayers)},
		{What: "version", Text: string(i.Version)},
	} {
		v.Place, v.Table, v.Server, v.State = *p, "servers", p.Src, true
		r.Measured(v)
	}
}

// probe recognises a packet by its prefix. If the packet is a whole message, probe also checks the type.
func probe(p *wire.Probe) wire.Verdict {
	if len(p.Payload) < 5 {
		return wire.Verdict{}
	}
	switch t := byType[p.Payload[4]]; {
	case binary.LittleEndian.Uint32(p.Payload) == parted:
		return wire.Verdict{Confidence: wire.Likely, Direction: wire.FromServer}
	case binary.LittleEndian.Uint32(p.Payload) == single && t != nil:
		return wire.Verdict{Confidence: wire.Likely, Direction: t.Direction}
	}
	return wire.Verdict{}
}
