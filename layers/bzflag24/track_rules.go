package bzflag24

import "github.com/gamedissect/gamedissect/decode/wire"

// The rules about several messages of a connection: its beginning, its end, and its numbers.
var (
	ruleBeforeEnter = &wire.Rule{
		ID: "bzflag24.before-enter", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a message of a client that has not entered",
		Why:    "Before its MsgEnter a client may ask what game, players, flags, settings and world there are, and link its UDP port. A server answers anything else with a MsgReject and closes; chat and updates it drops in silence. Look whether MsgEnter was forgotten, or sent too late.",
		Source: inHandler,
	}
	ruleSecondEnter = &wire.Rule{
		ID: "bzflag24.second-enter", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "MsgEnter of a player who has entered",
		Why:    "A connection has one player, who enters once. A server that has accepted a player does not expect another request to join. To change the team or name a client has to connect anew.",
		Source: inHandler,
	}
	ruleAcceptID = &wire.Rule{
		ID: "bzflag24.accept-id", Severity: wire.Error, Rests: wire.OnPresence,
		Title:  "MsgAccept with another number than the hello",
		Why:    "The hello gives the client its number, and MsgAccept only confirms it. A client that believes the wrong one acts in another player's name, and is removed for it.",
		Source: inGame + ", MsgAccept",
	}
	ruleFull = &wire.Rule{
		ID: "bzflag24.full-not-closed", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "a connection that goes on without a number",
		Why:    "A hello with the number 255 tells that there is no room, and the server closes after it. Whatever follows is said without a number.",
		Source: inGame + ", the hello",
	}
	ruleReject = &wire.Rule{
		ID: "bzflag24.reject-without-superkill", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a rejected client that is not told to leave",
		Why:    "Real servers send MsgSuperKill right after MsgReject. A client that was only rejected stays connected and waits, and takes up a slot of the server.",
		Source: inServer + ", MsgReject",
	}
	ruleSuperKill = &wire.Rule{
		ID: "bzflag24.after-superkill", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a message after MsgSuperKill",
		Why:    "MsgSuperKill makes a client close the connection, so it does not read what the server says afterwards. The server still takes it for a player: look whether it removed the player from its own lists.",
		Source: inGame + ", MsgSuperKill",
	}
	ruleForeign = &wire.Rule{
		ID: "bzflag24.foreign-player", Severity: wire.Error, Rests: wire.OnPresence,
		Title:  "a client that speaks for another player",
		Why:    "Updates, shots and the UDP link carry the number of their sender, and only its own. A server drops the message or removes the client. Several robots in a program each need their own connection.",
		Source: inHandler,
	}
	ruleShotTCP = &wire.Rule{
		ID: "bzflag24.shot-by-tcp", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "a shot of a human by TCP",
		Why:    "People have to shoot by UDP; only robots shoot over the connection. The server tells the player to turn UDP on and throws him out. Look whether the UDP link was established: MsgUDPLinkEstablished has to go both ways.",
		Source: inServer + ", MsgShotBegin",
	}
	ruleOrder = &wire.Rule{
		ID: "bzflag24.update-order", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "an update that is older than those before it",
		Why:    "Every update of a tank counts one up, so that those which the network delayed can be told. Receivers drop an older one without a word, and the tank stands still on their screens. On TCP the order is always kept; on UDP a second is more than a network delays.",
		Source: inGame + ", MsgPlayerUpdate",
	}
	ruleLagPing = &wire.Rule{
		ID: "bzflag24.lag-ping", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "a lag ping whose number is wrong",
		Why:    "Servers number lag pings upwards, modulo 10000, and clients return the number they got. With a number that was used before or never sent, the server measures no lag, or a wrong one, and may remove a player for it. A gap is only a lost datagram.",
		Source: inServer + ", MsgLagPing",
	}
	ruleOffset = &wire.Rule{
		ID: "bzflag24.world-offset", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a part of the world that is out of turn",
		Why:    "A client asks for the part after what it already has, until nothing is left. From another offset the parts do not join into a world; after the end of the world there is nothing to send.",
		Source: inGame + ", MsgGetWorld",
	}
	ruleTimeBack = &wire.Rule{
		ID: "bzflag24.game-time-back", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a game time before the last one",
		Why:    "Clients set their clocks by MsgGameTime, and all that moves with time in the world moves by them. Time that goes back makes it jump. Look whether the clock of the server was set.",
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
		Why:    "Only in a rabbit chase there is one to be hunted. In another game clients put the player into a team that does not exist there, and everybody shoots at him.",
		Source: inGame + ", MsgNewRabbit",
	}
	ruleHandicap = &wire.Rule{
		ID: "bzflag24.handicap-option", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "MsgHandicap without the option",
		Why:    "The game's options tell clients that there are handicaps. A server without it does not send any, and a client that takes one makes its shots weaker or faster than others expect.",
		Source: inGame + ", MsgHandicap",
	}
	ruleFace = &wire.Rule{
		ID: "bzflag24.teleport-face", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "a face of a teleporter that the world does not have",
		Why:    "Every teleporter of the world has two faces, counted through from 0. Other clients look the face up to show the effect, and a number after the last one names nothing. Look whether both have the same world.",
		Source: inGame + ", MsgTeleport",
	}
)

