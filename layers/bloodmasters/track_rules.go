package bloodmasters

import "github.com/gamedissect/gamedissect/decode/wire"

// The rules about a query and its answer.
var (
	ruleUnsolicited = &wire.Rule{
		ID: "bloodmasters.unsolicited-reply", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "an answer whose query is not in the capture",
		Why:    "Servers send answers only to queries, and the capture has no query that waits for this answer. If the query was sent but not captured, nothing is wrong. Otherwise, look for an answer sent to the wrong port, or for a forged sender address.",
		Source: inDocument + ", both parts; " + inServer,
	}
	ruleEchoMismatch = &wire.Rule{
		ID: "bloodmasters.echo-mismatch", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "an answer with the wrong echo",
		Why:    "An answer must repeat the four bytes of its query's echo. Launchers put the time into these bytes and compute the ping from them, so other bytes lead to a meaningless ping. This is reported in two cases: the bytes come back in reverse order, or the waiting query got no other answer within five seconds. Check whether the server swaps the bytes, increments them, or always sends the same ones.",
		Source: inDocument + ", answer; " + inServer,
	}
	ruleDuplicateReply = &wire.Rule{
		ID: "bloodmasters.duplicate-reply", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a second answer to one query",
		Why:    "A query gets one answer. In the launcher, a second answer replaces the first and increases the ping. Two programs may share the port, the network may duplicate datagrams, or the server may repeat answers. If the client asked twice and the capture lacks one of the queries, the second answer is correct.",
		Source: inDocument + ", \"server will answer\"; " + inServer,
	}
	ruleUnanswered = &wire.Rule{
		ID: "bloodmasters.unanswered-query", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a query without an answer",
		Why:    "No answer came within five seconds. Neither the launcher nor the web page with the list of servers asks again, so both show the list without this server. The server may be down or behind a firewall. It may have stopped receiving after an empty datagram (see bloodmasters.deaf), or may have dropped the query because of its length.",
		Source: inServer,
	}
	ruleElsewhere = &wire.Rule{
		ID: "bloodmasters.reply-from-elsewhere", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "an answer that does not come from the address and port of the queried server",
		Why:    "The answer has the echo of a query to another address or port. Real servers answer from the address and port that received the query. Launchers look up a server by the address and port of its answer, so they ignore this one. The server may have several addresses, or a router may translate addresses wrongly. If the client sent the same echo to this server too, but the capture lacks that query, the answer is correct.",
		Source: inServer,
	}
	ruleEchoReused = &wire.Rule{
		ID: "bloodmasters.echo-reused", Severity: wire.Note, Rests: wire.OnPresence,
		Title:  "a query with the same echo as an open query",
		Why:    "Two queries with the same echo wait for an answer. When an answer comes, the client cannot know which query it belongs to, so the ping is a guess. Programs do this if they always send the same echo and repeat queries quickly. This does no other harm.",
		Source: inDocument + ", request",
	}
	ruleMasterBans = &wire.Rule{
		ID: "bloodmasters.master-bans", Severity: wire.Note, Rests: wire.OnPresence, Fact: true,
		Title:  "a master list that bans addresses",
		Why:    "When a server registers, the master list answers with banned addresses, in which * stands for any digits. The server refuses players from these addresses. If it refuses a player for no apparent reason, look for the ban in this answer, not only in the server's own list.",
		Source: "the real server, class MasterUpdater",
	}
)
