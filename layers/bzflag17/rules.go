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
		Title:  "a body with the wrong length for its message",
		Why:    "The code and the direction determine the length of a body, except in MsgGetWorld from the server. The length includes neither itself nor the code. With a wrong length, a reader takes everything after this message from the wrong place.",
		Source: inDocument + ", the boxes of the messages; " + inGame,
	}
	ruleTooLong = &wire.Rule{
		ID: "bzflag17.too-long", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "a length above 1020",
		Why:    "Buffers have room for 1024 bytes, including the header of four bytes. A longer message is cut or ends the connection. Most often this is not a header at all: check where the previous message ended.",
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
		Why:    "Many messages go in only one direction. In the other direction, the receiver ignores them or closes the connection. Players send each other only MsgPlayerUpdate and MsgGMUpdate. Check whether source and destination are swapped.",
		Source: inDocument + ", the arrows before the boxes; " + inGame,
	}
	ruleVersion = &wire.Rule{
		ID: "bzflag17.version", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a hello of another version than BZFlag 1.07",
		Why:    "Clients compare the first seven bytes, BZFS107, and disconnect if they differ. The eighth byte is a revision, which clients ignore.",
		Source: inDocument + ", connect to server; " + inGame,
	}
	ruleWorld = &wire.Rule{
		ID: "bzflag17.world-structure", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "a malformed world database",
		Why:    "It begins with the style (st) and ends with ed. Blocks have no length, so nothing can be read after an unknown block. A link may only name existing faces, two for each teleporter.",
		Source: inDocument + ", getting the world database",
	}
	ruleEnum = &wire.Rule{
		ID: "bzflag17.enum-range", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "an undefined type, team, flag or reject code",
		Why:    "Real programs use such a number as an index to a name or a colour without a bounds check, and read whatever is there.",
		Source: inDocument + ", the enumerations it names; " + inGame,
	}
	rulePadding = &wire.Rule{
		ID: "bzflag17.string-padding", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "a text without its NUL, or with bytes after it",
		Why:    "A text ends with a NUL, and NULs fill its field. Without the first NUL, readers run into the next field. Other bytes after it are usually left from an earlier message in the sender's buffer.",
		Source: inDocument + ", join game",
	}
	ruleASCII = &wire.Rule{
		ID: "bzflag17.not-ascii", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "bytes outside ASCII in a text",
		Why:    "Texts are ASCII. The game's fonts have no other characters, so each receiver shows something different.",
		Source: inDocument + ", join game",
	}
	ruleForward = &wire.Rule{
		ID: "bzflag17.forward-vector", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "a forward vector that is not a unit vector",
		Why:    "MsgAlive contains the direction of the tank. Real clients send a vector of length 1 and use only its angle, so another length does no harm; it shows that the sender fills in something else.",
		Source: inDocument + ", MsgAlive",
	}
	ruleGrabStatus = &wire.Rule{
		ID: "bzflag17.grab-status", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a granted grab of a flag that the grabber does not have",
		Why:    "When the server grants a flag, the grabber is its owner and the status is OnTank. Clients trust the fields of the flag, so different clients may show it on different players.",
		Source: inDocument + ", MsgGrabFlag",
	}
	ruleFlagType = &wire.Rule{
		ID: "bzflag17.flag-type", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "a flag's type does not go with its id",
		Why:    "Team flags are Normal, good flags Unstable, bad ones Sticky. The type determines whether a player may drop the flag. With a wrong type, a player can drop a bad flag, or cannot drop a good one.",
		Source: inDocument + ", common message structures; " + inServer,
	}
	ruleEndReason = &wire.Rule{
		ID: "bzflag17.shot-end-reason", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "a shot that ends for a reason above 1",
		Why:    "There are two reasons. Real programs read every other number as 1, a tank that was hit.",
		Source: inDocument + ", MsgShotEnd; " + inGame,
	}
	ruleStatus = &wire.Rule{
		ID: "bzflag17.status-bits", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "undefined status bits",
		Why:    "Seven bits are defined. Other bits come from a sender of another version, or from a field with the wrong width or byte order.",
		Source: inDocument + ", MsgPlayerUpdate (PlayerStatus); " + inGame,
	}
	ruleNumber = &wire.Rule{
		ID: "bzflag17.not-a-number", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "NaN or infinity in a float",
		Why:    "Programs add positions and velocities in each frame. If one is not a number, all later values are not numbers either, and the tank or shot vanishes.",
		Source: inDocument + ", all floating point numbers; " + inGame,
	}
	ruleMotion = &wire.Rule{
		ID: "bzflag17.impossible-motion", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "a tank outside the world, or too fast",
		Why:    "The world ends 400 units from its centre, and a tank moves at most 25 units per second, or 37.5 with High Speed. The server checks neither.",
		Source: inDocument + ", MsgPlayerUpdate; " + inGame + ", WorldSize, TankSpeed, VelocityAd",
	}
	ruleActive = &wire.Rule{
		ID: "bzflag17.team-active", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "more active players than players",
		Why:    "A team cannot have more active players than players. A team's flag is in the game if the team has active players, so a count that is too high leaves the flag of an empty team on the field.",
		Source: inDocument + ", MsgTeamUpdate",
	}
	ruleTTL = &wire.Rule{
		ID: "bzflag17.ttl-range", Severity: wire.Note, Rests: wire.OnState,
		Title:  "a TTL that no packet can have, or that is not larger than the last",
		Why:    "The time to live of a packet is one byte. A real server reads larger numbers as 255, and sends the TTL only when it is larger than before.",
		Source: inDocument + ", MsgSetTTL; " + inServer,
	}
)
