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
		Why:    "A request is seven bytes: length, code 13 and four bytes that come back in the answer. Real servers ignore more and read past the end of less, so the answer's echo is then not the sender's.",
		Source: inDocument + ", request",
	}
	ruleLength = &wire.Rule{
		ID: "bloodmasters.length-mismatch", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "the length field does not fit the bytes present",
		Why:    "The length counts the whole message, itself included, and several messages may share a datagram. A real receiver drops the rest of the datagram as corrupt when the length is below 3 or beyond the end. A big endian length looks like this, too.",
		Source: inDocument + ", both parts; " + inServer,
	}
	ruleCode = &wire.Rule{
		ID: "bloodmasters.unknown-code", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "an undefined message code",
		Why:    "The server query is code 13; a running game uses codes 0 to 49 without 40, with 128 added for those to be confirmed. A server answers others with a line in its log.",
		Source: inServer,
	}
	ruleString = &wire.Rule{
		ID: "bloodmasters.string-overrun", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a text runs past its message",
		Why:    "The length in front of a text leads beyond the end of the message. Launchers throw an exception there and the server is missing from the list. Check whether the writer puts texts of 128 bytes and more after one length byte or two.",
		Source: inDocument + ", answer",
	}
	ruleLongString = &wire.Rule{
		ID: "bloodmasters.long-string", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "a text of 128 bytes or more",
		Why:    "From 128 bytes on the document's length (one byte) and that of real servers (seven bits a byte, so two bytes) differ, and programs written after the document misread the answer.",
		Source: inDocument + ", answer; " + inServer,
	}
	ruleBool = &wire.Rule{
		ID: "bloodmasters.bool-range", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "a boolean that is neither 0 nor 1",
		Why:    "Real servers write 0 or 1, and real readers take anything else as true. Another value is a sign that the fields before it were read or written wrong.",
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
		Title:  "client records and their count differ",
		Why:    "The answer announces how many clients are connected and lists as many. With another number of records a reader takes a player for the build description or the other way round, or runs past the end.",
		Source: inDocument + ", answer, \"For each client\"",
	}
	ruleMaximum = &wire.Rule{
		ID: "bloodmasters.over-maximum", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "more clients or players than the maximum",
		Why:    "A server refuses those beyond its maxima, so an answer cannot have more. Look at how the maxima are configured, or whether the fields are in the right order.",
		Source: inDocument + ", answer",
	}
	rulePlayerCount = &wire.Rule{
		ID: "bloodmasters.player-count", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "the number of players is not that of the clients who play",
		Why:    "Players are the clients that are no spectators. A real server counts both and writes the list in one go, so they cannot differ.",
		Source: inDocument + ", answer; " + inServer,
	}
	ruleVersionFields = &wire.Rule{
		ID: "bloodmasters.version-fields", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "fields that go with another protocol version",
		Why:    "Limits and clients belong to version 27 and higher, the build description to 28 and higher. A reader goes by the version alone, so fields too many or too few are misread. The real launcher reads them for version 29 only.",
		Source: inDocument + ", \"The following structures apply\"",
	}
	ruleNewer = &wire.Rule{
		ID: "bloodmasters.newer-version", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "a protocol version above 29",
		Why:    "Every known release says 29. What a higher version adds is unknown; its fields are read like those of 28 and what remains is shown as trailing bytes.",
		Source: inDocument + ", \"may change with protocol versions\"",
	}
	ruleTrailing = &wire.Rule{
		ID: "bloodmasters.trailing-bytes", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "bytes after the last field",
		Why:    "The message is longer than its fields. Readers ignore the rest; a newer version, or a writer that counts wrong, leaves such bytes.",
		Source: inDocument + ", answer",
	}
	ruleNegative = &wire.Rule{
		ID: "bloodmasters.negative-value", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "a negative limit or ping",
		Why:    "Score limit, time limit and ping are signed, yet real servers never send less than zero. A reader that takes them for unsigned shows 65535 for -1.",
		Source: inDocument + ", \"signed short\"",
	}
	ruleOlder = &wire.Rule{
		ID: "bloodmasters.older-version", Severity: wire.Note, Rests: wire.OnBytes, Fact: true,
		Title:  "a protocol version below 29",
		Why:    "The launcher reads limits, players and build of version 29 alone. It shows a server of another version with a red icon and without its players, and cannot join it.",
		Source: "the real launcher, GamesListItem",
	}
	ruleOversized = &wire.Rule{
		ID: "bloodmasters.oversized", Severity: wire.Note, Rests: wire.OnBytes, Fact: true,
		Title:  "a query that is too large",
		Why:    "Real servers receive at most 2048 bytes at once and drop a larger datagram without a word. A query is seven bytes.",
		Source: "the real server, Gateway",
	}
)