// The rules about the state of players, shots and flags.
var (
	ruleShotLimit = &wire.Rule{
		ID: "bzflag24.shot-limit", Severity: wire.Error, Rests: wire.OnState,
		Title:  "a shot in a slot that the game does not have",
		Why:    "The game's settings say how many shots a player may have on their way, and the low byte of a shot's number is its slot. Receivers have an array of that size and drop a shot beyond its end.",
		Source: inGame + ", MsgGameSettings and MsgShotBegin",
	}
	ruleUnknownShot = &wire.Rule{
		ID: "bzflag24.unknown-shot", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "the end of a shot whose beginning is not in the capture",
		Why:    "A shot is told of before it ends. By UDP the beginning may be lost, and then only some clients see the shot; if it happens often, look for the loss.",
		Source: inGame + ", MsgShotEnd",
	}
	ruleShotFlag = &wire.Rule{
		ID: "bzflag24.shot-flag", Severity: wire.Note, Rests: wire.OnState,
		Title:  "a shot with another flag than the tank carries",
		Why:    "The kind of a shot follows from the flag that the shooter has. For a moment the two may differ, while a grab or drop is under way; later a client shoots with what it does not have.",
		Source: inGame + ", MsgShotBegin",
	}
	ruleDead = &wire.Rule{
		ID: "bzflag24.acting-while-dead", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a shot or grab of a dead player",
		Why:    "From its death until the next MsgAlive a tank neither shoots nor takes flags. A second is enough to hear of it, even over a slow line. A server ignores the act; a client that goes on has missed its own death.",
		Source: inServer,
	}
	ruleKilledDead = &wire.Rule{
		ID: "bzflag24.killed-while-dead", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "the death of a player who is dead",
		Why:    "A player dies once until the next MsgAlive. Counted twice, the scores of both are wrong in every client. Look whether a MsgAlive was left out, or a kill was passed on twice.",
		Source: inServer + ", MsgKilled",
	}
	ruleAliveTwice = &wire.Rule{
		ID: "bzflag24.alive-while-alive", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a spawn of a player who is alive",
		Why:    "MsgAlive puts a dead tank back into the game; real servers ignore the wish of one that lives. A tank that spawns alive jumps away under fire. Look for a death that was not passed on.",
		Source: inServer + ", MsgAlive",
	}
	ruleGrabGround = &wire.Rule{
		ID: "bzflag24.grab-not-on-ground", Severity: wire.Note, Rests: wire.OnState,
		Title:  "a grab of a flag that was not on the ground",
		Why:    "Tanks pick up flags that lie on the ground. One in the air or not there at all is only given by an administrator or a plugin.",
		Source: inServer + ", MsgGrabFlag",
	}
	ruleDropFlag = &wire.Rule{
		ID: "bzflag24.drop-without-flag", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a drop by a player without that flag",
		Why:    "Only who carries a flag drops it. Clients take the flag from the player named, so another player keeps it on their screens.",
		Source: inServer + ", MsgDropFlag",
	}
	ruleTransfer = &wire.Rule{
		ID: "bzflag24.transfer-holder", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a theft by a player without the Thief flag",
		Why:    "A flag changes tanks by a hit with the Thief flag, which the server takes away just before. A transfer to anybody else gives away a flag without cause.",
		Source: inServer + ", MsgTransferFlag",
	}
	ruleCapture = &wire.Rule{
		ID: "bzflag24.capture-without-drop", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a capture of a flag that was not dropped before",
		Why:    "The server takes the flag from its carrier and puts it home before it announces a capture. Without the drop clients show the flag on the tank still, and the next grab looks impossible.",
		Source: inServer + ", MsgCaptureFlag",
	}
	ruleFlagNumber = &wire.Rule{
		ID: "bzflag24.flag-number", Severity: wire.Error, Rests: wire.OnState,
		Title:  "a flag that the game does not have",
		Why:    "The game's settings tell how many flags there are, numbered from 0. Clients have an array of that size and ignore, or misread, a number beyond its end.",
		Source: inGame + ", MsgGameSettings",
	}
	rulePauseTwice = &wire.Rule{
		ID: "bzflag24.duplicate-pause", Severity: wire.Note, Rests: wire.OnState,
		Title:  "a pause of a player who is paused",
		Why:    "A tank is paused or it is not. To pause twice changes nothing, but shows that one side has missed the change.",
		Source: inGame + ", MsgPause",
	}
	rulePaused = &wire.Rule{
		ID: "bzflag24.acting-while-paused", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a shot or grab of a paused player",
		Why:    "A paused tank cannot be hit, so it must not act either. The server takes it for cheating and throws the player out. Send MsgPause first to go on.",
		Source: inServer,
	}
	ruleObserver = &wire.Rule{
		ID: "bzflag24.acting-as-observer", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "an observer who takes part",
		Why:    "Observers have no tank: they neither shoot nor grab, and kill no player. The server throws the player out for it. Look which team MsgAddPlayer gave him.",
		Source: inServer,
	}
	ruleUnborn = &wire.Rule{
		ID: "bzflag24.acting-before-spawn", Severity: wire.Warning, Rests: wire.OnState,
		Title:  "a shot or grab of a player who has not spawned",
		Why:    "A player who has entered has no tank until the server sends the first MsgAlive. A server throws out who acts earlier. Ask with MsgAlive, and wait for the answer.",
		Source: inServer,
	}
)

