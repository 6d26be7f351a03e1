package bzflag17

import "github.com/gamedissect/gamedissect/decode/wire"

// Rules that compare several messages: connections, the world, joins and the presence of players.
var (
	ruleRefused = &wire.Rule{
		ID: "bzflag17.reconnect-refused", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a client that connects again although the server refused it",
		Why:    "Port 0 in the hello means that the server is full or its game is over. The client must then give up, and later try again with a new first connection. Check whether the client reads the port from the hello, or remembers one from before.",
		Source: inDocument + ", connect to server; " + inServer,
	}
	ruleUnused = &wire.Rule{
		ID: "bzflag17.reconnect-unused", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "an announced port to which no client connected",
		Why:    "The hello announces a second port, and the client must connect to it within 3 seconds (1.07c) or 10 seconds (1.07e). After that, the server stops listening there. Programs that only check whether a server is running never connect to the second port. Otherwise, look for a firewall, or for a client that closes its first connection too early.",
		Source: inDocument + ", connect to server; " + inServer + ", DisconnectTimeout",
	}
	ruleOffset = &wire.Rule{
		ID: "bzflag17.world-offset", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a request for the wrong part of the world",
		Why:    "A client first asks for offset 0. After each part, it asks for the offset where this part ended. A 1.07c client asks for offset 0 twice. With any other offset, the client misses or repeats bytes, and its world differs from the world of the other players.",
		Source: inDocument + ", getting the world database; " + inGame,
	}
	ruleRemaining = &wire.Rule{
		ID: "bzflag17.world-remaining", Severity: wire.Error, Rests: wire.OnState,
		Title:  "a number of remaining bytes that contradicts the earlier parts",
		Why:    "With each part, the number must decrease by the size of the part. In real servers, the number includes the current part; in the document, it does not. gamedissect accepts both. The client stops when the number reaches zero, so with a wrong number it stops too early or never.",
		Source: inDocument + ", getting the world database; " + inServer,
	}
	ruleInterrupted = &wire.Rule{
		ID: "bzflag17.world-interrupted", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "an unrequested server message during the download",
		Why:    "A client that downloads the world has not joined yet, so the server has nothing to tell it about the game. Real clients assume that the next message is the next part of the world. Only MsgSuperKill may come between the parts.",
		Source: inDocument + ", getting the world database",
	}
	ruleBeforeEnter = &wire.Rule{
		ID: "bzflag17.before-enter", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a client that plays before the server has accepted it",
		Why:    "Before the server accepts MsgEnter, the connection has no player. Real servers do not check this: they broadcast the client's messages as those of player 0.0.0.0:0. Look for a client that ignores MsgReject.",
		Source: inDocument + ", join game; " + inServer,
	}
	ruleSecondEnter = &wire.Rule{
		ID: "bzflag17.second-enter", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "MsgEnter from a player who is already in the game",
		Why:    "Each connection has one player. A real server adds the player a second time, and from then on the team sizes are wrong.",
		Source: inDocument + ", join game; " + inServer,
	}
	ruleUnanswered = &wire.Rule{
		ID: "bzflag17.enter-unanswered", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "no answer to MsgEnter",
		Why:    "The server must answer at once with MsgAccept, MsgReject or MsgSuperKill; until then the client shows nothing. Check whether the server received the whole message. 1.07c reads the body of a message with a single call, so it misreads all later bytes if the body arrives in pieces.",
		Source: inDocument + ", join game; " + inServer,
	}
	ruleBeforeOwn = &wire.Rule{
		ID: "bzflag17.before-own-add-player", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a game message before the player's own MsgAddPlayer",
		Why:    "Until a client receives its own MsgAddPlayer, it has no player, and accepts only MsgAccept, MsgTeamUpdate, MsgFlagUpdate, MsgAddPlayer and MsgNetworkRelay, and in 1.07e MsgUDPLinkRequest. When it receives anything else, it ignores the message or exits.",
		Source: inDocument + ", join game; " + inGame,
	}
	ruleOwnEarly = &wire.Rule{
		ID: "bzflag17.own-add-player-early", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "the player's own MsgAddPlayer before those of earlier players",
		Why:    "The server first sends a MsgAddPlayer for each player who is already in the game, and then one for the new player. After that, the client begins to play. It treats players who are announced later as new, and does not know their earlier state.",
		Source: inDocument + ", join game; " + inServer,
	}
	ruleAfterKill = &wire.Rule{
		ID: "bzflag17.after-superkill", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a client that continues after MsgSuperKill",
		Why:    "MsgSuperKill ends the connection, and the server reads nothing after it. A client that continues has missed the message. MsgExit, and messages that were already on their way, do no harm.",
		Source: inDocument + ", MsgSuperKill; " + inGame,
	}
	ruleAfterExit = &wire.Rule{
		ID: "bzflag17.after-exit", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "a client that continues after MsgExit",
		Why:    "After MsgExit, the server removes the player, closes the connection and reads nothing more. Look for a client that sends from two threads at once.",
		Source: inDocument + ", MsgExit; " + inServer,
	}
	ruleUnknownPlayer = &wire.Rule{
		ID: "bzflag17.unknown-player", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "the id of a player who is not in the game",
		Why:    "MsgAddPlayer adds a player, and MsgRemovePlayer removes a player. If no player in the game has the id, receivers drop the message, or the server relays it in vain. Check the byte order of the id, and whether the sender uses an old id.",
		Source: inDocument + ", MsgAddPlayer; " + inGame,
	}
	ruleForeign = &wire.Rule{
		ID: "bzflag17.foreign-player", Severity: wire.Error, Rests: wire.OnPresence,
		Title:  "a client that acts for another player",
		Why:    "Shots and updates contain the id of a player, which must be the client's own. Real servers relay the message without checking the id, so another player's tank jumps or shoots.",
		Source: inDocument + ", MsgShotBegin and MsgPlayerUpdate; " + inServer,
	}
	rulePresent = &wire.Rule{
		ID: "bzflag17.player-present", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "MsgAddPlayer for a player who is already in the game",
		Why:    "A client creates a new tank for every MsgAddPlayer, except after MsgQueryPlayers, whose answer repeats all players. The second tank with the same id stays in the game and never moves. Look for a player who entered twice.",
		Source: inDocument + ", MsgAddPlayer; " + inGame,
	}
	ruleAbsent = &wire.Rule{
		ID: "bzflag17.player-absent", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "MsgRemovePlayer for a player who is not in the game",
		Why:    "Clients ignore the message. If it has the wrong id, the tank of the player who left remains.",
		Source: inDocument + ", MsgRemovePlayer; " + inGame,
	}
)

