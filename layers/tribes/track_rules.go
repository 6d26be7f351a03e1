package tribes

import "github.com/gamedissect/gamedissect/decode/wire"

// The rules about several messages.
var (
	ruleWrongNumber = &wire.Rule{
		ID: "tribes.wrong-packet-number", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "another packet of the list than the one asked for",
		Why:    "A query can name one packet, which clients do for those that got lost. A client that gets another one asks in vain until it gives up. Masters are known that send the last packet for numbers beyond the list, or the whole list whatever is asked.",
		Source: inDocument + ", PACKET TYPE 0x03, PACKET NUMBER; " + inMasters,
	}
	ruleTotal = &wire.Rule{
		ID: "tribes.total-changed", Severity: wire.Error, Rests: wire.OnState,
		Title:  "packets of a list disagree about their total",
		Why:    "A client counts what it has against the total to know when it is done. With two totals it stops early or waits for packets that never come. Look whether the master computes the total anew while it sends.",
		Source: inDocument + ", PACKET TYPE 0x06, PACKET TOTAL",
	}
	ruleStillMissing = &wire.Rule{
		ID: "tribes.packet-unanswered", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "packets of a list that the client asked for again, and did not get",
		Why:    "The client lacks these packets too, since it asked for one of them by its number, and no answer is in the capture: the servers in them are missing from its list. Look for loss between the two. A master that announces more packets than it sends looks like this for every client.",
		Source: inDocument + ", PACKET TYPE 0x06, PACKET TOTAL; " + inEngine,
	}
	ruleIncomplete = &wire.Rule{
		ID: "tribes.list-incomplete", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "packets of a list are not in the capture",
		Why:    "Within five seconds not all packets of the list were captured. Whether the client got them the capture cannot tell: real clients ask for missing ones by their numbers, and this one did not; simple query tools show what they have.",
		Source: inDocument + ", PACKET TYPE 0x06, PACKET TOTAL; " + inEngine,
	}
	ruleUnanswered = &wire.Rule{
		ID: "tribes.unanswered-query", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a query without an answer",
		Why:    "Nothing came back within five seconds, after which no client waits any more. The other side is down, the packet got lost, or it was not understood: servers drop other versions silently and answer 0x62 with exactly three bytes only, and a master may ignore who asks too often.",
		Source: inEngine + "; " + inMasters,
	}
	ruleDuplicate = &wire.Rule{
		ID: "tribes.duplicate-packet", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a packet of a list came again",
		Why:    "It says the same once more and was not asked for again. Networks double datagrams now and then, captures on several interfaces see each twice, and a master was seen to send a single packet two times.",
		Source: inDocument + ", PACKET TYPE 0x06, PACKET NUMBER; t1master",
	}
	ruleConflict = &wire.Rule{
		ID: "tribes.conflicting-duplicate", Severity: wire.Error, Rests: wire.OnState,
		Title:  "the same packet of a list with other content",
		Why:    "A number stands for one part of the list. A client keeps either, so it misses servers or shows some that were not meant. Two masters behind one address or a forged packet do that.",
		Source: inDocument + ", PACKET TYPE 0x06, PACKET NUMBER",
	}
	ruleUnknownKey = &wire.Rule{
		ID: "tribes.unknown-key", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a reply with a key that was not asked with",
		Why:    "The key comes back byte for byte, and the document wants replies with any other thrown away as forged; the game's client does that. Either the key's two bytes are exchanged, by a program that reads it as a number and writes it in the other byte order, or the query that waited got no other reply for five seconds.",
		Source: inDocument + ", PACKET TYPE 0x06 ERRATA; " + inEngine,
	}
	ruleUnsolicited = &wire.Rule{
		ID: "tribes.unsolicited-reply", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a reply whose query is not in the capture",
		Why:    "The capture has no query of the receiver that waits for it. If the query was lost on the way to the capture point, all is well. Otherwise the game's client and masters drop the reply: it is late, forged, or sent from another socket than the one that was asked, as happens with several addresses or behind a translating router. A game server that speaks of itself unasked gets into no list by it.",
		Source: inEngine + "; t1master",
	}
	ruleSequence = &wire.Rule{
		ID: "tribes.wrong-sequence", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a GameSpy-style answer with another sequence than the query",
		Why:    "The two bytes of the sequence come back as they were sent; tools that send several queries tell the answers apart by them, and drop this one. It is reported where the query got no other answer: an answer to a query that the capture lacks looks the same.",
		Source: inEngine,
	}
	ruleUnderfilled = &wire.Rule{
		ID: "tribes.underfilled", Severity: wire.Note, Rests: wire.OnPresence,
		Title:  "room for another server in a packet",
		Why:    "All packets but the last should be as full as they can be; compare with the largest of the list. The list takes more packets than it needs, each of which can get lost. The original master counts eight bytes a server for the seven that it sends.",
		Source: inDocument + ", PACKET TYPE 0x06 ERRATA; " + inMasters,
	}
	ruleMaster = &wire.Rule{
		ID: "tribes.master-id-changed", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "packets of a list with different master ids",
		Why:    "The id names the master that made the list. Two of them in one list mean that packets of two masters are mixed, or that the field was filled with something else.",
		Source: inDocument + ", PACKET TYPE 0x06, MASTER SERVER ID",
	}
	ruleNameUnasked = &wire.Rule{
		ID: "tribes.name-unasked", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a name although s_name was not asked for",
		Why:    "For the document the name depends on the key s_name. Real game servers never look at the keys and always send it, and masters of today ask without keys.",
		Source: inDocument + ", PACKET TYPE 0x04 ERRATA; " + inEngine,
	}
	ruleNameMissing = &wire.Rule{
		ID: "tribes.name-missing", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "s_name was asked for and no name came",
		Why:    "The name is the most important thing that a verification asks for. A master that shows or checks it has nothing, and may take what its buffer held before.",
		Source: inDocument + ", PACKET TYPE 0x04 ERRATA, PACKET TYPE 0x03 [GAMESERVER SIDE] ERRATA",
	}
	ruleGap = &wire.Rule{
		ID: "tribes.heartbeat-gap", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "more than 250 seconds between heartbeats, again and again",
		Why:    "Game servers send one every two minutes. Masters strike a server off their list after 250 to 300 seconds without. Lost heartbeats or a restart make one long pause; here at least two follow each other, so the server is off the list most of the time.",
		Source: inEngine + "; " + inMasters,
	}
)
