package bzflag24

import "github.com/gamedissect/gamedissect/decode/wire"

const (
	inServer  = "the real server (bzfs 2.4.26)"
	inGame    = "the real programs (2.4.26)"
	inHandler = inServer + ", its network handler"
)

// The rules about single messages, and about the world.
var (
	ruleLength = &wire.Rule{
		ID: "bzflag24.length", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "a body with the wrong length for its message",
		Why:    "The code and the direction determine the length of most bodies. The length of others depends on a count, or on the status of a tank. If the length is wrong, a receiver reads past the end of the message, or treats the remaining bytes as the next message.",
		Source: inGame,
	}
	ruleTooLong = &wire.Rule{
		ID: "bzflag24.too-long", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "a length above 1020",
		Why:    "Programs have buffers of 1024 bytes, including the header of four bytes. If a message is longer, a client closes the connection, and a server removes the player. Most often, the bytes that were read as a length are not part of a header at all: check where the previous message ended.",
		Source: inGame + ", MaxPacketLen",
	}
	ruleCode = &wire.Rule{
		ID: "bzflag24.unknown-code", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "an undefined code",
		Why:    "No 2.4 program defines this code. A server logs the message and may remove the player; a client skips the message.",
		Source: inGame,
	}
	ruleDirection = &wire.Rule{
		ID: "bzflag24.wrong-direction", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "a message that only the other side sends",
		Why:    "Many messages go in only one direction. If a client sends a message that only servers send, the server treats it as an invalid request. Check whether source and destination are swapped.",
		Source: inGame,
	}
	ruleTrailing = &wire.Rule{
		ID: "bzflag24.trailing-bytes", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "bytes after the last field",
		Why:    "Receivers ignore these bytes, so they do no harm. But the sender may use a different layout for the message.",
		Source: inGame,
	}
	ruleStale = &wire.Rule{
		ID: "bzflag24.stale-bytes", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "old content of the server's buffer in a message",
		Why:    "The text of MsgReject ends with a NUL, but the server sends all 128 bytes of the field without clearing the rest. So players can read parts of messages to other players.",
		Source: inServer + ", MsgReject",
	}
	ruleUDPCode = &wire.Rule{
		ID: "bzflag24.udp-code", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "a message that must not be sent over UDP",
		Why:    "Over UDP, clients and servers may send only updates, shots and link messages; servers may also send lag pings and the game time. A server ignores other messages over UDP. Send such messages over TCP.",
		Source: inHandler,
	}
	ruleUDPBundle = &wire.Rule{
		ID: "bzflag24.udp-bundle", Severity: wire.Warning, Rests: wire.OnContext,
		Title:  "a client's datagram that contains several messages or is too large",
		Why:    "A server reads at most one message, and at most 68 bytes, of a datagram. The rest is silently lost. Only servers put several messages into a datagram.",
		Source: inHandler + ", MaxUDPPacketLen",
	}
	ruleGrabStatus = &wire.Rule{
		ID: "bzflag24.grab-status", Severity: wire.Error, Rests: wire.OnState,
		Title:  "a granted grab whose flag is not on the grabber's tank",
		Why:    "When the server grants a flag, the message must name the grabber as the flag's owner, and OnTank as the flag's status. Clients trust these fields, so different clients may show the flag on different players.",
		Source: inGame + ", MsgGrabFlag",
	}
	ruleTerminator = &wire.Rule{
		ID: "bzflag24.message-terminator", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "a chat line without a NUL at its end, or with other bytes after the NUL",
		Why:    "A chat line ends with a NUL; in a client's message, more NULs fill the field of 128 bytes. If the NUL is missing, a server cuts off the last byte of the line. Clients do not show bytes after the first NUL.",
		Source: inGame + ", MsgMessage",
	}
	ruleEnum = &wire.Rule{
		ID: "bzflag24.enum-range", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "an undefined team, game type, status or reason",
		Why:    "Programs use these numbers to look up names, colours and actions. For an undefined number, they show nothing, or use a default that the sender did not intend.",
		Source: inGame,
	}
	ruleHash = &wire.Rule{
		ID: "bzflag24.world-hash", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "a world whose hash differs from the announced one",
		Why:    "MsgWantWHash contains the MD5 hash of the world database. Clients use the hash to check whether they already have the world. A client that stores a world under the wrong hash uses that world when it next receives the hash, and then plays in a different world from the server's.",
		Source: inGame + ", MsgWantWHash and MsgGetWorld",
	}
	ruleVersion = &wire.Rule{
		ID: "bzflag24.version", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "a server that does not speak 2.4",
		Why:    "Every release of 2.4 has the version BZFS0221. Servers of 1.10 (BZFS19xx) and 2.0 (BZFS00xx) share much of the protocol, but some messages have a different layout, so gamedissect shows only their bytes. After this hello, a client of another version disconnects.",
		Source: inGame + ", ServerVersion",
	}
)