// Rules that compare several messages: lives, shots, flags and the whole game.
var (
	ruleTooEarly = &wire.Rule{
		ID: "bzflag17.alive-too-early", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a player who comes back before the explosion is over",
		Why:    "A dead tank explodes for 5 seconds, and its player may come back only after that. The server does not check this. A player who comes back earlier has an advantage, and others see the explosion end early.",
		Source: inDocument + ", MsgAlive; " + inGame + ", ExplodeTime",
	}
	ruleTwice = &wire.Rule{
		ID: "bzflag17.alive-while-alive", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "MsgAlive from a player who is alive",
		Why:    "MsgAlive spawns a tank. If the player is already alive, the tank jumps to another place. Look for a death without a MsgKilled.",
		Source: inDocument + ", MsgAlive",
	}
	ruleActing = &wire.Rule{
		ID: "bzflag17.acting-while-dead", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a player who acts without a live tank",
		Why:    "A player who is dead, or has not sent MsgAlive, can neither shoot nor grab a flag, and must not set the Alive bit in updates. The server does not check this for shots, so other players are hit by shots from nowhere. Check whether the client notices its own death.",
		Source: inDocument + ", MsgAlive and MsgKilled; " + inGame,
	}
	ruleShot = &wire.Rule{
		ID: "bzflag17.unknown-shot", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a shot that never began",
		Why:    "MsgShotBegin sets the number of a shot. If a later message has another number, receivers do not find the shot: it keeps flying on their screens, or a tank dies without a shot. The low byte of the number is the shot's slot, the high byte a salt; check both.",
		Source: inDocument + ", MsgShotBegin, MsgShotEnd, MsgKilled and MsgGMUpdate",
	}
	ruleShotLimit = &wire.Rule{
		ID: "bzflag17.shot-limit", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "a shot in a slot above the game's limit",
		Why:    "The world database sets how many shots a player may have at once. The low byte of a shot's number, its slot, must be lower than this limit. Real programs use the slot as an index without a bounds check.",
		Source: inDocument + ", MsgShotBegin; " + inGame,
	}
	ruleShotFlag = &wire.Rule{
		ID: "bzflag17.shot-flag", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a shot with a flag that its player does not have",
		Why:    "MsgShotBegin contains the player's flag, which can turn the shot into a laser or a missile, for example. It must be the flag that the server granted last. A 1.07e server turns a shot with the wrong flag into a plain shot; earlier servers relay the shot unchanged.",
		Source: inDocument + ", MsgShotBegin; " + inServer,
	}
	ruleNotGuided = &wire.Rule{
		ID: "bzflag17.not-guided", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a steered shot that is not a guided missile",
		Why:    "MsgGMUpdate steers only shots fired with the Guided Missile flag. Clients do not expect it for other shots: most ignore the message, some change the course of the shot.",
		Source: inDocument + ", MsgGMUpdate",
	}
	ruleFlagNumber = &wire.Rule{
		ID: "bzflag17.flag-number", Severity: wire.Error, Rests: wire.OnPresence,
		Title:  "a flag with a number above the game's limit",
		Why:    "The world database sets the number of flags, which are numbered from 0. Programs use a flag's number as an index without a bounds check, and write outside their list.",
		Source: inDocument + ", MsgFlagUpdate and MsgGrabFlag; " + inGame,
	}
	ruleDrop = &wire.Rule{
		ID: "bzflag17.drop-without-flag", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a drop by a player without a flag",
		Why:    "A player has a flag from the moment when the server grants it with MsgGrabFlag. The server ignores a drop by a player without one. Look for a client that does not wait for MsgGrabFlag.",
		Source: inDocument + ", MsgDropFlag; " + inServer,
	}
	ruleSticky = &wire.Rule{
		ID: "bzflag17.sticky-drop", Severity: wire.Note, Rests: wire.OnTime,
		Title:  "a bad flag that was dropped too soon",
		Why:    "The world's style says for how many wins, or for how long, a player must keep a bad (sticky) flag. The server leaves this to the client, and accepts the drop at any time.",
		Source: inDocument + ", getting the world database (shake timeout, shake wins)",
	}
	ruleCapture = &wire.Rule{
		ID: "bzflag17.capture-without-flag", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a capture by a player without a team flag",
		Why:    "Only a player who carries a team flag can bring it to a base. The server ignores other captures. Check whether the client has missed the loss of its flag.",
		Source: inDocument + ", MsgCaptureFlag; " + inServer,
	}
	ruleScore = &wire.Rule{
		ID: "bzflag17.score-jump", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a score that changes by more than one",
		Why:    "Each kill and each death is reported separately. A 1.07c server trusts the score that a client reports; a 1.07e server keeps its own count. Either a message was lost, or the player cheats.",
		Source: inDocument + ", MsgScore; " + inServer,
	}
	ruleTime = &wire.Rule{
		ID: "bzflag17.time-rises", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a remaining time that rises",
		Why:    "The clock of a game only runs down. The server sends the remaining time every 30 seconds and at the end. If it rises, clients show that the game lasts longer.",
		Source: inDocument + ", MsgTimeLeft; " + inServer,
	}
	ruleOver = &wire.Rule{
		ID: "bzflag17.after-game-over", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a player who comes back after the end of the game",
		Why:    "A remaining time of 0, or MsgScoreOver, ends the game for all players: every tank explodes, and nobody can come back until all players have left and joined again. The server does not check this.",
		Source: inDocument + ", MsgTimeLeft and MsgScoreOver; " + inGame,
	}
	ruleRelay = &wire.Rule{
		ID: "bzflag17.update-without-relay", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "updates over TCP that neither side asked for",
		Why:    "Players send updates to each other by multicast. They use TCP only after the client or the server has sent MsgNetworkRelay. Without this message, the server may not relay the updates, and others see the tank stand still.",
		Source: inDocument + ", MsgNetworkRelay and MsgPlayerUpdate",
	}
	ruleLagPing = &wire.Rule{
		ID: "bzflag17.lag-ping", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a lag ping or an echo with the wrong number, or a ping without an echo",
		Why:    "The server numbers its pings modulo 10000, and a client returns each ping with its number. The time until the echo is the player's lag. If echoes are missing or have other numbers, the server measures the lag incorrectly and may remove the player.",
		Source: inDocument + ", MsgLagPing; " + inServer,
	}
	ruleFace = &wire.Rule{
		ID: "bzflag17.teleport-face", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "a teleporter face that the world does not have",
		Why:    "Teleporter N has the faces 2N and 2N+1, and links in the world database connect faces. Receivers use these numbers as indices. Check whether both sides have the same world.",
		Source: inDocument + ", MsgTeleport and getting the world database",
	}
)

// Rules about facts that break nothing, but may explain a problem.
var (
	ruleDenied = &wire.Rule{
		ID: "bzflag17.denied", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "a player's request that the server denied",
		Why:    "In a private message to the player, the server says that it does not relay a chat line or does not run a command. To a player who has not given the password, the server says that administrators' commands are unknown.",
		Source: inServer + ", commands",
	}
	ruleWarned = &wire.Rule{
		ID: "bzflag17.warned", Severity: wire.Note, Rests: wire.OnPresence, Fact: true,
		Title:  "a warning from the server to one player",
		Why:    "A server first warns a player of lag, and later removes the player for it. The server option -lagwarn sets how often it warns.",
		Source: inServer + ", -lagwarn",
	}
	ruleUnrelayed = &wire.Rule{
		ID: "bzflag17.unrelayed", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "a player's actions that the server does not relay",
		Why:    "All players, including the sender, receive the shots and the chat that a server accepts, and its announcements of grabs and deaths. The server silently drops other requests: a shot from a wrong position or with an impossible slot, lifetime or speed, or a grab of a flag out of reach. The network may also lose a shot, so shots and grabs are reported only if at least three, and at least a tenth of all, were not relayed.",
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
