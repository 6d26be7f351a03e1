package bzflag17

import "github.com/gamedissect/gamedissect/decode/wire"

// The rules about several messages: connections, the world, joins and the presence of players.
var (
	ruleRefused = &wire.Rule{
		ID: "bzflag17.reconnect-refused", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a refused client connects anyway",
		Why:    "Port 0 in the hello means that the server is full or the game is over. The client must then give up, and try again later with a new first connection. Check whether the client reads the port, or uses one that it remembers.",
		Source: inDocument + ", connect to server; " + inServer,
	}
	ruleUnused = &wire.Rule{
		ID: "bzflag17.reconnect-unused", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "no client connected to the announced port",
		Why:    "After the hello the client connects to the port that was announced, within 3 seconds for 1.07c and 10 for 1.07e; then the server stops listening. Programs that only check whether a server runs do this. Otherwise look for a firewall, or for a client that closes its first connection too early.",
		Source: inDocument + ", connect to server; " + inServer + ", DisconnectTimeout",
	}
	ruleOffset = &wire.Rule{
		ID: "bzflag17.world-offset", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a request for a part of the world that is not the next one",
		Why:    "A client first asks for offset 0, and then for the byte after each part that it received. 1.07c asks for 0 twice. Any other offset leaves a gap in the world or reads a part twice, so the client's world differs from that of the others.",
		Source: inDocument + ", getting the world database; " + inGame,
	}
	ruleRemaining = &wire.Rule{
		ID: "bzflag17.world-remaining", Severity: wire.Error, Rests: wire.OnState,
		Title:  "the number of remaining bytes does not fit the parts before",
		Why:    "With each part, the number must decrease by the size of the part. Real servers include the part itself in the number, the document does not; both are accepted. The client stops when the number reaches zero, so with a wrong number it stops too early or never stops asking.",
		Source: inDocument + ", getting the world database; " + inServer,
	}
	ruleInterrupted = &wire.Rule{
		ID: "bzflag17.world-interrupted", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "an unrequested server message during the download",
		Why:    "While a client downloads the world it has not joined, so the server sends it nothing about the game. Real clients read the next message as the next part of the world. Only MsgSuperKill may come in between.",
		Source: inDocument + ", getting the world database",
	}
	ruleBeforeEnter = &wire.Rule{
		ID: "bzflag17.before-enter", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a client plays before it has entered",
		Why:    "Before the server accepts MsgEnter, the connection has no player. Real servers do not check this: they broadcast the messages in the name of player 0.0.0.0:0. Look for a client that ignores MsgReject.",
		Source: inDocument + ", join game; " + inServer,
	}
	ruleSecondEnter = &wire.Rule{
		ID: "bzflag17.second-enter", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "MsgEnter by a player who is in the game",
		Why:    "Each connection has one player. A real server adds the player a second time, and the team sizes are wrong from then on.",
		Source: inDocument + ", join game; " + inServer,
	}
	ruleUnanswered = &wire.Rule{
		ID: "bzflag17.enter-unanswered", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "no answer to MsgEnter",
		Why:    "MsgAccept, MsgReject or MsgSuperKill follows at once; a client waits for one of them and shows nothing meanwhile. Check whether the server received the whole message: 1.07c reads a body with one call, and loses its place in the stream if the body arrives in pieces.",
		Source: inDocument + ", join game; " + inServer,
	}
	ruleBeforeOwn = &wire.Rule{
		ID: "bzflag17.before-own-add-player", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a message of the game before the player's own MsgAddPlayer",
		Why:    "Before its own MsgAddPlayer, a client accepts only MsgAccept, MsgTeamUpdate, MsgFlagUpdate, MsgAddPlayer and MsgNetworkRelay, and in 1.07e MsgUDPLinkRequest. It has no player yet, so it ignores other messages or ends.",
		Source: inDocument + ", join game; " + inGame,
	}
	ruleOwnEarly = &wire.Rule{
		ID: "bzflag17.own-add-player-early", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "the player's own MsgAddPlayer came before those of others",
		Why:    "The player's own MsgAddPlayer ends the list of present players, and the client begins to play. Clients treat players that are named later as newcomers, and do not know what they did before.",
		Source: inDocument + ", join game; " + inServer,
	}
	ruleAfterKill = &wire.Rule{
		ID: "bzflag17.after-superkill", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a client goes on after MsgSuperKill",
		Why:    "MsgSuperKill ends the connection, and the server reads nothing after it. A client that continues has missed it. MsgExit, and messages that were already on their way, do no harm.",
		Source: inDocument + ", MsgSuperKill; " + inGame,
	}
	ruleAfterExit = &wire.Rule{
		ID: "bzflag17.after-exit", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "a client goes on after MsgExit",
		Why:    "On MsgExit, the server removes the player and closes the connection. Later messages are lost. Look for a client that sends from two threads at once.",
		Source: inDocument + ", MsgExit; " + inServer,
	}
	ruleUnknownPlayer = &wire.Rule{
		ID: "bzflag17.unknown-player", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a player who is not there",
		Why:    "MsgAddPlayer announces players, and MsgRemovePlayer removes them. If the id is not that of a player, receivers drop the message, or the server relays it in vain. Check the byte order of the id, and whether the sender uses an old id.",
		Source: inDocument + ", MsgAddPlayer; " + inGame,
	}
	ruleForeign = &wire.Rule{
		ID: "bzflag17.foreign-player", Severity: wire.Error, Rests: wire.OnPresence,
		Title:  "a client speaks for another player",
		Why:    "Shots and updates carry the id of a player, which must be the client's own. Real servers do not check it and relay the message, so another player's tank jumps or shoots.",
		Source: inDocument + ", MsgShotBegin and MsgPlayerUpdate; " + inServer,
	}
	rulePresent = &wire.Rule{
		ID: "bzflag17.player-present", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "MsgAddPlayer for a player who is there already",
		Why:    "A client creates a new tank for every MsgAddPlayer, except after MsgQueryPlayers, which repeats the whole list. The second tank of the same id stays in the list and never moves. Look for a player who entered twice.",
		Source: inDocument + ", MsgAddPlayer; " + inGame,
	}
	ruleAbsent = &wire.Rule{
		ID: "bzflag17.player-absent", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "MsgRemovePlayer for a player who is not there",
		Why:    "Only a player that MsgAddPlayer announced can leave. Clients ignore the message, so if it names the wrong player, the tank of the right one remains.",
		Source: inDocument + ", MsgRemovePlayer; " + inGame,
	}
)

