package bloodmasters

import "github.com/gamedissect/gamedissect/decode/wire"

const (
	inDocument = "serverprotocol.txt"
	inServer   = "the real server and launcher (NetMessage, Gateway, GameServer, GamesListItem)"
)

// The rules that a single message can break.
var (
	ruleQueryLength = &wire.Rule{
		ID: "bloodmasters.query-length", Severity: wire.Warning, Rests: wire.OnContext,
		Title:  "a request without exactly four bytes of echo",
		Why:    "A request has seven bytes: length, code 13, and four bytes that the answer repeats. Real servers ignore additional bytes. If bytes are missing, servers read past the end, so the answer has another echo.",
		Source: inDocument + ", request",
	}
	ruleLength = &wire.Rule{
		ID: "bloodmasters.length-mismatch", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "the length field does not fit the bytes present",
		Why:    "The length covers the whole message, including the length itself, and a datagram may have several messages. If the length is below 3 or points past the end, a real receiver drops the rest of the datagram as corrupt. The cause may be a big endian length.",
		Source: inDocument + ", both parts; " + inServer,
	}
	ruleCode = &wire.Rule{
		ID: "bloodmasters.unknown-code", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "an undefined message code",
		Why:    "The server query has code 13. A running game uses the codes 0 to 49 except 40, plus 128 if the message must be confirmed. For other codes a server writes a line to its log.",
		Source: inServer,
	}
	ruleString = &wire.Rule{
		ID: "bloodmasters.string-overrun", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a text that exceeds its message",
		Why:    "The length before a text points past the end of the message. Launchers throw an exception, and the server is missing from their list. Check whether the writer uses one or two length bytes for texts of 128 bytes and more.",
		Source: inDocument + ", answer",
	}
	ruleLongString = &wire.Rule{
		ID: "bloodmasters.long-string", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "a text of 128 bytes or more",
		Why:    "The document says that a text has a length of one byte. Real servers use seven bits per byte, which are two bytes from a length of 128 on. Programs that follow the document misread such an answer.",
		Source: inDocument + ", answer; " + inServer,
	}
	ruleBool = &wire.Rule{
		ID: "bloodmasters.bool-range", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "a boolean that is neither 0 nor 1",
		Why:    "Real servers write 0 or 1, and real readers treat any other value as true. Other values suggest that earlier fields were read or written wrong.",
		Source: inServer,
	}
	ruleGameType = &wire.Rule{
		ID: "bloodmasters.game-type-range", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "a game type above 4",
		Why:    "Five game types exist, from 0 (Deathmatch) to 4 (Team Scavenger). A launcher has no name for others.",
		Source: inDocument + ", game types",
	}
	ruleClientCount = &wire.Rule{
		ID: "bloodmasters.client-count", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a client count that differs from the number of records",
		Why:    "The answer contains the number of connected clients and a record for each. If the numbers differ, a reader mistakes a player for the build description or the reverse, or reads past the end.",
		Source: inDocument + ", answer, \"For each client\"",
	}
	ruleMaximum = &wire.Rule{
		ID: "bloodmasters.over-maximum", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "more clients or players than the maximum",
		Why:    "A server refuses clients beyond its maxima, so an answer cannot have more. Check the configured maxima, and whether the fields are in the right order.",
		Source: inDocument + ", answer",
	}
	rulePlayerCount = &wire.Rule{
		ID: "bloodmasters.player-count", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "a number of players that differs from the clients who play",
		Why:    "Players are the clients that are not spectators. A real server counts them and writes the list at the same time, so the numbers cannot differ.",
		Source: inDocument + ", answer; " + inServer,
	}
	ruleVersionFields = &wire.Rule{
		ID: "bloodmasters.version-fields", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "fields that go with another protocol version",
		Why:    "Limits and clients exist from version 27 on, the build description from 28 on. A reader relies on the version, so it misreads additional or missing fields. The real launcher reads these fields only for version 29.",
		Source: inDocument + ", \"The following structures apply\"",
	}
	ruleNewer = &wire.Rule{
		ID: "bloodmasters.newer-version", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "a protocol version above 29",
		Why:    "Every known release has version 29. What a higher version adds is unknown: its fields are read as in version 28, and the rest is shown as trailing bytes.",
		Source: inDocument + ", \"may change with protocol versions\"",
	}
	ruleTrailing = &wire.Rule{
		ID: "bloodmasters.trailing-bytes", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "bytes after the last field",
		Why:    "The message is longer than its fields. Readers ignore the rest. Causes are a newer version, or a writer that counts wrong.",
		Source: inDocument + ", answer",
	}
	ruleNegative = &wire.Rule{
		ID: "bloodmasters.negative-value", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "a negative limit or ping",
		Why:    "Score limit, time limit and ping are signed, but real servers never send negative values. A reader that treats them as unsigned shows 65535 for -1.",
		Source: inDocument + ", \"signed short\"",
	}
	ruleOlder = &wire.Rule{
		ID: "bloodmasters.older-version", Severity: wire.Note, Rests: wire.OnBytes, Fact: true,
		Title:  "a protocol version below 29",
		Why:    "The launcher reads limits, players and build description only for version 29. It shows a server of another version with a red icon and without players, and cannot join it.",
		Source: "the real launcher, GamesListItem",
	}
	ruleOversized = &wire.Rule{
		ID: "bloodmasters.oversized", Severity: wire.Note, Rests: wire.OnBytes, Fact: true,
		Title:  "a query that is too large",
		Why:    "Real servers receive at most 2048 bytes at once and silently drop larger datagrams. A query has seven bytes.",
		Source: "the real server, Gateway",
	}
)
