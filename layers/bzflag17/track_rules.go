package bzflag17

import "github.com/gamedissect/gamedissect/decode/wire"

// The rules about several messages: connections, the world, joins, and the presence of players.
var (
	ruleRefused = &wire.Rule{
		ID: "bzflag17.reconnect-refused", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a client that was refused connects all the same",
		Why:    "Port 0 in the hello means that the server is full or the game is over. A client has to give up then and try again later with a new first connection. Look at whether the client looks at the port at all, or goes to one that it remembers.",
		Source: inDocument + ", connect to server; " + inServer,
	}
	ruleUnused = &wire.Rule{
		ID: "bzflag17.reconnect-unused", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "no client connected to the announced port",
		Why:    "After the hello the client connects to the port that was announced, within 3 seconds for 1.07c and 10 for 1.07e; then the server stops listening. Programs that only look whether a server runs do this. Otherwise look for a firewall, or for a client that closes its first connection too early.",
		Source: inDocument + ", connect to server; " + inServer + ", DisconnectTimeout",
	}
	ruleOffset = &wire.Rule{
		ID: "bzflag17.world-offset", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a request for a part of the world that is not the next one",
		Why:    "A client asks for offset 0 first and then for the byte after each part it got, up to the end. 1.07c asks for 0 twice. Another offset leaves a hole in the world or reads a part twice, and the client builds a board that others do not have.",
		Source: inDocument + ", getting the world database; " + inGame,
	}
	ruleRemaining = &wire.Rule{
		ID: "bzflag17.world-remaining", Severity: wire.Error, Rests: wire.OnState,
		Title:  "the number of remaining bytes does not fit the parts before",
		Why:    "With each part the number goes down by as much as came, whether it counts the part itself, as real servers do, or not, as in the document. The client stops when it reaches zero, so with a wrong one it stops too early or asks on without end.",
		Source: inDocument + ", getting the world database; " + inServer,
	}
	ruleInterrupted = &wire.Rule{
		ID: "bzflag17.world-interrupted", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a server message during the download that the client did not ask for",
		Why:    "A client that fetches the world has not joined, and the server tells it nothing of the game. Real clients read the next message as the next part of the world. Only MsgSuperKill may come in between.",
		Source: inDocument + ", getting the world database",
	}
	ruleBeforeEnter = &wire.Rule{
		ID: "bzflag17.before-enter", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a client plays without having entered",
		Why:    "Before MsgEnter was accepted the server knows no player for the connection. Real servers do not check that: they broadcast what comes in the name of player 0.0.0.0:0. Look for a client that takes no notice of MsgReject.",
		Source: inDocument + ", join game; " + inServer,
	}
	ruleSecondEnter = &wire.Rule{
		ID: "bzflag17.second-enter", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "MsgEnter by a player who is in the game",
		Why:    "One connection is one player. A real server adds the player a second time, and the sizes of the teams are wrong from then on.",
		Source: inDocument + ", join game; " + inServer,
	}
	ruleUnanswered = &wire.Rule{
		ID: "bzflag17.enter-unanswered", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "no answer to MsgEnter",
		Why:    "MsgAccept, MsgReject or MsgSuperKill follows at once; a client waits for one of them and shows nothing meanwhile. Look at whether the server got the whole message: 1.07c reads a body in one go and loses its place when it comes in pieces.",
		Source: inDocument + ", join game; " + inServer,
	}
	ruleBeforeOwn = &wire.Rule{
		ID: "bzflag17.before-own-add-player", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a message of the game before the player's own MsgAddPlayer",
		Why:    "Until its own MsgAddPlayer a client takes MsgAccept, MsgTeamUpdate, MsgFlagUpdate, MsgAddPlayer and MsgNetworkRelay, and in 1.07e MsgUDPLinkRequest. It has no player of its own yet, so it drops everything else or ends.",
		Source: inDocument + ", join game; " + inGame,
	}
	ruleOwnEarly = &wire.Rule{
		ID: "bzflag17.own-add-player-early", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "the player's own MsgAddPlayer came before those of others",
		Why:    "The own MsgAddPlayer ends the list of those who are there: with it the client begins to play. Players named after it are taken for newcomers, and what they did before is missing.",
		Source: inDocument + ", join game; " + inServer,
	}
	ruleAfterKill = &wire.Rule{
		ID: "bzflag17.after-superkill", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a client goes on after MsgSuperKill",
		Why:    "MsgSuperKill ends the connection, and the server reads nothing any more. A client that goes on has missed it. MsgExit, and what was on its way, do no harm.",
		Source: inDocument + ", MsgSuperKill; " + inGame,
	}
	ruleAfterExit = &wire.Rule{
		ID: "bzflag17.after-exit", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "a client goes on after MsgExit",
		Why:    "With MsgExit the server removes the player and closes the connection. What comes after it is lost. Look for a client that sends from two places at once.",
		Source: inDocument + ", MsgExit; " + inServer,
	}
	ruleUnknownPlayer = &wire.Rule{
		ID: "bzflag17.unknown-player", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a player who is not there",
		Why:    "Players are those that MsgAddPlayer told of and MsgRemovePlayer did not take away. Receivers look the id up and drop the message, or the server sends it on to all for nothing. Look at the byte order of the id, and whether an old id is kept.",
		Source: inDocument + ", MsgAddPlayer; " + inGame,
	}
	ruleForeign = &wire.Rule{
		ID: "bzflag17.foreign-player", Severity: wire.Error, Rests: wire.OnPresence,
		Title:  "a client speaks for another player",
		Why:    "Shots and updates carry the id of their player, and it has to be the client's own. Real servers do not compare it and pass the message on, so another tank jumps or shoots without its player's doing.",
		Source: inDocument + ", MsgShotBegin and MsgPlayerUpdate; " + inServer,
	}
	rulePresent = &wire.Rule{
		ID: "bzflag17.player-present", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "MsgAddPlayer for a player who is there already",
		Why:    "A client makes a new tank for every MsgAddPlayer, except after MsgQueryPlayers, which repeats all. The second tank of the same id stays in the list and never moves. Look for a player who entered twice.",
		Source: inDocument + ", MsgAddPlayer; " + inGame,
	}
	ruleAbsent = &wire.Rule{
		ID: "bzflag17.player-absent", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "MsgRemovePlayer for a player who is not there",
		Why:    "Only a player that MsgAddPlayer told of can leave. Clients ignore the message, so if it names the wrong one, the tank of the right one stays on the board.",
		Source: inDocument + ", MsgRemovePlayer; " + inGame,
	}
)

