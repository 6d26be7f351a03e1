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
		Title:  "a body whose length is not that of its message",
		Why:    "Code and direction fix the length of most bodies; a count or the status of a tank fixes that of others. A receiver takes the fields from where they should be, so with another length it reads past the end, or leaves bytes that it takes for the next message.",
		Source: inGame,
	}
	ruleTooLong = &wire.Rule{
		ID: "bzflag24.too-long", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "a length above 1020",
		Why:    "Buffers have room for 1024 bytes, four of them the header. A client gives up the connection on a longer message, and a server drops the player. Most often this is no header at all: look at where the message before it ended.",
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
		Why:    "Many messages go one way only. A server takes one that a client must not send for an invalid request. Look for source and destination swapped.",
		Source: inGame,
	}
	ruleTrailing = &wire.Rule{
		ID: "bzflag24.trailing-bytes", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "bytes that no field covers",
		Why:    "Receivers ignore what follows the last field, so it does no harm, but it shows a sender with another idea of the message.",
		Source: inGame,
	}
	ruleStale = &wire.Rule{
		ID: "bzflag24.stale-bytes", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "what was in the server's buffer before",
		Why:    "The text of a MsgReject ends with a NUL, and the server sends all 128 bytes of the field without clearing the rest. Parts of messages to other players leak that way.",
		Source: inServer + ", MsgReject",
	}
	ruleUDPCode = &wire.Rule{
		ID: "bzflag24.udp-code", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "a message that does not travel by UDP",
		Why:    "Only updates, shots and the link itself go by UDP; lag pings and the game's time do from the server alone. A server ignores anything else that comes by UDP. Send it over the connection.",
		Source: inHandler,
	}
	ruleUDPBundle = &wire.Rule{
		ID: "bzflag24.udp-bundle", Severity: wire.Warning, Rests: wire.OnContext,
		Title:  "a client's datagram with more than one message, or too large",
		Why:    "A server takes 68 bytes of a datagram and reads one message from it. What follows is lost without a word. Only servers put several into one.",
		Source: inHandler + ", MaxUDPPacketLen",
	}
	ruleGrabStatus = &wire.Rule{
		ID: "bzflag24.grab-status", Severity: wire.Error, Rests: wire.OnState,
		Title:  "a granted grab of a flag that the grabber does not have",
		Why:    "When the server grants a flag, the grabber is its owner and the status is OnTank. Clients believe the flag's own fields, so each of them may give it to another player.",
		Source: inGame + ", MsgGrabFlag",
	}
	ruleTerminator = &wire.Rule{
		ID: "bzflag24.message-terminator", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "a chat line without its NUL, or with bytes after it",
		Why:    "A chat line ends with a NUL, and NULs fill a client's field of 128 bytes. A server cuts off the last byte of a line without one; clients do not show bytes after the first one.",
		Source: inGame + ", MsgMessage",
	}
	ruleEnum = &wire.Rule{
		ID: "bzflag24.enum-range", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "an undefined team, game type, status or reason",
		Why:    "Programs use such numbers to look up names, colours and what happens next. An undefined one is shown as nothing, or falls through to a default that the sender did not mean.",
		Source: inGame,
	}
	ruleHash = &wire.Rule{
		ID: "bzflag24.world-hash", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "a world that is not the one announced",
		Why:    "MsgWantWHash tells the md5 of the world database, by which clients know whether they have it already. A client that keeps a world under a wrong one will play in another world than the server next time.",
		Source: inGame + ", MsgWantWHash and MsgGetWorld",
	}
	ruleVersion = &wire.Rule{
		ID: "bzflag24.version", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "a server that does not speak 2.4",
		Why:    "BZFS0221 is the version of every release of 2.4. Servers of 1.10 (BZFS19xx) and 2.0 (BZFS00xx) share much of the protocol but lay out some messages otherwise; those are shown as bytes. A client of another version leaves here.",
		Source: inGame + ", ServerVersion",
	}
)
