package iceball

import "github.com/gamedissect/gamedissect/decode/wire"

// The rules about an announcer and its heartbeat servers.
var (
	ruleUnasked = &wire.Rule{
		ID: "iceball.handshake-unasked", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a handshake whose MSOK is not in the capture",
		Why:    "A handshake gives back the cookie of an MSOK, and the capture has none with this cookie to this address and port. It may have been lost. If not, the heartbeat server ignores the handshake without a word: cookies belong to the socket that announced, so a program that sends its handshake from another one is not listed.",
		Source: inDocument + ", HSHK; " + inServer,
	}
	ruleWrongCookie = &wire.Rule{
		ID: "iceball.handshake-wrong-cookie", Severity: wire.Error, Rests: wire.OnPresence,
		Title:  "a handshake with a cookie that was cut, padded or turned round",
		Why:    "The cookie has to come back byte for byte, however long it is. Any other is dropped in silence, and the game server is not listed. This one was made of a cookie that MSOK gave: look for a fixed length, a text that ends at a NUL, or bytes written as if they were a number.",
		Source: inDocument + ", MSOK and HSHK; " + inServer,
	}
	ruleStaleCookie = &wire.Rule{
		ID: "iceball.handshake-stale-cookie", Severity: wire.Note, Rests: wire.OnPresence,
		Title:  "a handshake with a cookie that was replaced",
		Why:    "Each announce that is accepted makes a new cookie, and the one before is worth nothing from then on. A game server that has the same heartbeat server under two names in its configuration does this all the time and is listed nevertheless, by the second handshake.",
		Source: inServer,
	}
	ruleAcceptUnanswered = &wire.Rule{
		ID: "iceball.accept-unanswered", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a burst that was accepted twice, without a handshake",
		Why:    "A game server answers each MSOK with HSHK within milliseconds. Of one MSOK the capture may lack the answer, of two it hardly does. Without HSHK a game server is not listed, whatever it announces. It may be written after the first version of the protocol, which had no cookies, or MSOK does not get through its firewall.",
		Source: inDocument + ", MSOK; " + inGame,
	}
	ruleBurstShort = &wire.Rule{
		ID: "iceball.burst-short", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "a burst of fewer than five announces",
		Why:    "A game server sends five announces. Others of this burst may have been lost on the way to the capture. If each burst is as short, see iceball.burst-size.",
		Source: inDocument + ", notes to 1CEB; " + inGame,
	}
	ruleBurstSize = &wire.Rule{
		ID: "iceball.burst-size", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "bursts that are not five announces",
		Why:    "Five are sent so that one arrives when others are lost. With fewer of them a lossy network drops the server from the list, with more the heartbeat server, which reads some twenty datagrams a second, falls behind. Fewer are a fault if three bursts in a row have the same first announces. See whether the burst stops at the first MSOK, as an early document said.",
		Source: inDocument + ", notes to 1CEB; " + inGame,
	}
	ruleSpacing = &wire.Rule{
		ID: "iceball.burst-spacing", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "announces of a burst that are not a second apart",
		Why:    "The announces of a burst are due at each full second after its first one; even on a busy machine real games are less than 0.35 s late. Closer together they get lost together, and their cookies replace each other before they come back. A packet that was late on its way, or a clock that was set, explains two wrong times of a burst, not three.",
		Source: inDocument + ", notes to 1CEB; " + inGame,
	}
	rulePeriod = &wire.Rule{
		ID: "iceball.burst-period", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "bursts that are not 40 seconds apart",
		Why:    "A burst begins 40 seconds after the one before began, which leaves 36 seconds of silence. The list forgets a server after 120 seconds, so a longer pause soon loses it, and a shorter one is a load for nothing. Two times in a row are too long, or too short: one may be due to lost announces. Check whether the pause is counted from the end of a burst instead of its start.",
		Source: inDocument + ", notes to 1CEB; " + inGame,
	}
	ruleAfterBadVersion = &wire.Rule{
		ID: "iceball.announce-after-badv", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "an announce after BADV, with the same protocol version as before or another wrong one",
		Why:    "BADV tells the sender to give up, or to go on with the version that it names. Real games are silent for half an hour. One that goes on will be refused each time; it probably never reads the answer.",
		Source: inDocument + ", BADV; " + inGame,
	}
	ruleAfterBadFormat = &wire.Rule{
		ID: "iceball.data-after-badf", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "data after BADF",
		Why:    "BADF says that the sender writes announces that cannot be read; it is to stop, and real games do. Whatever it sends afterwards is likely to be wrong in the same way. Look at the announce in front of BADF, whose length is not 86.",
		Source: inDocument + ", BADF; " + inGame,
	}
	ruleSameVersion = &wire.Rule{
		ID: "iceball.badv-same-version", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "BADV that names the versions just announced",
		Why:    "A heartbeat server refuses an announce for its versions and names those it wants. If they are the announced ones, its comparison is wrong, or it answers another server's announce; the game server cannot do any better.",
		Source: inDocument + ", BADV; " + inServer,
	}
)

