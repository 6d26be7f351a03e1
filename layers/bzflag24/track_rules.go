package bzflag24

import "github.com/gamedissect/gamedissect/decode/wire"

// The rules about several messages of a connection: how it begins and ends, and how messages are numbered.
var (
	ruleBeforeEnter = &wire.Rule{
		ID: "bzflag24.before-enter", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a message from a client that has not entered",
		Why:    "Before MsgEnter, a client may only query the game and its players, request the flags, settings and world, and link its UDP port. The server silently drops chat and updates. It answers other messages with MsgReject and closes the connection. Check whether the client sent no MsgEnter, or sent it too late.",
		Source: inHandler,
	}
	ruleSecondEnter = &wire.Rule{
		ID: "bzflag24.second-enter", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "MsgEnter from a player who has already entered",
		Why:    "A connection has one player, who enters once. The server does not expect another request to join. To change its team or name, a client must connect again.",
		Source: inHandler,
	}
	ruleAcceptID = &wire.Rule{
		ID: "bzflag24.accept-id", Severity: wire.Error, Rests: wire.OnPresence,
		Title:  "MsgAccept with a player number that differs from the hello's",
		Why:    "The hello assigns a player number to the client, and MsgAccept only confirms it. A client that uses the wrong number acts as another player, and the server removes the client.",
		Source: inGame + ", MsgAccept",
	}
	ruleFull = &wire.Rule{
		ID: "bzflag24.full-not-closed", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "a connection that continues without a player number",
		Why:    "A hello with the player number 255 means that the server is full, and the server then closes the connection. Later messages come from a client without a player.",
		Source: inGame + ", the hello",
	}
	ruleReject = &wire.Rule{
		ID: "bzflag24.reject-without-superkill", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "MsgReject without MsgSuperKill",
		Why:    "Real servers send MsgSuperKill right after MsgReject. Without MsgSuperKill, the rejected client stays connected and waits, and occupies a slot on the server.",
		Source: inServer + ", MsgReject",
	}
	ruleSuperKill = &wire.Rule{
		ID: "bzflag24.after-superkill", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a message to a client after MsgSuperKill",
		Why:    "On MsgSuperKill, a client closes the connection, so it does not read later messages. Check whether the server removed the player from its lists.",
		Source: inGame + ", MsgSuperKill",
	}
	ruleForeign = &wire.Rule{
		ID: "bzflag24.foreign-player", Severity: wire.Error, Rests: wire.OnPresence,
		Title:  "a client that acts for another player",
		Why:    "Updates, shots and UDP link requests contain the number of the player who sends them. If the number is another player's, the server drops the message or removes the client. A program that runs several robots needs a connection for each.",
		Source: inHandler,
	}
	ruleShotTCP = &wire.Rule{
		ID: "bzflag24.shot-by-tcp", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "a shot over TCP from a human player",
		Why:    "Human players must shoot over UDP; only robots shoot over TCP. The server tells the player to turn on UDP, and then removes the player. Check whether the UDP link was established: both sides must send MsgUDPLinkEstablished.",
		Source: inServer + ", MsgShotBegin",
	}
	ruleOrder = &wire.Rule{
		ID: "bzflag24.update-order", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "an update with a lower number than earlier ones",
		Why:    "Updates of a tank have increasing numbers. Receivers silently drop an update whose number is too low, because the network may have delayed it. The tank then stands still on their screens. TCP never changes the order, and networks do not delay a datagram by more than a second, so the sender is at fault.",
		Source: inGame + ", MsgPlayerUpdate",
	}
	ruleLagPing = &wire.Rule{
		ID: "bzflag24.lag-ping", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "a lag ping with the wrong number",
		Why:    "Servers number lag pings in ascending order, modulo 10000, and clients return each number. If a number was used before or never sent, the server cannot measure the lag correctly, and may remove the player. A gap in the numbers only means that a datagram was lost.",
		Source: inServer + ", MsgLagPing",
	}
	ruleOffset = &wire.Rule{
		ID: "bzflag24.world-offset", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a request for the wrong part of the world",
		Why:    "A client requests each part from the offset where the last one ended, until the world is complete. If a client requests another offset, the parts do not fit together. After the end of the world, the server has nothing to send.",
		Source: inGame + ", MsgGetWorld",
	}
	ruleTimeBack = &wire.Rule{
		ID: "bzflag24.game-time-back", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a game time that is earlier than the previous one",
		Why:    "Clients set their clocks by MsgGameTime, and everything that moves by itself in the world follows these clocks. If the time goes back, these objects jump. Check whether the server's clock was changed.",
		Source: inServer + ", MsgGameTime",
	}
	ruleTimeRises = &wire.Rule{
		ID: "bzflag24.time-rises", Severity: wire.Note, Rests: wire.OnState,
		Title:  "a remaining time that rises",
		Why:    "The remaining time of a match runs down to 0, or is -1 while the match is paused. Only an administrator can increase it.",
		Source: inServer + ", MsgTimeUpdate",
	}
	ruleRabbit = &wire.Rule{
		ID: "bzflag24.rabbit-mode", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "MsgNewRabbit in a game that is not a rabbit chase",
		Why:    "Only a rabbit chase has a rabbit: a player whom all others hunt. In other games, clients put this player into a team that does not exist, and everybody shoots at this player.",
		Source: inGame + ", MsgNewRabbit",
	}
	ruleHandicap = &wire.Rule{
		ID: "bzflag24.handicap-option", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "MsgHandicap in a game without the Handicap option",
		Why:    "Servers send handicaps only if the game's settings have this option. A client that applies a handicap without the option makes its shots weaker or faster than other clients expect.",
		Source: inGame + ", MsgHandicap",
	}
	ruleFace = &wire.Rule{
		ID: "bzflag24.teleport-face", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "a teleporter face that does not exist in the world",
		Why:    "Every teleporter has two faces, and all faces of the world are numbered from 0. Other clients look up the face to show the effect of the teleporter. Check whether both sides have the same world.",
		Source: inGame + ", MsgTeleport",
	}
)

