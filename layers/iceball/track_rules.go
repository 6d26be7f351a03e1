package iceball

import "github.com/gamedissect/gamedissect/decode/wire"

// The rules about an announcer and its heartbeat servers.
var (
	ruleUnasked = &wire.Rule{
		ID: "iceball.handshake-unasked", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a handshake whose MSOK is not in the capture",
		Why:    "A handshake repeats the cookie of an MSOK. The capture has no MSOK with this cookie to this address and port. If none was sent, the heartbeat server silently ignores the handshake. A cookie is valid only for the address and port that sent the announce. A game server that sends the handshake from another socket is therefore not listed.",
		Source: inDocument + ", HSHK; " + inServer,
	}
	ruleWrongCookie = &wire.Rule{
		ID: "iceball.handshake-wrong-cookie", Severity: wire.Error, Rests: wire.OnPresence,
		Title:  "a handshake with a cookie that was cut short, padded or reversed",
		Why:    "The handshake must repeat the cookie byte for byte, whatever its length. The heartbeat server silently drops any other cookie, and does not list the game server. This cookie is an altered copy of one from an MSOK. Look for code that assumes a fixed length, ends the cookie at a NUL, or handles it as a number.",
		Source: inDocument + ", MSOK and HSHK; " + inServer,
	}
	ruleStaleCookie = &wire.Rule{
		ID: "iceball.handshake-stale-cookie", Severity: wire.Note, Rests: wire.OnPresence,
		Title:  "a handshake with a cookie that a newer MSOK has replaced",
		Why:    "With each accepted announce, the heartbeat server creates a new cookie, and the previous one becomes invalid. If a game server is configured with two names for the same heartbeat server, this happens in every burst. The second handshake still gets the game server listed.",
		Source: inServer,
	}
	ruleAcceptUnanswered = &wire.Rule{
		ID: "iceball.accept-unanswered", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a burst of announces with two or more MSOK answers, but no handshake",
		Why:    "A game server answers each MSOK with HSHK within milliseconds. The capture may lack one HSHK, but hardly two. Without HSHK, a game server is not listed. It may implement the first version of the protocol, which had no cookies, or its firewall may block MSOK.",
		Source: inDocument + ", MSOK; " + inGame,
	}
	ruleBurstShort = &wire.Rule{
		ID: "iceball.burst-short", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a burst of fewer than five announces",
		Why:    "A game server sends its announces in bursts of five. The missing ones may have been lost before they reached the capture. If every burst is this short, see iceball.burst-size.",
		Source: inDocument + ", notes to 1CEB; " + inGame,
	}
	ruleBurstSize = &wire.Rule{
		ID: "iceball.burst-size", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "bursts of more or fewer than five announces",
		Why:    "A game server sends five announces so that one arrives even if others are lost. With fewer announces, packet loss can remove the game server from the list. With more, the heartbeat server may fall behind, because it reads only about twenty datagrams per second. Short bursts are reported only if three in a row end after the same number of announces. Check whether the sender stops at the first MSOK, as an early document required.",
		Source: inDocument + ", notes to 1CEB; " + inGame,
	}
	ruleSpacing = &wire.Rule{
		ID: "iceball.burst-spacing", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "announces of a burst that are not a second apart",
		Why:    "The announces of a burst are a second apart; even on a busy machine, real games are less than 0.35 s late. If announces are closer together, a short disturbance can destroy several of them. Also, each announce replaces the cookie of the previous one before the handshake arrives. A delayed packet or a clock change can explain two wrong times in a burst, so only the third is reported.",
		Source: inDocument + ", notes to 1CEB; " + inGame,
	}
	rulePeriod = &wire.Rule{
		ID: "iceball.burst-period", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "bursts that are not 40 seconds apart",
		Why:    "A burst begins every 40 seconds, and the list drops a server after 120 seconds without an announce. With longer intervals, a few lost announces remove the server from the list; shorter intervals only add load. Lost announces can explain one wrong interval, so this is reported only if two in a row are too long or too short. Check whether the sender waits 40 seconds from the end of a burst instead of from its start.",
		Source: inDocument + ", notes to 1CEB; " + inGame,
	}
	ruleAfterBadVersion = &wire.Rule{
		ID: "iceball.announce-after-badv", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "an announce after BADV, again with the wrong protocol version",
		Why:    "BADV tells the sender to stop, or to continue with the version that BADV names. Real games stop for half an hour. A game that continues with the wrong version is refused each time; it probably never reads the answers.",
		Source: inDocument + ", BADV; " + inGame,
	}
	ruleAfterBadFormat = &wire.Rule{
		ID: "iceball.data-after-badf", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "a game server that continues after BADF",
		Why:    "BADF says that the announce could not be read. The sender should stop, as real games do, because its later announces probably have the same mistake. Look at the announce before BADF: its length is not 86.",
		Source: inDocument + ", BADF; " + inGame,
	}
	ruleSameVersion = &wire.Rule{
		ID: "iceball.badv-same-version", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a BADV that names the same versions as the announce",
		Why:    "With BADV, a heartbeat server refuses the versions of an announce and names the versions that it accepts. If these are the same, the heartbeat server compares them wrongly, or its BADV was meant for another game server. The game server cannot fix that.",
		Source: inDocument + ", BADV; " + inServer,
	}
)

