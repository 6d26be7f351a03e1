package tribes

import "github.com/gamedissect/gamedissect/decode/wire"

const (
	inDocument = "TRIBES 1.11 SERVER MATCHMAKING PROTOCOL"
	inMasters  = "real masters (the original one, t1master, darkstar-query-go)"
	inEngine   = "the original game's client and server"
)

// The rules that a single message can break.
var (
	ruleShort = &wire.Rule{
		ID: "tribes.short-packet", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "a packet of fewer than 64 bits",
		Why:    "Every packet should have at least the header of eight bytes (64 bits). Some query tools and one master send only five or six bytes and still get an answer. Receivers use zero, or old content of their buffer, for the missing bytes.",
		Source: inDocument + ", first paragraph; " + inMasters,
	}
	ruleVersion = &wire.Rule{
		ID: "tribes.version", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a version other than 0x10",
		Why:    "The first byte of Tribes 1.11 is 0x10. Masters and servers drop packets of other versions without an answer.",
		Source: inDocument + ", GENERAL HEADER; " + inMasters,
	}
	ruleType = &wire.Rule{
		ID: "tribes.unknown-type", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "a packet type outside " + definedTypes,
		Why:    "The protocol has no such type, and no program answers it. The packet may be from Tribes 2, which uses the same port; some of its packets also begin with 0x10.",
		Source: inDocument + ", PACKET TYPE; " + inEngine,
	}
	ruleNumber = &wire.Rule{
		ID: "tribes.number-range", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a packet number of 0 or above the total",
		Why:    "The packets of a list are numbered from 1 to the total number of packets. If a packet has a number outside this range, one number in the range is missing, and a client that waits for all packets waits forever.",
		Source: inDocument + ", PACKET TYPE 0x06",
	}
	ruleStrings = &wire.Rule{
		ID: "tribes.strings-placement", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "name and message of the day missing from packet 1 of a list, or present in a later packet",
		Why:    "These two texts belong only to the first packet of a list. If a later packet has them, a client reads them as servers. If the first packet lacks them, a client reads servers as texts.",
		Source: inDocument + ", PACKET TYPE 0x06 ERRATA",
	}
	ruleString = &wire.Rule{
		ID: "tribes.string-overrun", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a text that is longer than its packet",
		Why:    "The length byte before a text points past the end of the packet. Old clients then read memory beyond their buffer.",
		Source: inDocument + ", PASCAL STRING",
	}
	ruleCount = &wire.Rule{
		ID: "tribes.count-mismatch", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a number of servers that differs from the number of entries",
		Why:    "A client that trusts the number reads past the packet or misses servers. The document therefore advises reading entry by entry. Real clients read the reserved byte and the number together as one 16-bit number.",
		Source: inDocument + ", PACKET TYPE 0x06 ERRATA, **",
	}
	ruleMarker = &wire.Rule{
		ID: "tribes.entry-marker", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "an entry of a list that does not begin with 6",
		Why:    "The first byte of an entry is the size of the rest: four bytes of address and two of port. The original client uses it to find the next entry, so after a wrong size it misreads all later entries.",
		Source: inDocument + ", PACKET TYPE 0x06, RESERVED (Always 0x06); " + inEngine,
	}
	ruleReserved = &wire.Rule{
		ID: "tribes.missing-reserved-byte", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a later packet of a list without the reserved byte before the number of servers",
		Why:    "The master darkstar-query-go omits this byte in all packets except the first. A client that follows the document reads the number of servers as the reserved byte, and the first byte of the first entry as the number. So it loses these servers.",
		Source: inDocument + ", PACKET TYPE 0x06, RESERVED; darkstar-query-go",
	}
	ruleTrailing = &wire.Rule{
		ID: "tribes.trailing-bytes", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "bytes after the last field or entry",
		Why:    "The packet is longer than its content. The sender may use entries of another size, or may have cut off a text.",
		Source: inDocument,
	}
	ruleRepeated = &wire.Rule{
		ID: "tribes.repeated-entry", Severity: wire.Note, Rests: wire.OnBytes, Fact: true,
		Title:  "a server that a list names twice",
		Why:    "A master lists each address and port once, so a repetition suggests that two lists were merged. Clients show the server twice.",
		Source: inMasters,
	}
	ruleEntry = &wire.Rule{
		ID: "tribes.bad-entry", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "a list entry that no client can reach",
		Why:    "The entry has port 0, or an address that no host has: 0.0.0.0, multicast or broadcast. Masters list the source addresses of heartbeats, so such an entry comes from elsewhere.",
		Source: inMasters,
	}
	ruleGameType = &wire.Rule{
		ID: "tribes.game-type", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a game info reply from another game",
		Why:    "According to the document, clients ignore a reply whose game type is not 0xF0. Starsiege uses the same protocol with 0xFD.",
		Source: inDocument + ", PACKET TYPE 0x04",
	}
	ruleName = &wire.Rule{
		ID: "tribes.name-unterminated", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "a server name without a NUL",
		Why:    "The name has 30 bytes, and the last must be a NUL. Without it, readers run past the field.",
		Source: inEngine,
	}
	rulePlayerCount = &wire.Rule{
		ID: "tribes.player-count", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "a GameSpy-style answer that lists fewer players than it announces",
		Why:    "The answer has the number of players, and then a list of the players. Query tools show the number in their list of servers, and the players in the details of a server. If the number is too high, the two disagree, or the tool reads past the packet. A real server cuts a long answer at 1400 bytes, so answers of about that length are not reported.",
		Source: inEngine,
	}
	ruleVerification = &wire.Rule{
		ID: "tribes.verification-constants", Severity: wire.Note, Rests: wire.OnContext,
		Title:  "a verification request whose packet number is not 0xFF or whose total is not 0x00",
		Why:    "The document requires these values. The original master never set them, and game servers ignore them.",
		Source: inDocument + ", PACKET TYPE 0x03 [GAMESERVER SIDE]; " + inMasters,
	}
	ruleKey = &wire.Rule{
		ID: "tribes.unknown-information-key", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "an undefined information key",
		Why:    "With information keys, a master says which information it wants. The keys are s_name, g_name, g_version, g_id, num_players, max_players, p_name, p_id, p_ping and p_team. Real game servers ignore them and always send the same answer.",
		Source: inDocument + ", INFORMATION KEY(s); " + inMasters,
	}
	ruleHeartbeat = &wire.Rule{
		ID: "tribes.heartbeat-payload", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "bytes after the header of a heartbeat",
		Why:    "A heartbeat consists only of the header, which has eight bytes. Masters ignore further bytes.",
		Source: inDocument + ", PACKET TYPE 0x05 (HEADER ONLY)",
	}
	ruleVerifyReply = &wire.Rule{
		ID: "tribes.verify-reply-at-master", Severity: wire.Note, Rests: wire.OnContext,
		Title:  "a packet of type 0x07 to a master",
		Why:    "In the document, 0x07 is a game server's reply to a verification request. A master can ignore this reply, and real masters do. From a client to a game server, 0x07 is a query.",
		Source: inDocument + ", PACKET TYPE 0x07",
	}
)
