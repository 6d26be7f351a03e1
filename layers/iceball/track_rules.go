package iceball

import "github.com/gamedissect/gamedissect/decode/wire"

// The rules about an announcer and its heartbeat servers.
var (
	ruleUnasked = &wire.Rule{
		ID: "iceball.handshake-unasked", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a handshake whose MSOK is not in the capture",
		Why:    "A handshake repeats the cookie of an MSOK, and the capture has no MSOK with this cookie to this address and port. Unless the capture lost it, the heartbeat server silently ignores the handshake. A cookie belongs to the socket that sent the announce, so a program that sends its handshake from another socket is not listed.",
		Source: inDocument + ", HSHK; " + inServer,
	}
	ruleWrongCookie = &wire.Rule{
		ID: "iceball.handshake-wrong-cookie", Severity: wire.Error, Rests: wire.OnPresence,
		Title:  "a handshake with a cookie that was cut, padded or reversed",
		Why:    "The handshake must repeat the cookie byte for byte, whatever its length. The heartbeat server silently drops any other cookie, and the game server is not listed. This cookie was derived from that of an MSOK: look for a fixed length, a text that ends at a NUL, or bytes written as a number.",
		Source: inDocument + ", MSOK and HSHK; " + inServer,
	}
	ruleStaleCookie = &wire.Rule{
		ID: "iceball.handshake-stale-cookie", Severity: wire.Note, Rests: wire.OnPresence,
		Title:  "a handshake with a cookie that was replaced",
		Why:    "Each accepted announce creates a new cookie and invalidates the previous one. If a game server's configuration has the same heartbeat server under two names, this happens all the time; the second handshake still gets it listed.",
		Source: inServer,
	}
	ruleAcceptUnanswered = &wire.Rule{
		ID: "iceball.accept-unanswered", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a burst that was accepted twice, without a handshake",
		Why:    "A game server answers each MSOK with HSHK within milliseconds. The capture may lack one answer, but hardly two. Without HSHK, a game server is not listed. It may implement the first version of the protocol, which had no cookies, or its firewall blocks MSOK.",
		Source: inDocument + ", MSOK; " + inGame,
	}
	ruleBurstShort = &wire.Rule{
		ID: "iceball.burst-short", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a burst of fewer than five announces",
		Why:    "A game server sends five announces. The others may have been lost before the capture. If every burst is this short, see iceball.burst-size.",
		Source: inDocument + ", notes to 1CEB; " + inGame,
	}
	ruleBurstSize = &wire.Rule{
		ID: "iceball.burst-size", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "bursts that are not five announces",
		Why:    "A game server sends five announces so that one arrives even if others are lost. With fewer, packet loss can remove the server from the list. With more, the heartbeat server, which reads about twenty datagrams per second, falls behind. Fewer announces are reported if three bursts in a row have the same first announces. Check whether the burst stops at the first MSOK, as an early document said.",
		Source: inDocument + ", notes to 1CEB; " + inGame,
	}
	ruleSpacing = &wire.Rule{
		ID: "iceball.burst-spacing", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "announces of a burst that are not a second apart",
		Why:    "The announces of a burst are due at each full second after its first one; even on a busy machine real games are less than 0.35 s late. Announces that are closer together get lost together, and their cookies replace each other before the handshakes arrive. A delayed packet or a clock change can explain two wrong times in a burst, but not three.",
		Source: inDocument + ", notes to 1CEB; " + inGame,
	}
	rulePeriod = &wire.Rule{
		ID: "iceball.burst-period", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "bursts that are not 40 seconds apart",
		Why:    "Bursts begin 40 seconds apart, which leaves 36 seconds of silence. The list drops a server after 120 seconds, so longer pauses soon lose it, and shorter ones only add load. This is reported if two intervals in a row are too long or too short, because one may be due to lost announces. Check whether the pause is counted from the end of a burst instead of its start.",
		Source: inDocument + ", notes to 1CEB; " + inGame,
	}
	ruleAfterBadVersion = &wire.Rule{
		ID: "iceball.announce-after-badv", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "an announce after BADV, again with a wrong protocol version",
		Why:    "BADV tells the sender to stop, or to continue with the version in the message. Real games then stop for half an hour. A game that continues is refused each time; it probably never reads the answer.",
		Source: inDocument + ", BADV; " + inGame,
	}
	ruleAfterBadFormat = &wire.Rule{
		ID: "iceball.data-after-badf", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "data after BADF",
		Why:    "BADF says that the announce could not be read. The sender should stop, and real games do; later announces are probably wrong in the same way. Look at the announce before BADF, whose length is not 86.",
		Source: inDocument + ", BADF; " + inGame,
	}
	ruleSameVersion = &wire.Rule{
		ID: "iceball.badv-same-version", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "BADV that names the versions just announced",
		Why:    "A heartbeat server refuses an announce because of its versions, and names the versions that it accepts. If these equal the announced versions, its comparison is wrong, or it answers another server's announce; the game server cannot fix that.",
		Source: inDocument + ", BADV; " + inServer,
	}
)