// The rules about the list of servers.
var (
	ruleMasterJSON = &wire.Rule{
		ID: "iceball.master-json", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "a list that is not JSON, or in which a key is missing or has a value of the wrong type",
		Why:    "Clients read the keys version and servers, and for each server address, port, players_current, players_max, name, mode, map and version. If a key is missing, or a number is written as text, clients show nothing or fail. Additional keys do no harm; real heartbeat servers add some.",
		Source: inDocument + ", /master.json",
	}
	ruleNoHandshake = &wire.Rule{
		ID: "iceball.listed-without-handshake", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a listed server that completed no handshake",
		Why:    "The handshake proves that a game server receives packets at its announced address. If a heartbeat server lists servers without it, anybody can fill the list with forged announces. This is reported only if the capture has the server's first announce, then at least two MSOK (or two announces and no MSOK), and no HSHK.",
		Source: inDocument + ", HSHK",
	}
	ruleStaleList = &wire.Rule{
		ID: "iceball.master-json-stale", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a list whose values differ from the last announce",
		Why:    "The list shows the values of the last announce with a completed handshake. Other values come from an older announce, or were changed, for example by another text encoding. A lost announce can explain one such list, so this is reported only if a list differs again after another handshake.",
		Source: inDocument + ", HSHK and /master.json; " + inServer,
	}
	ruleListedTooLong = &wire.Rule{
		ID: "iceball.listed-too-long", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a server that is still listed long after its last announce",
		Why:    "A server without an announce for 120 seconds is probably gone, and players who choose it wait in vain. This is reported only if an earlier list also showed the server, and the capture has no announce in the 45 seconds since that list. Bursts are 40 seconds apart. Only accepted announces count. The heartbeat server may wrongly count handshakes or refused announces too.",
		Source: inDocument + ", \"after 120 seconds of inactivity\"; " + inServer,
	}
	ruleUnlistedEarly = &wire.Rule{
		ID: "iceball.unlisted-too-early", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a server that is missing from the list soon after its handshake",
		Why:    "After its handshake, a server stays in the list until 120 seconds after its announce, even if later announces are refused. This is the second list without the server, and between the two lists, the server completed a handshake. The heartbeat server drops servers too soon, or a filter hides this one.",
		Source: inDocument + ", HSHK and \"after 120 seconds of inactivity\"; " + inServer,
	}
	rulePrivateEntry = &wire.Rule{
		ID: "iceball.private-entry", Severity: wire.Note, Rests: wire.OnContext, Fact: true,
		Title:  "a list with a private address",
		Why:    "The list shows the source address of a server's announces. A server in the same network as the heartbeat server, or on the same host, has a private or loopback source address, which clients elsewhere cannot reach. Make it announce itself through its public address.",
		Source: inServer + "; RFC 6890",
	}
	ruleSharedEntry = &wire.Rule{
		ID: "iceball.shared-entry", Severity: wire.Note, Rests: wire.OnContext, Fact: true,
		Title:  "two list entries with the same address and port",
		Why:    "The heartbeat server identifies a game server by the source address and port of its announces, but the list shows the announced port. If two servers behind the same NAT announce the same port, the list has two entries that lead to the same server. A restarted server can also have two entries, for up to 120 seconds.",
		Source: inServer,
	}
	ruleUpdate = &wire.Rule{
		ID: "iceball.update-available", Severity: wire.Note, Rests: wire.OnContext, Fact: true,
		Title:  "a list that names a version newer than that of any of its servers",
		Why:    "Clients compare iceball_version in the list with their own version, and say \"Update available!\" if it is higher.",
		Source: "the real game (main_client.lua)",
	}
	ruleNoLength = &wire.Rule{
		ID: "iceball.no-length", Severity: wire.Note, Rests: wire.OnContext, Fact: true,
		Title:  "an answer for the game's client, but without the header Length",
		Why:    "The game's client reads the length of the body from the header Length, which the real heartbeat server writes. Without this header, the client exits with a Lua error. A web server or proxy in front of the heartbeat server writes Content-Length instead, which suits all other HTTP clients.",
		Source: "the real game (http.lua)",
	}
	ruleLateAnswers = &wire.Rule{
		ID: "iceball.late-answers", Severity: wire.Note, Rests: wire.OnTime, Fact: true,
		Title:  "a heartbeat server that answers announces late",
		Why:    "The real heartbeat server reads one datagram every 50 ms. If more arrive, they queue up, answers come later and later, and finally datagrams are dropped. Cookies may then be replaced before the handshakes arrive.",
		Source: inServer,
	}
	ruleHTTPPort = &wire.Rule{
		ID: "iceball.http-port", Severity: wire.Note, Rests: wire.OnPresence,
		Title:  "a list on a different port from the heartbeat",
		Why:    "Games use the same port number for the heartbeat over UDP and the list over HTTP. A web server on another port works for browsers, but games do not find the list there.",
		Source: inDocument + ", \"at the same port\"",
	}
)