// The rules about the list of servers.
var (
	ruleMasterJSON = &wire.Rule{
		ID: "iceball.master-json", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "a list that is no JSON, or has keys missing or of the wrong type",
		Why:    "Clients read the list with these keys: version and servers, and for each server address, port, players_current, players_max, name, mode, map and version. Without one of them, or with a number written as text, they show nothing or stop. More keys do no harm; real heartbeat servers add some.",
		Source: inDocument + ", /master.json",
	}
	ruleNoHandshake = &wire.Rule{
		ID: "iceball.listed-without-handshake", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a server in the list that completed no handshake",
		Why:    "The handshake proves that a game server receives at the address it announces from. A heartbeat server that lists it without can be filled by anyone with forged senders. The capture shows the server's first announce and no HSHK since, although it was accepted twice, or announced itself twice without any MSOK.",
		Source: inDocument + ", HSHK",
	}
	ruleStaleList = &wire.Rule{
		ID: "iceball.master-json-stale", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a list with other values than the last announce",
		Why:    "The list shows what the last announce said whose handshake was completed. Other values are those of an older announce that the server failed to replace, or were changed on the way, say by another encoding. One such list may be due to a lost announce; here another one differed after the handshake before.",
		Source: inDocument + ", HSHK and /master.json; " + inServer,
	}
	ruleListedTooLong = &wire.Rule{
		ID: "iceball.listed-too-long", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a server in the list long after its last announce",
		Why:    "A server that was not heard of for 120 seconds is gone, and players who choose it wait in vain. An earlier list showed it too, and the capture had 45 seconds since then, longer than from burst to burst, to hear it. Only announces that are accepted count; a heartbeat server that lets handshakes or refused announces extend the time looks like this.",
		Source: inDocument + ", \"after 120 seconds of inactivity\"; " + inServer,
	}
	ruleUnlistedEarly = &wire.Rule{
		ID: "iceball.unlisted-too-early", Severity: wire.Warning, Rests: wire.OnTime,
		Title:  "a server missing from the list soon after its handshake",
		Why:    "After its handshake a server stays in the list for 120 seconds from its announce, refusals or not. This is the second list without it, with a handshake in between: the heartbeat server forgets too soon, or a filter hides the server.",
		Source: inDocument + ", HSHK and \"after 120 seconds of inactivity\"; " + inServer,
	}
	rulePrivateEntry = &wire.Rule{
		ID: "iceball.private-entry", Severity: wire.Note, Rests: wire.OnContext, Fact: true,
		Title:  "a list with an address of a private network",
		Why:    "The list has the address from which a server announced itself. A server in the network of the heartbeat server, or on its host, announces itself from a private address or from loopback, which means nothing elsewhere. It has to announce itself by way of the public address.",
		Source: inServer + "; RFC 6890",
	}
	ruleSharedEntry = &wire.Rule{
		ID: "iceball.shared-entry", Severity: wire.Note, Rests: wire.OnContext, Fact: true,
		Title:  "one address and port for two servers",
		Why:    "The heartbeat server tells servers apart by the socket that announces, the list has the announced port. Two servers of one address, as behind an address translation, that announce the same port have two entries, and clients of both come to the same server. A server that was started again has two entries for up to 120 seconds.",
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
		Why:    "The game's list client reads the length of the body from a header Length, as the real heartbeat server writes it, and ends with a Lua error without it. A web server or proxy in front writes Content-Length, which is right for all other clients.",
		Source: "the real game (http.lua)",
	}
	ruleLateAnswers = &wire.Rule{
		ID: "iceball.late-answers", Severity: wire.Note, Rests: wire.OnTime, Fact: true,
		Title:  "a heartbeat server that answers announces late",
		Why:    "The real heartbeat server reads one datagram each 50 ms. If more come they wait, and answers come later and later, until datagrams are dropped. The cookies may then be replaced before they come back.",
		Source: inServer,
	}
	ruleHTTPPort = &wire.Rule{
		ID: "iceball.http-port", Severity: wire.Note, Rests: wire.OnPresence,
		Title:  "the list on another port than the heartbeat",
		Why:    "Games and clients know a heartbeat server by one port, which is used for UDP and for HTTP. A web server in front of it is fine for browsers; games do not find the list there.",
		Source: inDocument + ", \"at the same port\"",
	}
)
