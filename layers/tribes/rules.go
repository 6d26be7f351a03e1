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
		Title:  "a packet of less than 64 bits",
		Why:    "Every packet should have the eight bytes of the header. Some query tools and one master send five or six bytes and still get an answer. Receivers use zero, or old content of their buffer, for the missing bytes.",
		Source: inDocument + ", first paragraph; " + inMasters,
	}
	ruleVersion = &wire.Rule{
		ID: "tribes.version", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a version other than 0x10",
		Why:    "The first byte of Tribes 1.11 is 0x10. Masters and servers drop anything else without an answer.",
		Source: inDocument + ", GENERAL HEADER; " + inMasters,
	}
	ruleType = &wire.Rule{
		ID: "tribes.unknown-type", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "a packet type outside " + definedTypes,
		Why:    "The protocol has no such type, and no program answers it. Tribes 2 uses the same port, and some of its packets also begin with 0x10.",
		Source: inDocument + ", PACKET TYPE; " + inEngine,
	}
	ruleNumber = &wire.Rule{
		ID: "tribes.number-range", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a packet number of 0 or above the total",
		Why:    "Packets of a list are numbered from 1 to the total. With other numbers, a client that waits for all packets waits forever.",
		Source: inDocument + ", PACKET TYPE 0x06",
	}
	ruleStrings = &wire.Rule{
		ID: "tribes.strings-placement", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "name and MOTD missing in packet 1, or present in a later one",
		Why:    "The two texts belong only to the first packet of a list. In other packets, a client reads their bytes as servers, or servers as texts.",
		Source: inDocument + ", PACKET TYPE 0x06 ERRATA",
	}
	ruleString = &wire.Rule{
		ID: "tribes.string-overrun", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "the length of a text exceeds the packet",
		Why:    "The length byte before a text points past the end of the packet. Old clients read memory after their buffer.",
		Source: inDocument + ", PASCAL STRING",
	}
	ruleCount = &wire.Rule{
		ID: "tribes.count-mismatch", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a number of servers that differs from the number of entries",
		Why:    "A client that trusts the number reads past the packet or misses servers. The document therefore advises reading entry by entry. Real clients read the reserved byte and the number together as 16 bits.",
		Source: inDocument + ", PACKET TYPE 0x06 ERRATA, **",
	}
	ruleMarker = &wire.Rule{
		ID: "tribes.entry-marker", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "an entry that does not begin with 6",
		Why:    "The byte is the size of the entry: four bytes of address and two of port. The original client uses it to find the next entry, so it misreads all entries after a wrong one.",
		Source: inDocument + ", PACKET TYPE 0x06, RESERVED (Always 0x06); " + inEngine,
	}
	ruleReserved = &wire.Rule{
		ID: "tribes.missing-reserved-byte", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a later packet without the reserved byte before the count",
		Why:    "A community master omits the byte in all packets except the first. Clients that follow the document read the number as the reserved byte and the first marker as the number, and lose these servers.",
		Source: inDocument + ", PACKET TYPE 0x06, RESERVED; darkstar-query-go",
	}
	ruleTrailing = &wire.Rule{
		ID: "tribes.trailing-bytes", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "bytes that no field or entry covers",
		Why:    "The packet is longer than its content. Look for entries of another size, or a text that was cut.",
		Source: inDocument,
	}
	ruleRepeated = &wire.Rule{
		ID: "tribes.repeated-entry", Severity: wire.Note, Rests: wire.OnBytes, Fact: true,
		Title:  "the same server twice in a list",
		Why:    "A master lists each address and port once, so a repetition suggests that two lists were merged. Clients show the server twice.",
		Source: inMasters,
	}
	ruleEntry = &wire.Rule{
		ID: "tribes.bad-entry", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "an entry that cannot be reached",
		Why:    "The entry has port 0, or an address that no host has: 0.0.0.0, multicast or broadcast. Masters list the source address of heartbeats, so such an entry has another origin.",
		Source: inMasters,
	}
	ruleGameType = &wire.Rule{
		ID: "tribes.game-type", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a game info reply from another game",
		Why:    "The document says to disregard a reply whose game type is not 0xF0. Starsiege speaks the same protocol with 0xFD.",
		Source: inDocument + ", PACKET TYPE 0x04",
	}
	ruleName = &wire.Rule{
		ID: "tribes.name-unterminated", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "a server name without a NUL",
		Why:    "The name takes 30 bytes, of which the last is a NUL. Without it, readers run past the field.",
		Source: inEngine,
	}
	rulePlayerCount = &wire.Rule{
		ID: "tribes.player-count", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "a GameSpy-style answer with fewer players than it announces",
		Why:    "The answer announces a number of players and then lists them. Query tools show the number in the list of servers and the players in the details, so the two disagree, or the tool reads past the packet. A full server cuts its answer at 1400 bytes, so answers of about that length are not reported.",
		Source: inEngine,
	}
	ruleVerification = &wire.Rule{
		ID: "tribes.verification-constants", Severity: wire.Note, Rests: wire.OnContext,
		Title:  "a verification request whose number and total are not 0xFF and 0x00",
		Why:    "The document requires these values. The original master never set them, and game servers ignore them.",
		Source: inDocument + ", PACKET TYPE 0x03 [GAMESERVER SIDE]; " + inMasters,
	}
	ruleKey = &wire.Rule{
		ID: "tribes.unknown-information-key", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "an unknown information key",
		Why:    "Known keys are s_name, g_name, g_version, g_id, num_players, max_players, p_name, p_id, p_ping and p_team. Real game servers ignore the keys and always send the same answer.",
		Source: inDocument + ", INFORMATION KEY(s); " + inMasters,
	}
	ruleHeartbeat = &wire.Rule{
		ID: "tribes.heartbeat-payload", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "bytes after a heartbeat's header",
		Why:    "A heartbeat is only a header, which has eight bytes. Masters ignore the rest.",
		Source: inDocument + ", PACKET TYPE 0x05 (HEADER ONLY)",
	}
	ruleVerifyReply = &wire.Rule{
		ID: "tribes.verify-reply-at-master", Severity: wire.Note, Rests: wire.OnContext,
		Title:  "type 0x07 sent to a master",
		Why:    "According to the document, this is a game server's reply to a verification, which a master can ignore; real masters do. Between a client and a game server, the same type is a query.",
		Source: inDocument + ", PACKET TYPE 0x07",
	}
)
