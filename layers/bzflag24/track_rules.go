package bzflag24

import "github.com/gamedissect/gamedissect/decode/wire"

// The rules about several messages of a connection: how it begins and ends, and how messages are numbered.
var (
	ruleBeforeEnter = &wire.Rule{
		ID: "bzflag24.before-enter", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a message from a client that has not entered",
		Why:    "Before MsgEnter, a client may only query the game, players, flags, settings and world, and link its UDP port. The server silently drops chat and updates; it answers anything else with MsgReject and closes the connection. Check whether the client forgot MsgEnter, or sent it too late.",
		Source: inHandler,
	}
	ruleSecondEnter = &wire.Rule{
		ID: "bzflag24.second-enter", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "MsgEnter by a player who has already entered",
		Why:    "A connection has one player, who enters once. After accepting a player, the server does not expect another request to join. To change the team or name, a client must connect again.",
		Source: inHandler,
	}
	ruleAcceptID = &wire.Rule{
		ID: "bzflag24.accept-id", Severity: wire.Error, Rests: wire.OnPresence,
		Title:  "MsgAccept with another number than the hello",
		Why:    "The hello assigns a number to the client, and MsgAccept only confirms it. A client that uses the wrong number acts in another player's name, and the server removes it.",
		Source: inGame + ", MsgAccept",
	}
	ruleFull = &wire.Rule{
		ID: "bzflag24.full-not-closed", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "a connection that goes on without a number",
		Why:    "A hello with the number 255 means that the server is full, and the server closes the connection after it. Later messages come from a client without a number.",
		Source: inGame + ", the hello",
	}
	ruleReject = &wire.Rule{
		ID: "bzflag24.reject-without-superkill", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "MsgReject without MsgSuperKill",
		Why:    "Real servers send MsgSuperKill right after MsgReject. A client that was only rejected stays connected and waits, and takes up a slot of the server.",
		Source: inServer + ", MsgReject",
	}
	ruleSuperKill = &wire.Rule{
		ID: "bzflag24.after-superkill", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a message after MsgSuperKill",
		Why:    "MsgSuperKill makes a client close the connection, so the client does not read later messages. The server still treats it as a player: check whether the server removed the player from its lists.",
		Source: inGame + ", MsgSuperKill",
	}
	ruleForeign = &wire.Rule{
		ID: "bzflag24.foreign-player", Severity: wire.Error, Rests: wire.OnPresence,
		Title:  "a client that speaks for another player",
		Why:    "Updates, shots and UDP link requests carry the number of their sender. If the number is another player's, the server drops the message or removes the client. Each robot in a program needs a separate connection.",
		Source: inHandler,
	}
	ruleShotTCP = &wire.Rule{
		ID: "bzflag24.shot-by-tcp", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "a shot over TCP from a human player",
		Why:    "Human players must shoot over UDP; only robots shoot over TCP. The server tells the player to turn on UDP and then removes the player. Check whether the UDP link was established: both sides must send MsgUDPLinkEstablished.",
		Source: inServer + ", MsgShotBegin",
	}
	ruleOrder = &wire.Rule{
		ID: "bzflag24.update-order", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "an update that is older than those before it",
		Why:    "Updates of a tank have increasing numbers, so receivers recognise delayed updates and silently drop them; the tank stands still on their screens. TCP always keeps the order. Over UDP, a delay of more than a second is not the network's.",
		Source: inGame + ", MsgPlayerUpdate",
	}
	ruleLagPing = &wire.Rule{
		ID: "bzflag24.lag-ping", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "a lag ping whose number is wrong",
		Why:    "Servers number lag pings upwards, modulo 10000, and clients return the number they got. If the number was used before or never sent, the server measures no lag or a wrong one, and may remove the player. A gap in the numbers is only a lost datagram.",
		Source: inServer + ", MsgLagPing",
	}
	ruleOffset = &wire.Rule{
		ID: "bzflag24.world-offset", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a part of the world out of order",
		Why:    "A client asks for the next part until the world is complete. From another offset, the parts do not fit together; after the end of the world there is nothing to send.",
		Source: inGame + ", MsgGetWorld",
	}
	ruleTimeBack = &wire.Rule{
		ID: "bzflag24.game-time-back", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a game time before the last one",
		Why:    "Clients set their clocks by MsgGameTime, and everything that moves by itself in the world follows these clocks. If the time goes back, it jumps. Check whether the server's clock was set.",
		Source: inServer + ", MsgGameTime",
	}
	ruleTimeRises = &wire.Rule{
		ID: "bzflag24.time-rises", Severity: wire.Note, Rests: wire.OnState,
		Title:  "more time left than before",
		Why:    "The time left of a match runs down to 0, or stands at -1 while it is paused. Only an administrator adds to it.",
		Source: inServer + ", MsgTimeUpdate",
	}
	ruleRabbit = &wire.Rule{
		ID: "bzflag24.rabbit-mode", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "MsgNewRabbit in a game without a rabbit",
		Why:    "Only a rabbit chase has a rabbit. In other games, clients put the player into a team that does not exist, and everybody shoots at this player.",
		Source: inGame + ", MsgNewRabbit",
	}
	ruleHandicap = &wire.Rule{
		ID: "bzflag24.handicap-option", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "MsgHandicap without the option",
		Why:    "An option of the game announces handicaps. Without the option, servers send none. A client that applies a handicap then makes its shots weaker or faster than other clients expect.",
		Source: inGame + ", MsgHandicap",
	}
	ruleFace = &wire.Rule{
		ID: "bzflag24.teleport-face", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "a face of a teleporter that the world does not have",
		Why:    "Every teleporter has two faces, and all faces of the world are numbered from 0. Other clients look up the face to show the effect. A number after the last one does not exist. Check whether both sides have the same world.",
		Source: inGame + ", MsgTeleport",
	}
)