// The rules about several messages: lives, shots, flags and the game as a whole.
var (
	ruleTooEarly = &wire.Rule{
		ID: "bzflag17.alive-too-early", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a player is back before its explosion is over",
		Why:    "A dead tank explodes for 5 seconds, and only then may its player come back. The server does not check it. A client that comes back sooner has an advantage, and the others see the explosion cut short.",
		Source: inDocument + ", MsgAlive; " + inGame + ", ExplodeTime",
	}
	ruleTwice = &wire.Rule{
		ID: "bzflag17.alive-while-alive", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "MsgAlive by a player who is alive",
		Why:    "MsgAlive puts a tank on the board that is not there. By one who is alive it is a jump to any place at will. Look for a death that was not reported with MsgKilled.",
		Source: inDocument + ", MsgAlive",
	}
	ruleActing = &wire.Rule{
		ID: "bzflag17.acting-while-dead", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a player who is not on the board acts",
		Why:    "Who has not sent MsgAlive, or is dead, can neither shoot nor grab, and its updates do not have the bit Alive. The server does not check it for shots, so one hears and is hit by shots out of nowhere. Look at when the client notices its own death.",
		Source: inDocument + ", MsgAlive and MsgKilled; " + inGame,
	}
	ruleShot = &wire.Rule{
		ID: "bzflag17.unknown-shot", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a shot that never began",
		Why:    "The number of a shot is that of its MsgShotBegin. Receivers find no shot under another one: it flies on in their picture, or a tank seems to be killed by nothing. Look at slot and salt, the low and the high byte.",
		Source: inDocument + ", MsgShotBegin, MsgShotEnd, MsgKilled and MsgGMUpdate",
	}
	ruleShotLimit = &wire.Rule{
		ID: "bzflag17.shot-limit", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "a shot in a slot that the game does not have",
		Why:    "The world database says how many shots a player may have at once, and the low byte of a shot's number is below that. Real programs use it as an index into a list of that length without looking.",
		Source: inDocument + ", MsgShotBegin; " + inGame,
	}
	ruleShotFlag = &wire.Rule{
		ID: "bzflag17.shot-flag", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a shot of a flag that its player does not carry",
		Why:    "The flag makes a shot a laser or a missile, and it is the one that the server granted last. 1.07e turns a wrong one into a plain shot, earlier servers pass it on.",
		Source: inDocument + ", MsgShotBegin; " + inServer,
	}
	ruleNotGuided = &wire.Rule{
		ID: "bzflag17.not-guided", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a shot is steered that is no guided missile",
		Why:    "MsgGMUpdate steers shots that began with the flag Guided Missile. Others fly straight in every client, so the message does nothing, or bends a shot in some of them.",
		Source: inDocument + ", MsgGMUpdate",
	}
	ruleFlagNumber = &wire.Rule{
		ID: "bzflag17.flag-number", Severity: wire.Error, Rests: wire.OnPresence,
		Title:  "a flag that the game does not have",
		Why:    "The world database says how many flags there are, and they count from 0. Programs use the number as an index without looking, and write outside of their list.",
		Source: inDocument + ", MsgFlagUpdate and MsgGrabFlag; " + inGame,
	}
	ruleDrop = &wire.Rule{
		ID: "bzflag17.drop-without-flag", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a player without a flag wants to drop one",
		Why:    "A flag is a player's when the server has granted it with MsgGrabFlag. The server ignores the request. Look for a client that believes it has the flag as soon as it asks.",
		Source: inDocument + ", MsgDropFlag; " + inServer,
	}
	ruleSticky = &wire.Rule{
		ID: "bzflag17.sticky-drop", Severity: wire.Note, Rests: wire.OnTime,
		Title:  "a sticky flag is dropped too soon",
		Why:    "Bad flags stay until the player has won or waited as often or as long as the world's style says. The server leaves that to the client and takes the flag back at any time.",
		Source: inDocument + ", getting the world database (shake timeout, shake wins)",
	}
	ruleCapture = &wire.Rule{
		ID: "bzflag17.capture-without-flag", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a player without a team flag claims a capture",
		Why:    "Only who carries a team's flag can bring it to a base. The server ignores the claim. Look at whether the client still believes to carry a flag that was taken from it.",
		Source: inDocument + ", MsgCaptureFlag; " + inServer,
	}
	ruleScore = &wire.Rule{
		ID: "bzflag17.score-jump", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a score that moves by more than one",
		Why:    "Each kill and each death is told, one at a time. 1.07c believes the number that a client says of itself; 1.07e counts by itself. A jump may be a lost message, or a player who helps himself.",
		Source: inDocument + ", MsgScore; " + inServer,
	}
	ruleTime = &wire.Rule{
		ID: "bzflag17.time-rises", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "the time left rises",
		Why:    "The clock of a game only runs down: the server tells it every 30 seconds and at the end. A larger number than before makes clients show a game that goes on.",
		Source: inDocument + ", MsgTimeLeft; " + inServer,
	}
	ruleOver = &wire.Rule{
		ID: "bzflag17.after-game-over", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a player comes back after the end of the game",
		Why:    "With time 0 or MsgScoreOver the game is over for all who are in it: every tank explodes, and none comes back until all have left and joined anew. The server does not check it.",
		Source: inDocument + ", MsgTimeLeft and MsgScoreOver; " + inGame,
	}
	ruleRelay = &wire.Rule{
		ID: "bzflag17.update-without-relay", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "updates over the connection although no side wanted that",
		Why:    "Updates go from player to player by multicast, and over the connection only after MsgNetworkRelay from either side. Without it the server may not pass them on, and others see the tank stand still.",
		Source: inDocument + ", MsgNetworkRelay and MsgPlayerUpdate",
	}
	ruleLagPing = &wire.Rule{
		ID: "bzflag17.lag-ping", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a ping that is not echoed, or out of its order",
		Why:    "The server numbers its pings, one after the other modulo 10000, and a client returns each with its number. The time between is the player's lag; with other numbers, or none, the server shows a wrong lag and may throw the player out.",
		Source: inDocument + ", MsgLagPing; " + inServer,
	}
	ruleFace = &wire.Rule{
		ID: "bzflag17.teleport-face", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "a way through a teleporter that the world does not have",
		Why:    "Teleporter N has the faces 2N and 2N+1, and links in the world database say where each leads. Receivers use the numbers as indices. Look at whether both sides have the same world.",
		Source: inDocument + ", MsgTeleport and getting the world database",
	}
)

// Facts that explain a problem.
var (
	ruleDenied = &wire.Rule{
		ID: "bzflag17.denied", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "what a player asked for and the server denied",
		Why:    "A server says to a player alone, in his own name, that it does not pass on what he says, or does not run his command: it calls the commands of administrators unknown until he has given the password.",
		Source: inServer + ", commands",
	}
	ruleWarned = &wire.Rule{
		ID: "bzflag17.warned", Severity: wire.Note, Rests: wire.OnPresence, Fact: true,
		Title:  "a warning of the server to one player",
		Why:    "A server warns of lag before it removes a player for it. How often it warns is an option of it.",
		Source: inServer + ", -lagwarn",
	}
	ruleUnrelayed = &wire.Rule{
		ID: "bzflag17.unrelayed", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "what a player does and the server passes on to nobody",
		Why:    "A server returns the shots and the chat that it accepts to the player too, and announces grabs and deaths to everybody. The rest it drops without a word: a shot from far off or whose slot, lifetime or speed is not possible, or a flag out of reach. Three shots or grabs, and one in ten of them, are the least that counts: the network may lose a shot.",
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
