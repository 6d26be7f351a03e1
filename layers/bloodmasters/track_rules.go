package bloodmasters

import "github.com/gamedissect/gamedissect/decode/wire"

// The rules about a query and its answer.
var (
	ruleUnsolicited = &wire.Rule{
		ID: "bloodmasters.unsolicited-reply", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "an answer whose query is not in the capture",
		Why:    "A server speaks only when it is asked, and the capture has no query of the receiver that waits. If the query was lost, or took another way than the capture sees, all is well. Otherwise look for an answer sent to the wrong port, or a forged sender.",
		Source: inDocument + ", both parts; " + inServer,
	}
	ruleEchoMismatch = &wire.Rule{
		ID: "bloodmasters.echo-mismatch", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "an answer with an echo that was not asked with",
		Why:    "The query that waited got no other answer for five seconds, or the echo is its bytes turned round. The four bytes of echo have to come back as they were sent. Launchers keep their clock in them and show the difference as ping, so other bytes give a ping of nonsense. See whether the server swaps their order, counts on, or always sends the same.",
		Source: inDocument + ", answer; " + inServer,
	}
	ruleDuplicateReply = &wire.Rule{
		ID: "bloodmasters.duplicate-reply", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a second answer to one query",
		Why:    "One query gets one answer. The second one replaces what the launcher knows and makes the ping larger. Two programs on one port, a network that doubles datagrams or a server that sends again do this; a second query that the capture lacks looks the same.",
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
		Why:    "The echo is that of a query to another server. Real servers answer from the socket that was asked, and launchers find the entry of their list by address and port, so this answer is lost, unless a query to this server with the same echo is missing in the capture. A server with several addresses or a bad address translation does this.",
		Source: inServer,
	}
	ruleEchoReused = &wire.Rule{
		ID: "bloodmasters.echo-reused", Severity: wire.Note, Rests: wire.OnPresence,
		Title:  "the same echo while a query with it is open",
		Why:    "When the answer comes the client cannot tell to which of the two queries it belongs, so its ping is a guess. Programs that send a constant and ask again at once do this; it harms nothing else.",
		Source: inDocument + ", request",
	}
	ruleMasterBans = &wire.Rule{
		ID: "bloodmasters.master-bans", Severity: wire.Note, Rests: wire.OnPresence, Fact: true,
		Title:  "a master list that bans addresses",
		Why:    "A server that registers itself gets a list of addresses, with * for any digits, and refuses players from there. Whoever wonders why a server refuses a player finds the ban here, not in the server's own list.",
		Source: inServer + ", MasterUpdater",
	}
)