// The rules about the state of players, shots and flags.
var (
	ruleShotLimit = &wire.Rule{
		ID: "bzflag24.shot-limit", Severity: wire.Error, Rests: wire.OnState,
		Title:  "a shot in a slot that the game does not have",
		Why:    "The game's settings limit the number of simultaneous shots of a player, and the low byte of a shot's number is its slot. Receivers have an array of that size and drop a shot beyond its end.",
		Source: inGame + ", MsgGameSettings and MsgShotBegin",
	}
	ruleUnknownShot = &wire.Rule{
		ID: "bzflag24.unknown-shot", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "the end of a shot whose beginning is not in the capture",
		Why:    "A shot is announced before it ends. Over UDP the beginning may be lost, and then only some clients see the shot. If this happens often, look for packet loss.",
		Source: inGame + ", MsgShotEnd",
	}
	ruleShotFlag = &wire.Rule{
		ID: "bzflag24.shot-flag", Severity: wire.Note, Rests: wire.OnState,
		Title:  "a shot with another flag than the tank carries",
		Why:    "The kind of a shot follows from the flag that the shooter has. The two may differ briefly during a grab or drop; after that, the client shoots with a flag that it does not have.",
		Source: inGame + ", MsgShotBegin",
	}
	ruleDead = &wire.Rule{
		ID: "bzflag24.acting-while-dead", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a shot or grab by a dead player",
		Why:    "From its death until the next MsgAlive, a tank can neither shoot nor grab flags. Even over a slow line, a client learns of its death within a second. The server ignores the action; a client that continues has missed its own death.",
		Source: inServer,
	}
	ruleKilledDead = &wire.Rule{
		ID: "bzflag24.killed-while-dead", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "the death of a player who is dead",
		Why:    "A player can die only once before the next MsgAlive. If the death counts twice, every client shows wrong scores for both players. Check whether a MsgAlive is missing, or a kill was relayed twice.",
		Source: inServer + ", MsgKilled",
	}
	ruleAliveTwice = &wire.Rule{
		ID: "bzflag24.alive-while-alive", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a spawn of a live player",
		Why:    "MsgAlive puts a dead tank back into the game; real servers ignore the request of a live one. A live tank that spawns jumps away under fire. Look for a death that was not relayed.",
		Source: inServer + ", MsgAlive",
	}
	ruleGrabGround = &wire.Rule{
		ID: "bzflag24.grab-not-on-ground", Severity: wire.Note, Rests: wire.OnState,
		Title:  "a grab of a flag that was not on the ground",
		Why:    "Tanks pick up flags from the ground. Only an administrator or a plugin assigns a flag that is in the air or not in the game.",
		Source: inServer + ", MsgGrabFlag",
	}
	ruleDropFlag = &wire.Rule{
		ID: "bzflag24.drop-without-flag", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a drop by a player without that flag",
		Why:    "Only the carrier of a flag can drop it. Clients take the flag from the named player, so the real carrier keeps it on their screens.",
		Source: inServer + ", MsgDropFlag",
	}
	ruleTransfer = &wire.Rule{
		ID: "bzflag24.transfer-holder", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a theft by a player without the Thief flag",
		Why:    "A tank with the Thief flag steals a flag by a hit, and the server removes the Thief flag just before. A transfer to any other player has no cause.",
		Source: inServer + ", MsgTransferFlag",
	}
	ruleCapture = &wire.Rule{
		ID: "bzflag24.capture-without-drop", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a capture of a flag that was not dropped before",
		Why:    "Before the server announces a capture, it takes the flag from its carrier and returns it to its base. Without this drop, clients still show the flag on the tank, and the next grab looks impossible.",
		Source: inServer + ", MsgCaptureFlag",
	}
	ruleFlagNumber = &wire.Rule{
		ID: "bzflag24.flag-number", Severity: wire.Error, Rests: wire.OnState,
		Title:  "a flag that the game does not have",
		Why:    "The game's settings contain the number of flags, which are numbered from 0. Clients have an array of that size and ignore, or misread, a number beyond its end.",
		Source: inGame + ", MsgGameSettings",
	}
	rulePauseTwice = &wire.Rule{
		ID: "bzflag24.duplicate-pause", Severity: wire.Note, Rests: wire.OnState,
		Title:  "a pause of a paused player",
		Why:    "Pausing twice changes nothing, but shows that one side has missed a change.",
		Source: inGame + ", MsgPause",
	}
	rulePaused = &wire.Rule{
		ID: "bzflag24.acting-while-paused", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a shot or grab by a paused player",
		Why:    "A paused tank cannot be hit, so it must not act either. The server treats it as cheating and removes the player. Send MsgPause first to continue.",
		Source: inServer,
	}
	ruleObserver = &wire.Rule{
		ID: "bzflag24.acting-as-observer", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "an observer who takes part",
		Why:    "Observers have no tank, so they cannot shoot, grab flags or kill. The server removes a player who does. Check the player's team in MsgAddPlayer.",
		Source: inServer,
	}
	ruleUnborn = &wire.Rule{
		ID: "bzflag24.acting-before-spawn", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a shot or grab by a player who has not spawned",
		Why:    "A player has no tank until the server sends the first MsgAlive. The server removes a player who acts earlier. Ask with MsgAlive, and wait for the answer.",
		Source: inServer,
	}
)

