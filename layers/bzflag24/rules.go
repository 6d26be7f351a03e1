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
		Why:    "The code and the direction determine the length of most bodies; a count or the status of a tank determines the length of the others. With another length, a receiver reads past the end, or takes the remaining bytes for the next message.",
		Source: inGame,
	}
	ruleTooLong = &wire.Rule{
		ID: "bzflag24.too-long", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "a length above 1020",
		Why:    "Buffers have room for 1024 bytes, including the header of four bytes. A client closes the connection on a longer message, and a server removes the player. Most often this is not a header at all: check where the previous message ended.",
		Source: inGame + ", MaxPacketLen",
	}
	ruleCode = &wire.Rule{
		ID: "bzflag24.unknown-code", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "an undefined code",
		Why:    "No program of 2.4 knows the code. A server logs it and may drop the player; a client skips the message.",
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
		Title:  "bytes that no field covers",
		Why:    "Receivers ignore bytes after the last field, so they do no harm, but the sender may use another layout of the message.",
		Source: inGame,
	}
	ruleStale = &wire.Rule{
		ID: "bzflag24.stale-bytes", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "old content of the server's buffer",
		Why:    "The text of MsgReject ends with a NUL, and the server sends all 128 bytes of the field without clearing the rest. So it leaks parts of messages to other players.",
		Source: inServer + ", MsgReject",
	}
	ruleUDPCode = &wire.Rule{
		ID: "bzflag24.udp-code", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "a message that must not be sent over UDP",
		Why:    "Only updates, shots and link messages are sent over UDP; lag pings and the game's time only by the server. A server ignores anything else over UDP. Send it over TCP.",
		Source: inHandler,
	}
	ruleUDPBundle = &wire.Rule{
		ID: "bzflag24.udp-bundle", Severity: wire.Warning, Rests: wire.OnContext,
		Title:  "a client's datagram with more than one message, or too large",
		Why:    "A server reads at most 68 bytes of a datagram, and one message. The rest is silently lost. Only servers put several messages into a datagram.",
		Source: inHandler + ", MaxUDPPacketLen",
	}
	ruleGrabStatus = &wire.Rule{
		ID: "bzflag24.grab-status", Severity: wire.Error, Rests: wire.OnState,
		Title:  "a granted grab of a flag that the grabber does not have",
		Why:    "When the server grants a flag, the grabber is its owner and the status is OnTank. Clients trust the fields of the flag, so different clients may show it on different players.",
		Source: inGame + ", MsgGrabFlag",
	}
	ruleTerminator = &wire.Rule{
		ID: "bzflag24.message-terminator", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "a chat line without its NUL, or with bytes after it",
		Why:    "A chat line ends with a NUL, and NULs fill a client's field of 128 bytes. If the NUL is missing, a server cuts off the last byte of the line. Clients do not show bytes after the first NUL.",
		Source: inGame + ", MsgMessage",
	}
	ruleEnum = &wire.Rule{
		ID: "bzflag24.enum-range", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "an undefined team, game type, status or reason",
		Why:    "Programs use these numbers to look up names, colours and actions. For an undefined number they show nothing, or use a default that the sender did not mean.",
		Source: inGame,
	}
	ruleHash = &wire.Rule{
		ID: "bzflag24.world-hash", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "a world that differs from the announced one",
		Why:    "MsgWantWHash contains the MD5 hash of the world database, by which clients know whether they already have it. A client that stores a world under a wrong hash plays in another world than the server next time.",
		Source: inGame + ", MsgWantWHash and MsgGetWorld",
	}
	ruleVersion = &wire.Rule{
		ID: "bzflag24.version", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "a server that does not speak 2.4",
		Why:    "BZFS0221 is the version of every release of 2.4. Servers of 1.10 (BZFS19xx) and 2.0 (BZFS00xx) share much of the protocol, but some messages have another layout and are shown as bytes. A client of another version disconnects at this point.",
		Source: inGame + ", ServerVersion",
	}
)
