package tribes

import "github.com/gamedissect/gamedissect/decode/wire"

// Rules that compare several messages.
var (
	ruleWrongNumber = &wire.Rule{
		ID: "tribes.wrong-packet-number", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a list packet that is not the requested one",
		Why:    "A query can ask for a single packet; clients do this for lost packets. A client that gets another packet repeats the query until it gives up. If the requested number is too high, some masters send the last packet. Other masters send the whole list, whatever the number.",
		Source: inDocument + ", PACKET TYPE 0x03, PACKET NUMBER; " + inMasters,
	}
	ruleTotal = &wire.Rule{
		ID: "tribes.total-changed", Severity: wire.Error, Rests: wire.OnState,
		Title:  "packets of one list with different totals",
		Why:    "Each packet says how many packets the list has. With two totals, a client stops too early, or waits for packets that never come. Check whether the master recomputes the total while it sends.",
		Source: inDocument + ", PACKET TYPE 0x06, PACKET TOTAL",
	}
	ruleStillMissing = &wire.Rule{
		ID: "tribes.packet-unanswered", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "list packets that the client requested again but did not get",
		Why:    "The capture lacks these packets. The client lacks them too: it asked for one of them by number and got no answer. So its list lacks the servers in these packets. Look for packet loss between client and master. If all clients have this problem, the master may count more packets than it sends.",
		Source: inDocument + ", PACKET TYPE 0x06, PACKET TOTAL; " + inEngine,
	}
	ruleIncomplete = &wire.Rule{
		ID: "tribes.list-incomplete", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a list with packets that are not in the capture",
		Why:    "For five seconds, no further packet of the list came. The capture does not show whether the client received the missing packets. Real clients would ask for them by number. This client did not, but simple query tools never do.",
		Source: inDocument + ", PACKET TYPE 0x06, PACKET TOTAL; " + inEngine,
	}
	ruleUnanswered = &wire.Rule{
		ID: "tribes.unanswered-query", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a query without an answer",
		Why:    "No answer came within five seconds, and no client waits longer. The other side is down, a packet was lost, or the other side dropped the query. Servers silently drop queries of other versions, and GameSpy-style queries (0x62) that do not have exactly three bytes. A master may also ignore clients that ask too often.",
		Source: inEngine + "; " + inMasters,
	}
	ruleDuplicate = &wire.Rule{
		ID: "tribes.duplicate-packet", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a list packet that came again",
		Why:    "The packet has the same content as before, and the client did not ask for it again. Networks sometimes duplicate datagrams, a capture on several interfaces contains each datagram twice, and at least one master (t1master) sometimes sends a packet twice.",
		Source: inDocument + ", PACKET TYPE 0x06, PACKET NUMBER; t1master",
	}
	ruleConflict = &wire.Rule{
		ID: "tribes.conflicting-duplicate", Severity: wire.Error, Rests: wire.OnState,
		Title:  "a list packet that came again with different content",
		Why:    "Each number identifies one part of the list. A client keeps only one of the two packets, so it misses servers or shows wrong ones. There may be two masters behind one address, or somebody forged a packet.",
		Source: inDocument + ", PACKET TYPE 0x06, PACKET NUMBER",
	}
	ruleUnknownKey = &wire.Rule{
		ID: "tribes.unknown-key", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a reply with the wrong key",
		Why:    "A reply must repeat the two bytes of its query's key. According to the document, clients ignore any other reply as forged; the game's client does so. The rule reports two cases. In the first, the two bytes of the key are swapped; a program may have written the key as a number in the wrong byte order. In the second, the waiting query got no other reply within five seconds.",
		Source: inDocument + ", PACKET TYPE 0x06 ERRATA; " + inEngine,
	}
	ruleUnsolicited = &wire.Rule{
		ID: "tribes.unsolicited-reply", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a reply whose query is not in the capture",
		Why:    "The capture has no query that waits for this reply. If the query was sent but not captured, nothing is wrong. Otherwise, the game's client and masters drop the reply. It is late or forged, or does not come from the address and port to which the query went, for example because the host has several addresses or is behind NAT. A master does not list a game server that replies without a query.",
		Source: inEngine + "; t1master",
	}
	ruleSequence = &wire.Rule{
		ID: "tribes.wrong-sequence", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a GameSpy-style answer whose sequence differs from the query's",
		Why:    "An answer must repeat the two bytes of the query's sequence. Tools that send several queries match answers by these bytes, and drop this one. This is reported only if the query got no other answer. Otherwise this answer may belong to a query that the capture lacks.",
		Source: inEngine,
	}
	ruleUnderfilled = &wire.Rule{
		ID: "tribes.underfilled", Severity: wire.Note, Rests: wire.OnPresence,
		Title:  "a list packet with room for another server",
		Why:    "All packets of a list except the last should be as full as the largest one. Otherwise the list takes more packets than necessary, and each of them can be lost. The original master reserves eight bytes per server, but an entry has only seven.",
		Source: inDocument + ", PACKET TYPE 0x06 ERRATA; " + inMasters,
	}
	ruleMaster = &wire.Rule{
		ID: "tribes.master-id-changed", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "packets of one list with different master ids",
		Why:    "The id identifies the master that made the list. Two ids in one list mean that packets of two masters are mixed, or that a master put something else into the field.",
		Source: inDocument + ", PACKET TYPE 0x06, MASTER SERVER ID",
	}
	ruleNameUnasked = &wire.Rule{
		ID: "tribes.name-unasked", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a server name in a reply to a request without the key s_name",
		Why:    "According to the document, a server sends its name only if the request has the key s_name. Real game servers ignore the keys and always send the name, and today's masters send no keys.",
		Source: inDocument + ", PACKET TYPE 0x04 ERRATA; " + inEngine,
	}
	ruleNameMissing = &wire.Rule{
		ID: "tribes.name-missing", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a reply without a server name to a request with the key s_name",
		Why:    "The name is the most important part of the reply. A master that shows or checks the name now has none, and may use old content of its buffer.",
		Source: inDocument + ", PACKET TYPE 0x04 ERRATA, PACKET TYPE 0x03 [GAMESERVER SIDE] ERRATA",
	}
	ruleGap = &wire.Rule{
		ID: "tribes.heartbeat-gap", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "at least two consecutive pauses of more than 250 seconds between heartbeats",
		Why:    "Game servers send a heartbeat every two minutes. Masters remove a server after 250 to 300 seconds without one, so the server drops out of the list in each such pause. Lost heartbeats or a restart can cause one long pause, but hardly two in a row.",
		Source: inEngine + "; " + inMasters,
	}
)
