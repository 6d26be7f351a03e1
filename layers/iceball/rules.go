package iceball

import "github.com/gamedissect/gamedissect/decode/wire"

const (
	inDocument = "proto_heart.txt"
	inServer   = "the real heartbeat server (heartbeat.py)"
	inGame     = "the real game (lib_heartbeat.lua)"
)

// The rules that a single message can break.
var (
	ruleAnnounceLength = &wire.Rule{
		ID: "iceball.announce-length", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "an announce that is not 86 bytes",
		Why:    "All fields of an announce have fixed sizes, in total 86 bytes with the letters 1CEB. The real server answers other lengths with BADF, or with BADV if the version is also wrong, and does not list the server. Texts must be padded to 30, 10 and 30 bytes.",
		Source: inDocument + ", 1CEB; " + inServer,
	}
	ruleTruncated = &wire.Rule{
		ID: "iceball.truncated-message", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a message shorter than its fields",
		Why:    "BADV carries two versions in six bytes after its letters. A receiver that reads them runs past the end.",
		Source: inDocument + ", BADV",
	}
	ruleMagic = &wire.Rule{
		ID: "iceball.unknown-magic", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "a datagram to the heartbeat port that begins with unknown letters",
		Why:    "Messages begin with 1CEB, MSOK, HSHK, BADV or BADF, in capitals. The real server does not answer anything else, not even with BADF.",
		Source: inDocument + "; " + inServer,
	}
	ruleDirection = &wire.Rule{
		ID: "iceball.wrong-direction", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "a message that only the other side sends",
		Why:    "1CEB and HSHK go to the heartbeat server; MSOK, BADV and BADF come from it. In the other direction they are silently ignored. Check whether source and destination are swapped.",
		Source: inDocument + ", I->H and H->I",
	}
	ruleByteOrder = &wire.Rule{
		ID: "iceball.byte-order", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a version whose bytes are swapped",
		Why:    "All numbers are little endian. A sender that uses big endian announces version 512 instead of 2, and gets BADV.",
		Source: inDocument + ", \"all protocols are little endian\"",
	}
	rulePadding = &wire.Rule{
		ID: "iceball.string-padding", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "bytes after the NUL of a text",
		Why:    "Shorter texts are padded with NULs. The real server ignores the bytes after the first NUL, so other bytes do no harm; they show that the sender did not clear its buffer.",
		Source: inDocument + ", notes to 1CEB; " + inServer,
	}
	ruleEncoding = &wire.Rule{
		ID: "iceball.text-encoding", Severity: wire.Note, Rests: wire.OnBytes, Fact: true,
		Title:  "a text of an announce that is not UTF-8",
		Why:    "The list is JSON, which is UTF-8. heartbeat.py for Python 2 crashes when it writes a list with such a name, so no server is listed after that. Causes are a name in another encoding, such as Latin-1, and a UTF-8 name that is cut at 30 bytes in the middle of a character.",
		Source: inServer + ", json.dumps",
	}
	rulePlayers = &wire.Rule{
		ID: "iceball.players-over-maximum", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "more players than the maximum",
		Why:    "The heartbeat server does not compare the two numbers and lists the server unchanged.",
		Source: inDocument + ", 1CEB; " + inServer,
	}
	rulePortZero = &wire.Rule{
		ID: "iceball.port-zero", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "an announced port of 0",
		Why:    "The list shows the announced port, not the source port of the announce. Clients cannot connect to port 0.",
		Source: inDocument + ", 1CEB; " + inServer,
	}
	ruleHTTPHeader = &wire.Rule{
		ID: "iceball.http-header", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "an answer that is not quite HTTP",
		Why:    "The real heartbeat server writes the length of a body into the header Length instead of Content-Length, and begins the status line with the third word of the request. The game's client needs the header Length; other HTTP programs read until the connection closes.",
		Source: inServer,
	}
	ruleHTTPLength = &wire.Rule{
		ID: "iceball.http-length", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "an HTTP header that does not determine the end of its message",
		Why:    "A length consists only of decimal digits. If the header is repeated, the length must be the same. With a Transfer-Encoding, the length does not count, and in a request the last coding must be chunked. If two programs read such a header differently, they disagree about where the next message begins. gamedissect prefers chunks to a length, and ends a message with an unreadable length after its header.",
		Source: "RFC 9112, 6.3 Message Body Length",
	}
	ruleIPv6 = &wire.Rule{
		ID: "iceball.ipv6", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "heartbeat traffic over IPv6",
		Why:    "The list and the cookies use IPv4 addresses, and neither the real server nor the game opens an IPv6 socket.",
		Source: inDocument + ", \"only supports IPv4\"; " + inGame,
	}
)
