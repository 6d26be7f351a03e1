package bzflag24

import "github.com/gamedissect/gamedissect/decode/wire"

// The rules about the state of players, shots and flags.
var (
	ruleShotLimit = &wire.Rule{
		ID: "bzflag24.shot-limit", Severity: wire.Error,
		Title:  "a shot in a slot that the game does not have",
		Why:    "The game's settings say how many shots a player may have on their way, and the low byte of a shot's number is its slot. Receivers have an array of that size and drop a shot behind its end.",
		Source: inGame + ", MsgGameSettings and MsgShotBegin",
	}
	ruleUnknownShot = &wire.Rule{
		ID: "bzflag24.unknown-shot", Severity: wire.Note,
		Title:  "the end of a shot that nobody saw begin",
		Why:    "A shot is told of before it ends. By UDP the beginning may be lost, and then only some clients see the shot; if it happens often, look for the loss.",
		Source: inGame + ", MsgShotEnd",
	}
	ruleShotFlag = &wire.Rule{
		ID: "bzflag24.shot-flag", Severity: wire.Note,
		Title:  "a shot with another flag than the tank carries",
		Why:    "The kind of a shot follows from the flag that the shooter has. For a moment the two may differ, while a grab or drop is under way; later a client shoots with what it does not have.",
		Source: inGame + ", MsgShotBegin",
	}
	ruleDead = &wire.Rule{
		ID: "bzflag24.acting-while-dead", Severity: wire.Warning,
		Title:  "a shot or grab of a dead player",
		Why:    "From its death until the next MsgAlive a tank neither shoots nor takes flags. A second is enough to hear of it, even over a slow line. A server ignores the act; a client that goes on has missed its own death.",
		Source: inServer,
	}
	ruleKilledDead = &wire.Rule{
		ID: "bzflag24.killed-while-dead", Severity: wire.Warning,
		Title:  "the death of a player who is dead",
		Why:    "A player dies once until the next MsgAlive. Counted twice, the scores of both are wrong in every client. Look whether a MsgAlive was left out, or a kill was passed on twice.",
		Source: inServer + ", MsgKilled",
	}
	ruleAliveTwice = &wire.Rule{
		ID: "bzflag24.alive-while-alive", Severity: wire.Warning,
		Title:  "a spawn of a player who is alive",
		Why:    "MsgAlive puts a dead tank back into the game; real servers ignore the wish of one that lives. A tank that spawns alive jumps away under fire. Look for a death that was not passed on.",
		Source: inServer + ", MsgAlive",
	}
	ruleGrabGround = &wire.Rule{
		ID: "bzflag24.grab-not-on-ground", Severity: wire.Note,
		Title:  "a grab of a flag that was not on the ground",
		Why:    "Tanks pick up flags that lie on the ground. One in the air or not there at all is only given by an administrator or a plugin.",
		Source: inServer + ", MsgGrabFlag",
	}
	ruleDropFlag = &wire.Rule{
		ID: "bzflag24.drop-without-flag", Severity: wire.Warning,
		Title:  "a drop by a player without that flag",
		Why:    "Only who carries a flag drops it. Clients take the flag from the player named, so somebody else keeps it on their screens.",
		Source: inServer + ", MsgDropFlag",
	}
	ruleTransfer = &wire.Rule{
		ID: "bzflag24.transfer-holder", Severity: wire.Warning,
		Title:  "a theft by a player without the Thief flag",
		Why:    "A flag changes tanks by a hit with the Thief flag, which the server takes away just before. A transfer to anybody else gives away a flag without cause.",
		Source: inServer + ", MsgTransferFlag",
	}
	ruleCapture = &wire.Rule{
		ID: "bzflag24.capture-without-drop", Severity: wire.Warning,
		Title:  "a capture of a flag that was not dropped before",
		Why:    "The server takes the flag from its carrier and puts it home before it announces a capture. Without the drop clients show the flag on the tank still, and the next grab looks impossible.",
		Source: inServer + ", MsgCaptureFlag",
	}
	ruleFlagNumber = &wire.Rule{
		ID: "bzflag24.flag-number", Severity: wire.Error,
		Title:  "a flag that the game does not have",
		Why:    "The game's settings tell how many flags there are, numbered from 0. Clients have an array of that size and ignore, or misread, a number behind its end.",
		Source: inGame + ", MsgGameSettings",
	}
	rulePauseTwice = &wire.Rule{
		ID: "bzflag24.duplicate-pause", Severity: wire.Note,
		Title:  "a pause of a player who is paused",
		Why:    "A tank is paused or it is not. To pause twice changes nothing, but shows that one side has missed the change.",
		Source: inGame + ", MsgPause",
	}
	rulePaused = &wire.Rule{
		ID: "bzflag24.acting-while-paused", Severity: wire.Warning,
		Title:  "a shot or grab of a paused player",
		Why:    "A paused tank cannot be hit, so it must not act either. The server takes it for cheating and throws the player out. Send MsgPause first to go on.",
		Source: inServer,
	}
	ruleObserver = &wire.Rule{
		ID: "bzflag24.acting-as-observer", Severity: wire.Warning,
		Title:  "an observer who takes part",
		Why:    "Observers have no tank: they neither shoot nor grab, and nobody dies by them. The server throws the player out for it. Look which team MsgAddPlayer gave him.",
		Source: inServer,
	}
	ruleUnborn = &wire.Rule{
		ID: "bzflag24.acting-before-spawn", Severity: wire.Warning,
		Title:  "a shot or grab of a player who has not spawned",
		Why:    "A player who has entered has no tank until the server sends the first MsgAlive. A server throws out who acts earlier. Ask with MsgAlive, and wait for the answer.",
		Source: inServer,
	}
)
