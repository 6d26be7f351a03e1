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
		Why:    "The code and the direction determine the length of the body, except for MsgGetWorld from the server. The length field counts neither itself nor the code. With a wrong length, a reader looks for the next message in the wrong place.",
		Source: inDocument + ", the boxes that show messages; " + inGame,
	}
	ruleTooLong = &wire.Rule{
		ID: "bzflag17.too-long", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "a length above 1020",
		Why:    "Programs have buffers of 1024 bytes, including the header of four bytes. They cut off a longer message or close the connection. Most often, these bytes are not a header at all: check where the previous message ended.",
		Source: inDocument + ", getting the world database (MaxPacketLen); " + inServer,
	}
	ruleCode = &wire.Rule{
		ID: "bzflag17.unknown-code", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "an undefined code",
		Why:    "Neither the document nor any 1.07 program defines this code, or it is MsgNull, which is defined but never sent. Receivers skip the message if its length is right.",
		Source: inDocument + "; " + inGame,
	}
	ruleDirection = &wire.Rule{
		ID: "bzflag17.wrong-direction", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "a message that only the other side sends",
		Why:    "Most messages go in only one direction. In the other direction, the receiver ignores them or closes the connection. Players send each other only MsgPlayerUpdate and MsgGMUpdate. Check whether source and destination are swapped.",
		Source: inDocument + ", the arrows before the boxes that show messages; " + inGame,
	}
	ruleVersion = &wire.Rule{
		ID: "bzflag17.version", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a hello whose version is not BZFlag 1.07",
		Why:    "Clients compare the first seven bytes with BZFS107, and disconnect if they differ. The eighth byte is a revision, which clients ignore.",
		Source: inDocument + ", connect to server; " + inGame,
	}
	ruleWorld = &wire.Rule{
		ID: "bzflag17.world-structure", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "a malformed world database",
		Why:    "The world database begins with the style (code st) and ends with the code ed. Blocks have no length, so everything after an unknown block is unreadable. Each teleporter has two faces, and a link may name only existing faces.",
		Source: inDocument + ", getting the world database",
	}
	ruleEnum = &wire.Rule{
		ID: "bzflag17.enum-range", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "an undefined type, team, flag or reject code",
		Why:    "Real programs use the number as an index into a list of names or colours without a bounds check, and read memory outside the list.",
		Source: inDocument + ", its enumerations; " + inGame,
	}
	rulePadding = &wire.Rule{
		ID: "bzflag17.string-padding", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "a text without a NUL at its end, or with other bytes after the NUL",
		Why:    "A text ends with a NUL, and more NULs fill its field. Without a NUL, readers continue into the next field. Other bytes after the first NUL are usually left over from an earlier message in the sender's buffer.",
		Source: inDocument + ", join game",
	}
	ruleASCII = &wire.Rule{
		ID: "bzflag17.not-ascii", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "bytes outside ASCII in a text",
		Why:    "Texts are ASCII, and the game's fonts have no other characters. What a receiver shows for other bytes depends on its program.",
		Source: inDocument + ", join game",
	}
	ruleForward = &wire.Rule{
		ID: "bzflag17.forward-vector", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "a forward vector whose length is not 1",
		Why:    "MsgAlive contains the direction of the tank. Real clients send a vector of length 1. Receivers use only the angle of the vector, so another length does no harm, but it shows that the sender put something else into the field.",
		Source: inDocument + ", MsgAlive",
	}
	ruleGrabStatus = &wire.Rule{
		ID: "bzflag17.grab-status", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a granted grab whose flag is not on the grabber's tank",
		Why:    "When the server grants a flag, the message must name the grabber as the flag's owner, and OnTank as the flag's status. Clients trust these fields, so different clients may show the flag on different players.",
		Source: inDocument + ", MsgGrabFlag",
	}
	ruleFlagType = &wire.Rule{
		ID: "bzflag17.flag-type", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "a flag whose type does not match its id",
		Why:    "Team flags are Normal, good flags Unstable, bad flags Sticky. The type decides whether a player may drop the flag. With a wrong type, a player can drop a bad flag, or cannot drop a good one.",
		Source: inDocument + ", common message structures; " + inServer,
	}
	ruleEndReason = &wire.Rule{
		ID: "bzflag17.shot-end-reason", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "a shot that ends with a reason above 1",
		Why:    "The reasons are 0 and 1. Real programs read all higher numbers as 1: the shot hit a tank.",
		Source: inDocument + ", MsgShotEnd; " + inGame,
	}
	ruleStatus = &wire.Rule{
		ID: "bzflag17.status-bits", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "undefined status bits of a player",
		Why:    "Seven bits are defined. If others are set, the sender has another version, or the field was written with the wrong size or byte order.",
		Source: inDocument + ", MsgPlayerUpdate (PlayerStatus); " + inGame,
	}
	ruleNumber = &wire.Rule{
		ID: "bzflag17.not-a-number", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "NaN or infinity in a float",
		Why:    "Programs use positions and velocities to compute the next ones. After one value that is not a number, all later values are not numbers either, and the tank or shot vanishes.",
		Source: inDocument + ", all floating point numbers; " + inGame,
	}
	ruleMotion = &wire.Rule{
		ID: "bzflag17.impossible-motion", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "a tank that is outside the world or too fast",
		Why:    "The world ends 400 units from its centre. A tank moves at most 25 units per second, or 37.5 with the flag High Speed. The server checks neither.",
		Source: inDocument + ", MsgPlayerUpdate; " + inGame + ", WorldSize, TankSpeed, VelocityAd",
	}
	ruleActive = &wire.Rule{
		ID: "bzflag17.team-active", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a team with more active players than players",
		Why:    "A team's players include its active players, so there cannot be more active ones. A team's flag is in the game while the team has active players. With a number that is too high, the flag of an empty team stays on the field.",
		Source: inDocument + ", MsgTeamUpdate",
	}
	ruleTTL = &wire.Rule{
		ID: "bzflag17.ttl-range", Severity: wire.Note, Rests: wire.OnState,
		Title:  "a TTL above 255, or not above the previous one",
		Why:    "The time to live (TTL) of a packet is one byte. Real servers read higher numbers as 255. They send a TTL only if it is higher than the previous one.",
		Source: inDocument + ", MsgSetTTL; " + inServer,
	}
)