// Facts that explain a problem.
var (
	ruleDenied = &wire.Rule{
		ID: "bzflag24.denied", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "a request of a player that the server denied",
		Why:    "In a private message, the server tells a player why it does not relay a chat line, run a command, or let the player spawn. The player's group lacks the permission, and the group depends on the login: check the groups and permissions of the server, and whether the login succeeded.",
		Source: inServer + ", commands and MsgMessage",
	}
	ruleWarned = &wire.Rule{
		ID: "bzflag24.warned", Severity: wire.Note, Rests: wire.OnPresence, Fact: true,
		Title:  "a warning from the server to one player",
		Why:    "A server warns of lag, jitter, lost packets and repeated chat before it removes a player for them. A server option sets how often it warns.",
		Source: inServer + ", -lagwarn, -jitterwarn, -packetlosswarn and -spamwarn",
	}
	ruleLostPings = &wire.Rule{
		ID: "bzflag24.lost-pings", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "lag pings without an echo before the next ping",
		Why:    "The server counts them as lost packets, and warns or removes a player who has too many. Either the network loses datagrams to the player, or the player's program does not answer.",
		Source: inServer + ", LagInfo",
	}
	ruleUnrelayed = &wire.Rule{
		ID: "bzflag24.unrelayed", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "actions of a player that the server does not relay",
		Why:    "A server sends the shots and the chat that it accepts to all players, including the sender, and announces the flags, deaths and spawns that it grants to everybody. It silently drops the rest: chat before MsgAccept or without a text; a shot from a wrong position or with an impossible slot, lifetime or speed; a grab of a flag out of reach; a drop without a flag; and everything that a plugin or filter blocks. Because the network may lose a shot, this is reported only for at least three shots or grabs, and at least one in ten.",
		Source: inServer + ", MsgMessage, MsgShotBegin, MsgKilled and messages of flags",
	}
	ruleUpdatesUnrelayed = &wire.Rule{
		ID: "bzflag24.updates-unrelayed", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "updates of a player that the server does not relay",
		Why:    "A server relays the updates of a tank to all other players. It silently drops updates of observers, and of tanks that it considers dead. Others then see the tank stand still.",
		Source: inServer + ", MsgPlayerUpdate",
	}
	ruleUnlinked = &wire.Rule{
		ID: "bzflag24.unlinked", Severity: wire.Note, Rests: wire.OnPresence, Fact: true,
		Title:  "datagrams in a player's name from an address without a UDP link",
		Why:    "bzfs accepts one UDP link per player, from the address of the TCP connection and the port of the first MsgUDPLinkRequest, until the player leaves. It silently drops all other datagrams, and they count for no player here. If a router assigns another port in the middle of the game, others see the tank stand still. If a carrier sends UDP from another address than TCP, the link fails. Otherwise somebody forges the address or the number.",
		Source: inHandler + ", udpReceive",
	}
	ruleNoLink = &wire.Rule{
		ID: "bzflag24.no-link", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "a human player without UDP",
		Why:    "A client asks for a UDP link right after the hello. This one never did and sends its updates over TCP, where a lost packet stops all that follow. A server removes the player at the first shot over TCP. Check whether UDP is turned off in the client.",
		Source: inGame,
	}
	ruleOneWay = &wire.Rule{
		ID: "bzflag24.one-way-link", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "a UDP link that works only towards the server",
		Why:    "The server answers a link request with a MsgUDPLinkRequest over UDP. Once the client confirms this with MsgUDPLinkEstablished, the server sends the game over UDP; until then it uses TCP. Check whether a firewall blocks the server's datagrams.",
		Source: inHandler,
	}
	ruleUndelivered = &wire.Rule{
		ID: "bzflag24.udp-undelivered", Severity: wire.Note, Rests: wire.OnPresence, Fact: true,
		Title:  "datagrams of a UDP link that were not delivered, according to ICMP",
		Why:    "The link worked before, and the TCP connection continues. A firewall or router now rejects UDP, or one side has closed its socket. If the server's datagrams are rejected, the player sees others stand still; if the player's are, others see the player stand still.",
		Source: "RFC 792; RFC 4443; " + inHandler,
	}
)
