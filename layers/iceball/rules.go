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
		Why:    "All fields of an announce have fixed sizes, 86 bytes together with the letters 1CEB. The real server answers another length with BADF, and with BADV if the version is wrong as well; the server is not listed. Texts must be padded to 30, 10 and 30 bytes.",
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
		Title:  "a datagram to the heartbeat port that begins with no known letters",
		Why:    "Messages begin with 1CEB, MSOK, HSHK, BADV or BADF, in capitals. The real server gives no answer to anything else, not even BADF.",
		Source: inDocument + "; " + inServer,
	}
	ruleDirection = &wire.Rule{
		ID: "iceball.wrong-direction", Severity: wire.Error, Rests: wire.OnContext,
		Title:  "a message that only the other side sends",
		Why:    "1CEB and HSHK go to the heartbeat server, MSOK, BADV and BADF come from it. Sent the other way they are ignored without a word. Look for source and destination swapped.",
		Source: inDocument + ", I->H and H->I",
	}
	ruleByteOrder = &wire.Rule{
		ID: "iceball.byte-order", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a version whose bytes are swapped",
		Why:    "Every number is little endian. A sender that writes them big endian announces version 512 instead of 2, and gets BADV.",
		Source: inDocument + ", \"all protocols are little endian\"",
	}
	rulePadding = &wire.Rule{
		ID: "iceball.string-padding", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "bytes after the NUL of a text",
		Why:    "A shorter text is filled up with NULs. The real server ignores what follows the first one, so other bytes do no harm but show that the sender's buffer was not cleared.",
		Source: inDocument + ", notes to 1CEB; " + inServer,
	}
	ruleEncoding = &wire.Rule{
		ID: "iceball.text-encoding", Severity: wire.Note, Rests: wire.OnBytes, Fact: true,
		Title:  "a text of an announce that is not UTF-8",
		Why:    "The list is JSON, which is UTF-8. heartbeat.py for Python 2 ends with an error when it writes a list with such a name, for all servers. A name in another encoding, such as Latin-1, does this, and a name in UTF-8 that is cut at 30 bytes within a letter.",
		Source: inServer + ", json.dumps",
	}
	rulePlayers = &wire.Rule{
		ID: "iceball.players-over-maximum", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "more players than the maximum",
		Why:    "The heartbeat server does not compare the two and lists such a server as it is.",
		Source: inDocument + ", 1CEB; " + inServer,
	}
	rulePortZero = &wire.Rule{
		ID: "iceball.port-zero", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "an announced port of 0",
		Why:    "The list shows the announced port, not the one the announce came from. Clients cannot connect to port 0.",
		Source: inDocument + ", 1CEB; " + inServer,
	}
	ruleHTTPHeader = &wire.Rule{
		ID: "iceball.http-header", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "an answer that is not quite HTTP",
		Why:    "The real heartbeat server gives the length of a body in a header Length instead of Content-Length, and begins the status line with the third word of the request, whatever it is. The game's client depends on the first; other HTTP programs read until the connection closes.",
		Source: inServer,
	}
	ruleHTTPLength = &wire.Rule{
		ID: "iceball.http-length", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "an HTTP header that does not tell where its message ends",
		Why:    "A length is decimal digits and nothing else; repeated, it must stay the same. Beside a Transfer-Encoding it does not count, and in a request the last coding must be chunked. Two programs that read such a header differently disagree about where the next message begins. Here chunks count before a length, and a message whose length cannot be read ends with its header.",
		Source: "RFC 9112, 6.3 Message Body Length",
	}
	ruleIPv6 = &wire.Rule{
		ID: "iceball.ipv6", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "heartbeat traffic over IPv6",
		Why:    "The list and the cookies go by IPv4 addresses, and neither the real server nor the game opens an IPv6 socket.",
		Source: inDocument + ", \"only supports IPv4\"; " + inGame,
	}
)