// The rules about the list of servers.
var (
	ruleMasterJSON = &wire.Rule{
		ID: "iceball.master-json", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "a list that is not JSON, or has keys that are missing or of the wrong type",
		Why:    "Clients read the list with these keys: version and servers, and for each server address, port, players_current, players_max, name, mode, map and version. If one is missing, or a number is written as text, they show nothing or stop. Additional keys do no harm; real heartbeat servers add some.",
		Source: inDocument + ", /master.json",
	}
	ruleNoHandshake = &wire.Rule{
		ID: "iceball.listed-without-handshake", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a server in the list that completed no handshake",
		Why:    "The handshake proves that a game server receives packets at its announced address. If a heartbeat server lists servers without it, anybody can fill the list with forged announces. The capture shows the server's first announce and no HSHK since, although the server was accepted twice, or announced itself twice without an MSOK.",
		Source: inDocument + ", HSHK",
	}
	ruleStaleList = &wire.Rule{
		ID: "iceball.master-json-stale", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a list with other values than the last announce",
		Why:    "The list shows the values of the last announce with a completed handshake. Other values come from an older announce that the server failed to replace, or were changed, for example by another encoding. A lost announce can explain one such list; here another list differed after the previous handshake.",
		Source: inDocument + ", HSHK and /master.json; " + inServer,
	}
	ruleListedTooLong = &wire.Rule{
		ID: "iceball.listed-too-long", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a server in the list long after its last announce",
		Why:    "A server without an announce for 120 seconds is probably gone, and players who choose it wait in vain. An earlier list also showed it, and in the 45 seconds since then, which are longer than the time between bursts, the capture has no announce. Only accepted announces count: the heartbeat server may let handshakes or refused announces extend the time.",
		Source: inDocument + ", \"after 120 seconds of inactivity\"; " + inServer,
	}
	ruleUnlistedEarly = &wire.Rule{
		ID: "iceball.unlisted-too-early", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a server missing from the list soon after its handshake",
		Why:    "After its handshake, a server stays in the list until 120 seconds after its announce, even if later announces are refused. This is the second list without it, with a handshake in between: the heartbeat server drops servers too soon, or a filter hides this one.",
		Source: inDocument + ", HSHK and \"after 120 seconds of inactivity\"; " + inServer,
	}
	rulePrivateEntry = &wire.Rule{
		ID: "iceball.private-entry", Severity: wire.Note, Rests: wire.OnContext, Fact: true,
		Title:  "a list with a private address",
		Why:    "The list has the source address of a server's announces. A server in the same network as the heartbeat server, or on the same host, has a private or loopback source address, which clients elsewhere cannot reach. Let it announce itself through its public address.",
		Source: inServer + "; RFC 6890",
	}
	ruleSharedEntry = &wire.Rule{
		ID: "iceball.shared-entry", Severity: wire.Note, Rests: wire.OnContext, Fact: true,
		Title:  "one address and port for two servers",
		Why:    "The heartbeat server identifies a server by the source address and port of its announces, but the list has the announced port. If two servers behind the same NAT announce the same port, the list has two entries, and both lead to the same server. A restarted server also has two entries for up to 120 seconds.",
		Source: inServer,
	}
	ruleUpdate = &wire.Rule{
		ID: "iceball.update-available", Severity: wire.Note, Rests: wire.OnContext, Fact: true,
		Title:  "a list that names a newer version than all its servers have",
		Why:    "Clients compare iceball_version with their own version, and say \"Update available!\" if it is higher.",
		Source: "the real game (main_client.lua)",
	}
	ruleNoLength = &wire.Rule{
		ID: "iceball.no-length", Severity: wire.Note, Rests: wire.OnContext, Fact: true,
		Title:  "an answer to the game without the header Length",
		Why:    "The game's list client reads the length of the body from the header Length, as the real heartbeat server writes it. Without this header it ends with a Lua error. A web server or proxy in front writes Content-Length, which is right for all other clients.",
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
		Title:  "the list on another port than the heartbeat",
		Why:    "Games and clients use the same port number for UDP and HTTP. A web server on another port works for browsers, but games do not find the list there.",
		Source: inDocument + ", \"at the same port\"",
	}
)
