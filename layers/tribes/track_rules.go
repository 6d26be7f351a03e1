package tribes

import "github.com/gamedissect/gamedissect/decode/wire"

// The rules about several messages.
var (
	ruleWrongNumber = &wire.Rule{
		ID: "tribes.wrong-packet-number", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "another packet of the list than the one asked for",
		Why:    "A query can ask for one packet; clients do this for lost packets. A client that gets another packet repeats the query until it gives up. Some masters answer numbers beyond the list with the last packet, or always send the whole list.",
		Source: inDocument + ", PACKET TYPE 0x03, PACKET NUMBER; " + inMasters,
	}
	ruleTotal = &wire.Rule{
		ID: "tribes.total-changed", Severity: wire.Error, Rests: wire.OnState,
		Title:  "packets of a list disagree about their total",
		Why:    "A client compares the number of packets with the total to know when the list is complete. With two totals it stops early, or waits for packets that never come. Check whether the master recomputes the total while it sends.",
		Source: inDocument + ", PACKET TYPE 0x06, PACKET TOTAL",
	}
	ruleStillMissing = &wire.Rule{
		ID: "tribes.packet-unanswered", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "packets of a list that the client requested again and did not get",
		Why:    "The client also lacks these packets, because it asked for one of them by its number, and the capture has no answer. The servers in them are missing from its list. Look for loss between client and master. If every client has this problem, the master may announce more packets than it sends.",
		Source: inDocument + ", PACKET TYPE 0x06, PACKET TOTAL; " + inEngine,
	}
	ruleIncomplete = &wire.Rule{
		ID: "tribes.list-incomplete", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "packets of a list are not in the capture",
		Why:    "Within five seconds, not all packets of the list were captured. The capture does not show whether the client received them: real clients ask for missing packets by number, and this one did not, but simple query tools never do.",
		Source: inDocument + ", PACKET TYPE 0x06, PACKET TOTAL; " + inEngine,
	}
	ruleUnanswered = &wire.Rule{
		ID: "tribes.unanswered-query", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a query without an answer",
		Why:    "No answer came within five seconds, and no client waits longer. The other side is down, the packet was lost, or it was not understood: servers silently drop other versions, and answer 0x62 only if it has exactly three bytes. A master may also ignore clients that ask too often.",
		Source: inEngine + "; " + inMasters,
	}
	ruleDuplicate = &wire.Rule{
		ID: "tribes.duplicate-packet", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a packet of a list came again",
		Why:    "The packet has the same content as before, and the client did not ask for it again. Networks sometimes duplicate datagrams, captures on several interfaces see each datagram twice, and at least one master sends a single packet twice.",
		Source: inDocument + ", PACKET TYPE 0x06, PACKET NUMBER; t1master",
	}
	ruleConflict = &wire.Rule{
		ID: "tribes.conflicting-duplicate", Severity: wire.Error, Rests: wire.OnState,
		Title:  "the same packet of a list with other content",
		Why:    "Each number identifies one part of the list. A client keeps one of the two packets, so it misses servers or shows wrong ones. Two masters behind one address, or a forged packet, can cause this.",
		Source: inDocument + ", PACKET TYPE 0x06, PACKET NUMBER",
	}
	ruleUnknownKey = &wire.Rule{
		ID: "tribes.unknown-key", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a reply with a wrong key",
		Why:    "A reply must have the key of its query, byte for byte. The document says to ignore replies with any other key as forged, and the game's client does. Here either the two bytes of the key are swapped, as by a program that reads the key as a number and writes it in the other byte order, or the waiting query got no other reply for five seconds.",
		Source: inDocument + ", PACKET TYPE 0x06 ERRATA; " + inEngine,
	}
	ruleUnsolicited = &wire.Rule{
		ID: "tribes.unsolicited-reply", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a reply whose query is not in the capture",
		Why:    "The capture has no query that waits for this reply. If only the capture lacks the query, all is well. Otherwise the game's client and masters drop the reply: it is late, forged, or sent from another socket than the one that was asked, as happens with several addresses or behind NAT. A reply without a query does not get a game server into a list.",
		Source: inEngine + "; t1master",
	}
	ruleSequence = &wire.Rule{
		ID: "tribes.wrong-sequence", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a GameSpy-style answer with another sequence than the query",
		Why:    "An answer must repeat the two bytes of the sequence. Tools that send several queries match answers by these bytes, and drop this one. This is reported only if the query got no other answer, because an answer to a query that the capture lacks looks the same.",
		Source: inEngine,
	}
	ruleUnderfilled = &wire.Rule{
		ID: "tribes.underfilled", Severity: wire.Note, Rests: wire.OnPresence,
		Title:  "room for another server in a packet",
		Why:    "All packets except the last should be as full as possible; compare with the largest packet of the list. Otherwise the list takes more packets than necessary, and each of them can be lost. The original master reserves eight bytes per server, but sends seven.",
		Source: inDocument + ", PACKET TYPE 0x06 ERRATA; " + inMasters,
	}
	ruleMaster = &wire.Rule{
		ID: "tribes.master-id-changed", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "packets of a list with different master ids",
		Why:    "The id identifies the master that made the list. Two ids in one list mean that packets of two masters are mixed, or that the field was filled with something else.",
		Source: inDocument + ", PACKET TYPE 0x06, MASTER SERVER ID",
	}
	ruleNameUnasked = &wire.Rule{
		ID: "tribes.name-unasked", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a name although the request lacks s_name",
		Why:    "According to the document, a server sends its name only if the request has the key s_name. Real game servers ignore the keys and always send the name, and today's masters send no keys.",
		Source: inDocument + ", PACKET TYPE 0x04 ERRATA; " + inEngine,
	}
	ruleNameMissing = &wire.Rule{
		ID: "tribes.name-missing", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "no name although the request has s_name",
		Why:    "The name is the most important part of a verification. A master that shows or checks the name has none, and may use old content of its buffer.",
		Source: inDocument + ", PACKET TYPE 0x04 ERRATA, PACKET TYPE 0x03 [GAMESERVER SIDE] ERRATA",
	}
	ruleGap = &wire.Rule{
		ID: "tribes.heartbeat-gap", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "more than 250 seconds between heartbeats, again and again",
		Why:    "Game servers send a heartbeat every two minutes. Masters remove a server after 250 to 300 seconds without one. Lost heartbeats or a restart can cause one long pause; here at least two long pauses follow each other, so the server is not listed most of the time.",
		Source: inEngine + "; " + inMasters,
	}
)
