package bloodmasters

import "github.com/gamedissect/gamedissect/decode/wire"

const (
	inDocument = "serverprotocol.txt"
	inServer   = "the real server and launcher (classes NetMessage, Gateway, GameServer and GamesListItem)"
)

// The rules that a single message can break.
var (
	ruleQueryLength = &wire.Rule{
		ID: "bloodmasters.query-length", Severity: wire.Warning, Rests: wire.OnContext,
		Title:  "a request whose echo does not have exactly four bytes",
		Why:    "A request has seven bytes: two for the length, one for the code 13, and four for the echo, which the answer repeats. Real servers ignore additional bytes. If bytes are missing, a server reads past the end, so its answer has another echo.",
		Source: inDocument + ", request",
	}
	ruleLength = &wire.Rule{
		ID: "bloodmasters.length-mismatch", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a length field that contradicts the message",
		Why:    "The length field counts the whole message, including itself. A datagram may have several messages. If the length is below 3 or points past the end of the datagram, a real receiver drops the rest of the datagram as corrupt. The sender may have written the length in big endian instead of little endian.",
		Source: inDocument + ", both parts; " + inServer,
	}
	ruleCode = &wire.Rule{
		ID: "bloodmasters.unknown-code", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "an undefined message code",
		Why:    "The server query has code 13. The messages of a running game have the codes 0 to 49 except 40; a sender adds 128 to the code if the receiver must confirm the message. A server only logs messages with other codes.",
		Source: inServer,
	}
	ruleString = &wire.Rule{
		ID: "bloodmasters.string-overrun", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a text that is longer than its message",
		Why:    "The length before a text points past the end of the message. Launchers throw an exception, and the server is missing from their list. If the text has 128 bytes or more, check whether the sender writes one or two bytes for the length.",
		Source: inDocument + ", answer",
	}
	ruleLongString = &wire.Rule{
		ID: "bloodmasters.long-string", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "a text of 128 bytes or more",
		Why:    "In the document, the length of a text is one byte. Real servers put seven bits of the length into each byte, so a length of 128 or more takes two bytes. Programs that follow the document misread such a text.",
		Source: inDocument + ", answer; " + inServer,
	}
	ruleBool = &wire.Rule{
		ID: "bloodmasters.bool-range", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "a boolean that is neither 0 nor 1",
		Why:    "Real servers write 0 or 1, and real readers treat any other value as true. Other values suggest that the sender wrote an earlier field wrongly, so that all later fields are in the wrong place.",
		Source: inServer,
	}
	ruleGameType = &wire.Rule{
		ID: "bloodmasters.game-type-range", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "a game type above 4",
		Why:    "The game types are 0 (Deathmatch) to 4 (Team Scavenger). A launcher has no name for other types.",
		Source: inDocument + ", game types",
	}
	ruleClientCount = &wire.Rule{
		ID: "bloodmasters.client-count", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a number of clients that differs from the number of client records",
		Why:    "The answer has the number of connected clients, a record for each client, and then the build description. If the number is wrong, a receiver reads a client record as the build description or the reverse, or reads past the end.",
		Source: inDocument + ", answer, \"For each client\"",
	}
	ruleMaximum = &wire.Rule{
		ID: "bloodmasters.over-maximum", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "more clients or players than the maximum",
		Why:    "A server refuses clients beyond its maximum, so an answer cannot have more. Check the server's settings, and whether the fields are in the right order.",
		Source: inDocument + ", answer",
	}
	rulePlayerCount = &wire.Rule{
		ID: "bloodmasters.player-count", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "a number of players that differs from the number of clients who play",
		Why:    "Players are the clients that are not spectators. A real server counts them and writes the list of clients at the same time, so its number is always right.",
		Source: inDocument + ", answer; " + inServer,
	}
	ruleVersionFields = &wire.Rule{
		ID: "bloodmasters.version-fields", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "fields that do not exist in the message's protocol version",
		Why:    "The limits and the list of clients exist from version 27 on, the build description from version 28 on. Readers decide by the version which fields they expect, so they misread a message with additional fields. The real launcher reads these fields only for version 29.",
		Source: inDocument + ", \"The following structures apply\"",
	}
	ruleNewer = &wire.Rule{
		ID: "bloodmasters.newer-version", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "a protocol version above 29",
		Why:    "All known releases have version 29. gamedissect does not know what a higher version adds: it reads the fields of version 29, which are the same as those of version 28, and shows the rest as trailing bytes.",
		Source: inDocument + ", \"may change with protocol versions\"",
	}
	ruleTrailing = &wire.Rule{
		ID: "bloodmasters.trailing-bytes", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "bytes after the last field",
		Why:    "Readers ignore bytes after the last field. The bytes may belong to a newer version, or the sender counted wrongly.",
		Source: inDocument + ", answer",
	}
	ruleNegative = &wire.Rule{
		ID: "bloodmasters.negative-value", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "a negative limit or ping",
		Why:    "Score limit, time limit and ping are signed, but real servers never send negative values. A reader that treats them as unsigned shows 65535 instead of -1.",
		Source: inDocument + ", \"signed short\"",
	}
	ruleOlder = &wire.Rule{
		ID: "bloodmasters.older-version", Severity: wire.Note, Rests: wire.OnBytes, Fact: true,
		Title:  "a protocol version below 29",
		Why:    "The launcher reads limits, players and build description only for version 29. It shows a server of another version with a red icon and without players, and cannot join it.",
		Source: "the real launcher, class GamesListItem",
	}
	ruleOversized = &wire.Rule{
		ID: "bloodmasters.oversized", Severity: wire.Note, Rests: wire.OnBytes, Fact: true,
		Title:  "a query that is too large",
		Why:    "Real servers receive at most 2048 bytes at once and silently drop larger datagrams. A query has seven bytes.",
		Source: "the real server, class Gateway",
	}
)