// The rules about the state of players, shots and flags.
var (
	ruleShotLimit = &wire.Rule{
		ID: "bzflag24.shot-limit", Severity: wire.Error, Rests: wire.OnState,
		Title:  "a shot in a slot above the game's limit",
		Why:    "The game's settings limit how many shots a player may have at once. The low byte of a shot's number, its slot, must be lower than this limit. Receivers have an array of that size, and drop a shot beyond its end.",
		Source: inGame + ", MsgGameSettings and MsgShotBegin",
	}
	ruleUnknownShot = &wire.Rule{
		ID: "bzflag24.unknown-shot", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "the end of a shot whose beginning is not in the capture",
		Why:    "A MsgShotBegin announces each shot before the shot ends. Over UDP, the announcement may be lost; then only some clients see the shot. If this happens often, look for packet loss.",
		Source: inGame + ", MsgShotEnd",
	}
	ruleShotFlag = &wire.Rule{
		ID: "bzflag24.shot-flag", Severity: wire.Note, Rests: wire.OnState,
		Title:  "a shot with a flag that its player does not have",
		Why:    "A shot contains a flag, which determines the kind of shot. This flag may briefly differ from the player's flag while the player grabs or drops a flag. If the flags differ for longer, the client shoots with a flag that it does not have.",
		Source: inGame + ", MsgShotBegin",
	}
	ruleDead = &wire.Rule{
		ID: "bzflag24.acting-while-dead", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a shot or grab by a dead player",
		Why:    "From death until the next MsgAlive, a player can neither shoot nor grab flags. Even over a slow connection, a client learns of the death within a second. The server ignores the action. A client that continues has missed its own death.",
		Source: inServer,
	}
	ruleKilledDead = &wire.Rule{
		ID: "bzflag24.killed-while-dead", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "the death of a player who is already dead",
		Why:    "A dead player cannot die again before the next MsgAlive. If clients count the death twice, they show wrong scores for both players. Check whether a MsgAlive is missing, or the server relayed a kill twice.",
		Source: inServer + ", MsgKilled",
	}
	ruleAliveTwice = &wire.Rule{
		ID: "bzflag24.alive-while-alive", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "MsgAlive for a player who is alive",
		Why:    "MsgAlive puts a dead player back into the game. Real servers ignore the request of a player who is alive, because a tank could use it to jump away under fire. Look for a death that the server did not relay.",
		Source: inServer + ", MsgAlive",
	}
	ruleGrabGround = &wire.Rule{
		ID: "bzflag24.grab-not-on-ground", Severity: wire.Note, Rests: wire.OnState,
		Title:  "a grab of a flag that was not on the ground",
		Why:    "Players pick up flags from the ground. Only an administrator or a plugin can assign a flag that is in the air or not in the game.",
		Source: inServer + ", MsgGrabFlag",
	}
	ruleDropFlag = &wire.Rule{
		ID: "bzflag24.drop-without-flag", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a drop by a player who does not have the flag",
		Why:    "Only the player who has a flag can drop it. Clients take the flag from the player whom the message names, so on their screens the player who really has the flag keeps it.",
		Source: inServer + ", MsgDropFlag",
	}
	ruleTransfer = &wire.Rule{
		ID: "bzflag24.transfer-holder", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a flag transfer to a player without the Thief flag",
		Why:    "A player with the Thief flag steals another player's flag by hitting that player. The server removes the Thief flag just before the transfer. A transfer to a player who did not have the Thief flag until then has no cause.",
		Source: inServer + ", MsgTransferFlag",
	}
	ruleCapture = &wire.Rule{
		ID: "bzflag24.capture-without-drop", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a capture of a flag that was not dropped first",
		Why:    "Before the server announces a capture, it announces that the player drops the flag. Without this drop, clients still show the flag on the tank, and the next grab of the flag looks impossible.",
		Source: inServer + ", MsgCaptureFlag",
	}
	ruleFlagNumber = &wire.Rule{
		ID: "bzflag24.flag-number", Severity: wire.Error, Rests: wire.OnState,
		Title:  "a flag with a number above the game's limit",
		Why:    "The game's settings contain the number of flags, which are numbered from 0. Clients have an array of that size. They ignore a number beyond its end, or misread the message.",
		Source: inGame + ", MsgGameSettings",
	}
	rulePauseTwice = &wire.Rule{
		ID: "bzflag24.duplicate-pause", Severity: wire.Note, Rests: wire.OnState,
		Title:  "a pause of a player who is already paused",
		Why:    "A second pause changes nothing, but it shows that one side has missed a change.",
		Source: inGame + ", MsgPause",
	}
	rulePaused = &wire.Rule{
		ID: "bzflag24.acting-while-paused", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a shot or grab by a paused player",
		Why:    "A paused tank cannot be hit, so it must not act either. The server treats such an action as cheating and removes the player. To act again, end the pause with MsgPause.",
		Source: inServer,
	}
	ruleObserver = &wire.Rule{
		ID: "bzflag24.acting-as-observer", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "an observer who takes part in the game",
		Why:    "Observers have no tank, so they cannot shoot, grab flags or kill. The server removes an observer who tries. Check the player's team in MsgAddPlayer.",
		Source: inServer,
	}
	ruleUnborn = &wire.Rule{
		ID: "bzflag24.acting-before-spawn", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a shot or grab by a player who has not spawned",
		Why:    "A player has no tank until the server sends the first MsgAlive. The server removes a player who acts earlier. A client must request a spawn with MsgAlive, and wait for the answer.",
		Source: inServer,
	}
)

