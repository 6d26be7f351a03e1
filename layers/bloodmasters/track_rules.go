package bloodmasters

import "github.com/gamedissect/gamedissect/decode/wire"

// The rules about a query and its answer.
var (
	ruleUnsolicited = &wire.Rule{
		ID: "bloodmasters.unsolicited-reply", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "an answer whose query is not in the capture",
		Why:    "A server only answers queries, and the capture has no query that waits for this answer. If only the capture lacks the query, all is well. Otherwise look for an answer sent to the wrong port, or a forged sender.",
		Source: inDocument + ", both parts; " + inServer,
	}
	ruleEchoMismatch = &wire.Rule{
		ID: "bloodmasters.echo-mismatch", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "an answer with a wrong echo",
		Why:    "An answer must repeat the four bytes of echo. Launchers store their clock in these bytes and show the difference as ping, so other bytes lead to a meaningless ping. Here the waiting query got no other answer for five seconds, or the echo has its bytes in reverse order. Check whether the server swaps the bytes, increments them, or always sends the same.",
		Source: inDocument + ", answer; " + inServer,
	}
	ruleDuplicateReply = &wire.Rule{
		ID: "bloodmasters.duplicate-reply", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a second answer to one query",
		Why:    "A query gets one answer. A second answer replaces the first in the launcher and increases the ping. Causes are two programs on one port, a network that duplicates datagrams, or a server that repeats answers. A second query that the capture lacks looks the same.",
		Source: inDocument + ", \"server will answer\"; " + inServer,
	}
	ruleUnanswered = &wire.Rule{
		ID: "bloodmasters.unanswered-query", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a query without an answer",
		Why:    "No answer came within five seconds. Neither the launcher nor the web page asks again, so the server is missing from the list. It may be down, behind a firewall, deaf after an empty datagram, or it dropped the query because of its length.",
		Source: inServer,
	}
	ruleElsewhere = &wire.Rule{
		ID: "bloodmasters.reply-from-elsewhere", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "an answer from another address or port than was asked",
		Why:    "The answer has the echo of a query to another server. Real servers answer from the socket that received the query, and launchers look up servers by address and port, so they ignore this answer. Causes are a server with several addresses, or a broken address translation. If the capture lacks a query to this server with the same echo, the answer is correct.",
		Source: inServer,
	}
	ruleEchoReused = &wire.Rule{
		ID: "bloodmasters.echo-reused", Severity: wire.Note, Rests: wire.OnPresence,
		Title:  "the same echo while a query with it is open",
		Why:    "When an answer comes, the client does not know which of the two queries it belongs to, so the ping is a guess. Programs that always send the same echo and repeat queries at once do this. It does no other harm.",
		Source: inDocument + ", request",
	}
	ruleMasterBans = &wire.Rule{
		ID: "bloodmasters.master-bans", Severity: wire.Note, Rests: wire.OnPresence, Fact: true,
		Title:  "a master list that bans addresses",
		Why:    "A server that registers gets a list of addresses, with * for any digits, and refuses players from these. If a server refuses a player for no apparent reason, the ban may be here, not in the server's own list.",
		Source: inServer + ", MasterUpdater",
	}
)