// The rules about several messages: lives, shots, flags and the whole game.
var (
	ruleTooEarly = &wire.Rule{
		ID: "bzflag17.alive-too-early", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a player is back before its explosion is over",
		Why:    "A dead tank explodes for 5 seconds, and its player may come back only after that. The server does not check this. A client that comes back sooner has an advantage, and others see the explosion end early.",
		Source: inDocument + ", MsgAlive; " + inGame + ", ExplodeTime",
	}
	ruleTwice = &wire.Rule{
		ID: "bzflag17.alive-while-alive", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "MsgAlive by a player who is alive",
		Why:    "MsgAlive spawns a tank. If the player is alive, the tank jumps to another place. Look for a death that was not reported with MsgKilled.",
		Source: inDocument + ", MsgAlive",
	}
	ruleActing = &wire.Rule{
		ID: "bzflag17.acting-while-dead", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a player without a live tank acts",
		Why:    "A player who has not sent MsgAlive, or is dead, can neither shoot nor grab a flag, and its updates do not have the bit Alive. The server does not check this for shots, so other players are hit by shots out of nowhere. Check when the client notices its own death.",
		Source: inDocument + ", MsgAlive and MsgKilled; " + inGame,
	}
	ruleShot = &wire.Rule{
		ID: "bzflag17.unknown-shot", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a shot that never began",
		Why:    "MsgShotBegin sets the number of a shot. With another number, receivers do not find the shot: it keeps flying on their screens, or nothing seems to kill a tank. Check the slot and the salt, which are the low and the high byte.",
		Source: inDocument + ", MsgShotBegin, MsgShotEnd, MsgKilled and MsgGMUpdate",
	}
	ruleShotLimit = &wire.Rule{
		ID: "bzflag17.shot-limit", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "a shot in a slot that the game does not have",
		Why:    "The world database sets how many shots a player may have at once, and the low byte of a shot's number must be smaller. Real programs use it as an index without a bounds check.",
		Source: inDocument + ", MsgShotBegin; " + inGame,
	}
	ruleShotFlag = &wire.Rule{
		ID: "bzflag17.shot-flag", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a shot with a flag that its player does not carry",
		Why:    "The flag makes a shot a laser or a missile. It must be the flag that the server granted last. 1.07e turns a shot with a wrong flag into a plain shot; earlier servers relay it.",
		Source: inDocument + ", MsgShotBegin; " + inServer,
	}
	ruleNotGuided = &wire.Rule{
		ID: "bzflag17.not-guided", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a steered shot that is not a guided missile",
		Why:    "MsgGMUpdate steers shots that began with the flag Guided Missile. Clients do not expect it for other shots: most ignore it, some bend the shot.",
		Source: inDocument + ", MsgGMUpdate",
	}
	ruleFlagNumber = &wire.Rule{
		ID: "bzflag17.flag-number", Severity: wire.Error, Rests: wire.OnPresence,
		Title:  "a flag that the game does not have",
		Why:    "The world database sets the number of flags, which are numbered from 0. Programs use the number as an index without a bounds check, and write outside of their list.",
		Source: inDocument + ", MsgFlagUpdate and MsgGrabFlag; " + inGame,
	}
	ruleDrop = &wire.Rule{
		ID: "bzflag17.drop-without-flag", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a drop by a player without a flag",
		Why:    "A player has a flag once the server grants it with MsgGrabFlag. Without one, the server ignores the drop. Look for a client that believes it has the flag as soon as it asks.",
		Source: inDocument + ", MsgDropFlag; " + inServer,
	}
	ruleSticky = &wire.Rule{
		ID: "bzflag17.sticky-drop", Severity: wire.Note, Rests: wire.OnTime,
		Title:  "a sticky flag is dropped too soon",
		Why:    "A player keeps a bad flag for as many wins, or for as long, as the world's style says. The server leaves this to the client and takes the flag back at any time.",
		Source: inDocument + ", getting the world database (shake timeout, shake wins)",
	}
	ruleCapture = &wire.Rule{
		ID: "bzflag17.capture-without-flag", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a capture by a player without a team flag",
		Why:    "Only a player who carries a team flag can bring it to a base. The server ignores other captures. Check whether the client believes that it still carries a flag that was taken from it.",
		Source: inDocument + ", MsgCaptureFlag; " + inServer,
	}
	ruleScore = &wire.Rule{
		ID: "bzflag17.score-jump", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a score that changes by more than one",
		Why:    "Each kill and each death is reported separately. 1.07c believes the score that a client reports about itself; 1.07e counts itself. A jump may be due to a lost message, or to a player who cheats.",
		Source: inDocument + ", MsgScore; " + inServer,
	}
	ruleTime = &wire.Rule{
		ID: "bzflag17.time-rises", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "the time left rises",
		Why:    "The clock of a game only runs down; the server sends it every 30 seconds and at the end. If the number rises, clients show a game that continues.",
		Source: inDocument + ", MsgTimeLeft; " + inServer,
	}
	ruleOver = &wire.Rule{
		ID: "bzflag17.after-game-over", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a player comes back after the end of the game",
		Why:    "Time 0 or MsgScoreOver ends the game for all players: every tank explodes, and no player can come back until all have left and joined again. The server does not check this.",
		Source: inDocument + ", MsgTimeLeft and MsgScoreOver; " + inGame,
	}
	ruleRelay = &wire.Rule{
		ID: "bzflag17.update-without-relay", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "updates over TCP although neither side asked for that",
		Why:    "Players send updates to each other by multicast, and over TCP only after MsgNetworkRelay from either side. Without it, the server may not relay them, and others see the tank stand still.",
		Source: inDocument + ", MsgNetworkRelay and MsgPlayerUpdate",
	}
	ruleLagPing = &wire.Rule{
		ID: "bzflag17.lag-ping", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a lag ping without an echo, or out of order",
		Why:    "The server numbers its pings modulo 10000, and a client returns each ping with its number. The time until the echo is the player's lag. If echoes are missing or have other numbers, the server shows a wrong lag and may remove the player.",
		Source: inDocument + ", MsgLagPing; " + inServer,
	}
	ruleFace = &wire.Rule{
		ID: "bzflag17.teleport-face", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "a teleporter face that the world does not have",
		Why:    "Teleporter N has the faces 2N and 2N+1, and links in the world database connect them. Receivers use the numbers as indices. Check whether both sides have the same world.",
		Source: inDocument + ", MsgTeleport and getting the world database",
	}
)