// Facts that explain a problem.
var (
	ruleDenied = &wire.Rule{
		ID: "bzflag24.denied", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "a player's request that the server denied",
		Why:    "In a private message to the player, the server says why it does not relay a chat line, run a command, or let the player spawn. The player's groups lack the permission. The groups depend on the login, so check whether the login succeeded, and check the groups and their permissions on the server.",
		Source: inServer + ", commands and MsgMessage",
	}
	ruleWarned = &wire.Rule{
		ID: "bzflag24.warned", Severity: wire.Note, Rests: wire.OnPresence, Fact: true,
		Title:  "a warning from the server to one player",
		Why:    "A server warns a player about lag, jitter, lost packets and repeated chat before it removes the player for one of these reasons. Server options determine how often it warns.",
		Source: inServer + ", -lagwarn, -jitterwarn, -packetlosswarn and -spamwarn",
	}
	ruleLostPings = &wire.Rule{
		ID: "bzflag24.lost-pings", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "lag pings that had no echo before the next ping",
		Why:    "The server counts each such ping as a lost packet. It warns or removes a player with too many lost packets. Either the network loses datagrams, or the player's program does not answer.",
		Source: inServer + ", LagInfo",
	}
	ruleUnrelayed = &wire.Rule{
		ID: "bzflag24.unrelayed", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "a player's actions that the server does not relay",
		Why:    "A server relays accepted shots and chat to all players, including the sender, and announces accepted deaths, grabs and spawns to everybody. It silently drops the rest: chat before MsgAccept or without a text; a shot with an impossible position, slot, lifetime or speed; a grab of a flag out of reach; a drop without a flag; and everything that a plugin or filter blocks. The network may also lose a shot, so shots and grabs are reported only if at least three, and at least a tenth of all, were not relayed.",
		Source: inServer + ", MsgMessage, MsgShotBegin, MsgKilled and messages of flags",
	}
	ruleUpdatesUnrelayed = &wire.Rule{
		ID: "bzflag24.updates-unrelayed", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "a player's updates that the server does not relay",
		Why:    "A server relays the updates of a tank to all other players. It silently drops updates of observers, and of players that it considers dead. Other players then see the tank stand still.",
		Source: inServer + ", MsgPlayerUpdate",
	}
	ruleUnlinked = &wire.Rule{
		ID: "bzflag24.unlinked", Severity: wire.Note, Rests: wire.OnPresence, Fact: true,
		Title:  "datagrams that name a player but do not come from the player's UDP link",
		Why:    "The server (bzfs) accepts one UDP link per player: from the address of the TCP connection and the port of the first MsgUDPLinkRequest, until the player leaves. It silently drops all other datagrams, and gamedissect does not count them for any player. A router may assign another port during the game; other players then see the tank stand still. A network may send UDP and TCP from different addresses; the link then fails. If neither is the case, somebody forges the address or the player's number.",
		Source: inHandler + ", udpReceive",
	}
	ruleNoLink = &wire.Rule{
		ID: "bzflag24.no-link", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "a human player without UDP",
		Why:    "A client asks for a UDP link right after the hello. This client never did, and sends its updates over TCP, where a lost packet delays all later ones. A server removes the player after the first shot over TCP. Check whether UDP is turned off in the client.",
		Source: inGame,
	}
	ruleOneWay = &wire.Rule{
		ID: "bzflag24.one-way-link", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "a UDP link that works only towards the server",
		Why:    "The server answers a link request with its own MsgUDPLinkRequest over UDP, and the client confirms this with MsgUDPLinkEstablished. Until then, the server sends the game over TCP. Check whether a firewall blocks the server's datagrams.",
		Source: inHandler,
	}
	ruleUndelivered = &wire.Rule{
		ID: "bzflag24.udp-undelivered", Severity: wire.Note, Rests: wire.OnPresence, Fact: true,
		Title:  "datagrams of a UDP link that were not delivered, according to ICMP",
		Why:    "The link worked before, and the TCP connection continues. A firewall or router now rejects UDP, or one side has closed its socket. If the server's datagrams are rejected, the player sees the other tanks stand still. If the player's datagrams are rejected, other players see this player's tank stand still.",
		Source: "RFC 792; RFC 4443; " + inHandler,
	}
)
