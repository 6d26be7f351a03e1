package bzflag24

import (
	"bytes"
	"maps"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/layers/bzflag24/world"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// Protocol describes the protocol to the engine.
var Protocol = &wire.Protocol{
	Name:        "bzflag24",
	Title:       "BZFlag 2.4",
	Type:        LayerType,
	UDP:         []uint16{Port},
	TCP:         []uint16{Port},
	Messages:    messages,
	New:         newLayer,
	Probe:       probe,
	ProbeStream: probeStream,
	NewSplitter: func() wire.Splitter { return &splitter{Framing: framing} },
	NewSession:  func(memory *bounded.Budget) wire.Session { return newSession(memory) },
	NewTracker:  func(r *wire.Reporter) wire.Tracker { return newTracker(r) },
	Attempts:    []*wire.AttemptKind{joins, logins, links, listing, fetch},
	Tables: []wire.Table{
		playersTable(), bzflag.KillsTable, bzflag.TeamsTable, joins.TableOf(),
		{Name: bzflag.Refused, Columns: []string{wire.RefusedReason, wire.RefusedBefore, "version"}},
		bzflag.QueriesTable, listing.TableOf(),
		{Name: bzflag.Servers, Columns: []string{"players", "game type", "options", "version", "match"}},
	},
	Times: []string{bzflag.Jitter},
	Events: append(joins.Events(),
		bzflag.Join, bzflag.Present, bzflag.Leave, bzflag.Kill, bzflag.Grab, bzflag.Drop, bzflag.Steal,
		bzflag.Capture, bzflag.Says, bzflag.Notice, bzflag.Rabbit, bzflag.Pausing, bzflag.Resuming, bzflag.Start,
		bzflag.GameOver, bzflag.Shutdown, bzflag.Denied, bzflag.Warned,
	),
	Rules: []*wire.Rule{
		ruleLength, ruleTooLong, ruleCode, ruleDirection, ruleTrailing, ruleStale, ruleUDPCode, ruleUDPBundle,
		ruleGrabStatus, ruleTerminator, ruleEnum, world.RuleNumber, ruleHash, world.RuleStructure, ruleVersion,

		ruleBeforeEnter, ruleSecondEnter, ruleAcceptID, ruleFull, ruleReject, ruleSuperKill, ruleForeign, ruleShotTCP,
		ruleOrder, ruleLagPing, ruleOffset, ruleTimeBack, ruleTimeRises, ruleRabbit, ruleHandicap, ruleFace,
		ruleShotLimit, ruleUnknownShot, ruleShotFlag, ruleDead, ruleKilledDead, ruleAliveTwice, ruleGrabGround,
		ruleDropFlag, ruleTransfer, ruleCapture, ruleFlagNumber, rulePauseTwice, rulePaused, ruleObserver, ruleUnborn,
		ruleDenied, ruleWarned, ruleLostPings, ruleUnrelayed, ruleUpdatesUnrelayed, ruleUnlinked, ruleNoLink, ruleOneWay,
		ruleUndelivered,
	},
	Private: private,
	Roles:   roles,
	People:  people,
	Secret:  bzflag.FindSecret,
	Differences: []string{
		"The only document describes BZFlag 1.07 (see the page bzflag17). gamedissect decodes 2.4 as real programs send it.",
		"`bytes_left` of MsgGetWorld includes the bytes of the current part, but in the last part it is 0.",
		"`max_time` of MsgPingCodeReply and MsgQueryGame is in seconds. Some tools divide it by ten.",
	},
}

// Columns of the table of players. They count updates over UDP.
const (
	updates   = "updates" // updates that a player sent, including missing ones
	missing   = "missing" // updates from the player that are missing
	updatesTo = "updates to"
	missingTo = "missing to"
)

func playersTable() wire.Table {
	t := bzflag.PlayersTable
	at := slices.Index(t.Columns, bzflag.LostPings) + 1
	t.Columns = append(slices.Insert(slices.Clone(t.Columns), at, bzflag.Jitter, updates, missing, updatesTo, missingTo),
		"version", "udp")
	t.Shares = map[string]string{bzflag.LostPings: bzflag.Pings, missing: updates, missingTo: updatesTo}
	t.Meanings = maps.Clone(t.Meanings)
	t.Meanings[bzflag.Jitter] = "jitter is smoothed as on the server"
	t.Meanings[missing] = "missing counts missing UDP updates from the player"
	t.Meanings[missingTo] = "missing to counts missing UDP updates to the player"
	return t
}

// pingRequest is the request with which a client searches for servers. In 1.07, its last two bytes are a TTL.
var pingRequest = []byte{0, 2, 4, 4, 0, 0}

// probe recognises datagrams: pings, and datagrams of a UDP link, which consist of whole messages.
func probe(p *wire.Probe) wire.Verdict {
	data := p.Payload
	if len(data) < bzflag.HeaderSize {
		return wire.Verdict{}
	}
	h := bzflag.PeekHeader(data)
	switch {
	case h.Code == CodePingReply && h.Length == pingReplySize &&
		bytes.HasPrefix(data[bzflag.HeaderSize:], []byte(bzflag.Magic)):
		return wire.Verdict{Confidence: wire.Sure, Direction: wire.FromServer}
	case bytes.Equal(data, pingRequest) && (p.Dst.Port() == Port || p.ToExpected):
		return wire.Verdict{Confidence: wire.Likely, Direction: wire.ToServer}
	}
	return probeLink(p)
}

// probeLink recognises a datagram of the UDP link by its messages. If all of them are short, the verdict is only
// Likely.
func probeLink(p *wire.Probe) wire.Verdict {
	v := wire.Verdict{Confidence: wire.Likely}
	messages := 0
	for data := p.Payload; len(data) > 0; messages++ {
		if len(data) < bzflag.HeaderSize {
			return probeTruncated(v, p, messages)
		}
		h := bzflag.PeekHeader(data)
		toServer, fromServer := byUDP(h.Code)
		n := bzflag.HeaderSize + int(h.Length)
		if h.Code.Ping() || !toServer && !fromServer || !framing.LengthFits(wire.Unknown, data) {
			return wire.Verdict{}
		}
		if n > len(data) {
			return probeTruncated(v, p, messages)
		}
		if int(h.Length) >= 8 {
			v.Confidence = wire.Sure
		}
		switch {
		case !toServer:
			v.Direction = wire.FromServer
		case h.Code == CodeUDPLinkRequest && h.Length == 1, !fromServer:
			v.Direction = wire.ToServer
		}
		data = data[n:]
	}
	if messages > 1 && v.Direction == wire.Unknown {
		v.Direction = wire.FromServer // a client sends only one message per datagram
	}
	return v
}

// probeTruncated returns the verdict on a datagram whose last message is incomplete. It accepts the datagram only if
// the snap length cut it.
func probeTruncated(v wire.Verdict, p *wire.Probe, messages int) wire.Verdict {
	if p.Missing > 0 && messages > 0 {
		return v
	}
	if p.Missing > 0 {
		return wire.Verdict{Confidence: wire.Likely}
	}
	return wire.Verdict{}
}