// Facts that explain a problem.
var (
	ruleDenied = &wire.Rule{
		ID: "bzflag24.denied", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "what a player asked for and the server denied",
		Why:    "A server says to a player alone why it does not pass on what he says, run his command, or let him spawn. The right is missing to the group of the player, which depends on his login: look at the groups and permissions of the server, and whether the login was approved.",
		Source: inServer + ", commands and MsgMessage",
	}
	ruleWarned = &wire.Rule{
		ID: "bzflag24.warned", Severity: wire.Note, Rests: wire.OnPresence, Fact: true,
		Title:  "a warning of the server to one player",
		Why:    "A server warns of lag, jitter, lost packets and repeated chat before it removes a player for them. How often it warns is an option of it.",
		Source: inServer + ", -lagwarn, -jitterwarn, -packetlosswarn and -spamwarn",
	}
	ruleLostPings = &wire.Rule{
		ID: "bzflag24.lost-pings", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "lag pings that have no echo before the next one",
		Why:    "The server counts them as lost packets and warns or removes a player for too many of them. Either the network loses what goes to the player by UDP, or his program does not answer.",
		Source: inServer + ", LagInfo",
	}
	ruleUnrelayed = &wire.Rule{
		ID: "bzflag24.unrelayed", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "what a player does and the server passes on to nobody",
		Why:    "A server returns the shots and the chat that it accepts to the player too, and announces the flags, deaths and spawns that it grants to everybody. The rest it drops without a word: chat before MsgAccept or without a text, a shot from far off or whose slot, lifetime or speed is not possible, a flag out of reach, a drop without a flag, and what a plugin or filter does not let through. Three shots or grabs, and one in ten of them, are the least that counts: the network may lose a shot.",
		Source: inServer + ", MsgMessage, MsgShotBegin, MsgKilled and messages of flags",
	}
	ruleUpdatesUnrelayed = &wire.Rule{
		ID: "bzflag24.updates-unrelayed", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "updates of a player that the server relays to nobody",
		Why:    "A server relays the updates of a tank to all other players. It drops those of an observer, and of a tank that lives only for the player himself, without a word: others see the tank stand still.",
		Source: inServer + ", MsgPlayerUpdate",
	}
	ruleUnlinked = &wire.Rule{
		ID: "bzflag24.unlinked", Severity: wire.Note, Rests: wire.OnPresence, Fact: true,
		Title:  "datagrams in a player's name from where the player has no UDP link",
		Why:    "bzfs takes one UDP link a player: from the address of his connection, and from the port of the first MsgUDPLinkRequest, until he leaves. It drops all other datagrams without a word, and here they count for nobody. A router that gives the player another port in the middle of the game silences him: others see the tank stand still. A carrier that sends UDP from another address than TCP prevents the link. Otherwise somebody forges the address or the number.",
		Source: inHandler + ", udpReceive",
	}
	ruleNoLink = &wire.Rule{
		ID: "bzflag24.no-link", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "a human who plays without UDP",
		Why:    "A client asks for a UDP link right after the hello. This one never did and sends its updates over TCP, where a lost packet stops all that follow. A server removes the player at the first shot over TCP. Look whether UDP is turned off in the client.",
		Source: inGame,
	}
	ruleOneWay = &wire.Rule{
		ID: "bzflag24.one-way-link", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "a UDP link that works towards the server only",
		Why:    "The server answers a link by MsgUDPLinkRequest as a datagram, and sends the game by UDP once the client confirms that with MsgUDPLinkEstablished. Until then it sends over TCP. Look whether a firewall keeps the server's datagrams from the player.",
		Source: inHandler,
	}
	ruleUndelivered = &wire.Rule{
		ID: "bzflag24.udp-undelivered", Severity: wire.Note, Rests: wire.OnPresence, Fact: true,
		Title:  "datagrams of a UDP link that ICMP reports as not delivered",
		Why:    "The link has worked, and the connection goes on. A firewall or router between the two rejects UDP by now, or one end has closed its socket. The server goes on sending by UDP, so the player sees others stand still; or others see him do so.",
		Source: "RFC 792; RFC 4443; " + inHandler,
	}
)