// Rules about facts that break nothing, but may explain a problem.
var (
	ruleDenied = &wire.Rule{
		ID: "bzflag17.denied", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "a request of a player that the server denied",
		Why:    "In a private message, under the player's own name, the server tells a player that it does not relay a chat line or does not run a command. It calls administrators' commands unknown until the player has given the password.",
		Source: inServer + ", commands",
	}
	ruleWarned = &wire.Rule{
		ID: "bzflag17.warned", Severity: wire.Note, Rests: wire.OnPresence, Fact: true,
		Title:  "a warning from the server to one player",
		Why:    "A server warns of lag before it removes a player for it. A server option sets how often it warns.",
		Source: inServer + ", -lagwarn",
	}
	ruleUnrelayed = &wire.Rule{
		ID: "bzflag17.unrelayed", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "actions of a player that the server does not relay",
		Why:    "A server sends the shots and the chat that it accepts to all players, including the sender, and announces grabs and deaths to everybody. It silently drops the rest: a shot from a wrong position or with an impossible slot, lifetime or speed, or a grab of a flag out of reach. Because the network may lose a shot, this is reported only for at least three shots or grabs, and at least one in ten.",
		Source: inServer + ", MsgMessage, MsgShotBegin, MsgGrabFlag and MsgKilled",
	}
)

var trackerRules = []*wire.Rule{
	ruleRefused, ruleUnused, ruleOffset, ruleRemaining, ruleInterrupted, ruleBeforeEnter, ruleSecondEnter, ruleUnanswered,
	ruleBeforeOwn, ruleOwnEarly, ruleAfterKill, ruleAfterExit, ruleUnknownPlayer, ruleForeign, rulePresent, ruleAbsent,
	ruleTooEarly, ruleTwice, ruleActing, ruleShot, ruleShotLimit, ruleShotFlag, ruleNotGuided, ruleFlagNumber, ruleDrop,
	ruleSticky, ruleCapture, ruleScore, ruleTime, ruleOver, ruleRelay, ruleLagPing, ruleFace,
	ruleDenied, ruleWarned, ruleUnrelayed,
}
