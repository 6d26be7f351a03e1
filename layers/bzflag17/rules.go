package bzflag17

import "github.com/gamedissect/gamedissect/decode/wire"

const (
	inDocument = "BZFlag network protocol (107b)"
	inServer   = "the real server (bzfs 1.07c, 1.07e)"
	inGame     = "the real programs (1.07c, 1.07e)"
)

// The rules about single messages, and about the world database.
var (
	ruleLength = &wire.Rule{
		ID: "bzflag17.length", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "a body whose length is not that of its message",
		Why:    "Code and direction fix the length of a body, except in MsgGetWorld from the server. The length counts neither itself nor the code. A reader takes the fields from where they should be, and with a length that does not agree with what was sent it takes all that follows from the wrong place.",
		Source: inDocument + ", the boxes of the messages; " + inGame,
	}
	ruleTooLong = &wire.Rule{
		ID: "bzflag17.too-long", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "a length above 1020",
		Why:    "Buffers have room for 1024 bytes, four of them the header. A longer message is cut or ends the connection. Most often this is no header at all: look at where the message before it ended.",
		Source: inDocument + ", getting the world database (MaxPacketLen); " + inServer,
	}
	ruleCode = &wire.Rule{
		ID: "bzflag17.unknown-code", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "an undefined code",
		Why:    "Neither the document nor a program of 1.07 knows the code, or it is MsgNull, which is defined and never sent. Receivers skip the message if its length is right.",
		Source: inDocument + "; " + inGame,
	}
	ruleDirection = &wire.Rule{
		ID: "bzflag17.wrong-direction", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "a message that only the other side sends",
		Why:    "Many messages go one way only; the receiver has no use for them and ignores them, or drops the connection. Between players only MsgPlayerUpdate and MsgGMUpdate travel. Look for source and destination swapped.",
		Source: inDocument + ", the arrows before the boxes; " + inGame,
	}
	ruleVersion = &wire.Rule{
		ID: "bzflag17.version", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a hello of something else than BZFlag 1.07",
		Why:    "Clients compare the first seven bytes, BZFS107, and leave when they differ. The eighth is a revision that makes no difference.",
		Source: inDocument + ", connect to server; " + inGame,
	}
	ruleWorld = &wire.Rule{
		ID: "bzflag17.world-structure", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "a world database that does not add up",
		Why:    "It begins with the style (st) and ends with ed. Other blocks have no length of their own, so after an unknown one nothing can be read. A link may only name faces that exist, two for each teleporter.",
		Source: inDocument + ", getting the world database",
	}
	ruleEnum = &wire.Rule{
		ID: "bzflag17.enum-range", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "an undefined type, team, flag or reject code",
		Why:    "Real programs use such a number as an index without looking, for a name or a colour, and then read what happens to lie there.",
		Source: inDocument + ", the enumerations it names; " + inGame,
	}
	rulePadding = &wire.Rule{
		ID: "bzflag17.string-padding", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "a text without its NUL, or with bytes after it",
		Why:    "A text ends with a NUL and NULs fill its field. Without the first one readers run on into the next field; bytes after it are most often what an earlier message left in the sender's buffer.",
		Source: inDocument + ", join game",
	}
	ruleASCII = &wire.Rule{
		ID: "bzflag17.not-ascii", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "bytes outside ASCII in a text",
		Why:    "Texts are ASCII. The game's fonts have no other letters, and each receiver shows something else.",
		Source: inDocument + ", join game",
	}
	ruleForward = &wire.Rule{
		ID: "bzflag17.forward-vector", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "a forward vector that is no unit vector",
		Why:    "MsgAlive gives the direction in which the tank looks. Real clients send a vector of length 1 and take the angle from what they receive, so another length does no harm but shows a sender that fills in something else.",
		Source: inDocument + ", MsgAlive",
	}
	ruleGrabStatus = &wire.Rule{
		ID: "bzflag17.grab-status", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a granted grab of a flag that the grabber does not have",
		Why:    "When the server grants a flag, the grabber is its owner and the status is OnTank. Clients believe the flag's own fields, so each of them may give it to another player.",
		Source: inDocument + ", MsgGrabFlag",
	}
	ruleFlagType = &wire.Rule{
		ID: "bzflag17.flag-type", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "a flag's type does not go with its id",
		Why:    "Team flags are Normal, good flags Unstable, bad ones Sticky. The type decides whether a player may drop the flag, so with a wrong one a bad flag is dropped at will, or a good one never.",
		Source: inDocument + ", common message structures; " + inServer,
	}
	ruleEndReason = &wire.Rule{
		ID: "bzflag17.shot-end-reason", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "a shot's end for a reason above 1",
		Why:    "Two reasons exist. Real programs take every other number for 1, a tank that was hit.",
		Source: inDocument + ", MsgShotEnd; " + inGame,
	}
	ruleStatus = &wire.Rule{
		ID: "bzflag17.status-bits", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "undefined status bits",
		Why:    "Seven bits have a meaning. Others come from a sender of another version, or the field was written with the wrong width or byte order.",
		Source: inDocument + ", MsgPlayerUpdate (PlayerStatus); " + inGame,
	}
	ruleNumber = &wire.Rule{
		ID: "bzflag17.not-a-number", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "NaN or infinity in a float",
		Why:    "Positions and velocities are added up with each picture. One that is no number makes all that follows none, and the tank or shot vanishes.",
		Source: inDocument + ", all floating point numbers; " + inGame,
	}
	ruleMotion = &wire.Rule{
		ID: "bzflag17.impossible-motion", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "a tank outside the world, or faster than any",
		Why:    "The world ends at 400 from its centre, and a tank makes 25 a second, half as much again with High Speed. The server checks neither.",
		Source: inDocument + ", MsgPlayerUpdate; " + inGame + ", WorldSize, TankSpeed, VelocityAd",
	}
	ruleActive = &wire.Rule{
		ID: "bzflag17.team-active", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "more active players than players",
		Why:    "The active players of a team are some of its players or all. Whether a team's flag is in the game goes by the active ones, so a count that is too high leaves the flag of an empty team on the field.",
		Source: inDocument + ", MsgTeamUpdate",
	}
	ruleTTL = &wire.Rule{
		ID: "bzflag17.ttl-range", Severity: wire.Note, Rests: wire.OnState,
		Title:  "a TTL that no packet can have, or that is not larger than the last",
		Why:    "The time to live of a packet is one byte. A real server takes a larger one for 255, and tells it only when it is larger than before.",
		Source: inDocument + ", MsgSetTTL; " + inServer,
	}
)
