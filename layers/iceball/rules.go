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
		Title:  "an announce that is not 86 bytes long",
		Why:    "The fields of an announce have fixed sizes, together 86 bytes including the letters 1CEB. Its three texts must be padded to 30, 10 and 30 bytes. The real server does not list a game server whose announces have another length: it answers with BADF, or with BADV if the version is also wrong.",
		Source: inDocument + ", 1CEB; " + inServer,
	}
	ruleTruncated = &wire.Rule{
		ID: "iceball.truncated-message", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a message that is too short for its fields",
		Why:    "After its letters, BADV has two versions in six bytes. If bytes are missing, a receiver reads past the end of the message.",
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
		Why:    "Game servers send 1CEB and HSHK; the heartbeat server sends MSOK, BADV and BADF. Both silently ignore messages in the wrong direction. Check whether source and destination are swapped.",
		Source: inDocument + ", I->H and H->I",
	}
	ruleByteOrder = &wire.Rule{
		ID: "iceball.byte-order", Severity: wire.Error, Rests: wire.OnBytes,
		Title:  "a version whose bytes are swapped",
		Why:    "All numbers are little endian. A sender that uses big endian announces version 512 instead of 2, and the heartbeat server answers with BADV.",
		Source: inDocument + ", \"all protocols are little endian\"",
	}
	rulePadding = &wire.Rule{
		ID: "iceball.string-padding", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "bytes after the NUL that ends a text",
		Why:    "A text that is shorter than its field is padded with NULs. The real server reads only up to the first NUL, so other bytes do no harm. They show that the sender did not clear its buffer.",
		Source: inDocument + ", notes to 1CEB; " + inServer,
	}
	ruleEncoding = &wire.Rule{
		ID: "iceball.text-encoding", Severity: wire.Note, Rests: wire.OnBytes, Fact: true,
		Title:  "an announce with a text that is not UTF-8",
		Why:    "The list is JSON, which must be UTF-8. If a name is not UTF-8, heartbeat.py for Python 2 crashes when it writes the list, and from then on no server is listed. The name may be in another encoding, such as Latin-1, or the sender cut it off after 30 bytes, in the middle of a character.",
		Source: inServer + ", json.dumps",
	}
	rulePlayers = &wire.Rule{
		ID: "iceball.players-over-maximum", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "an announce with more players than its maximum",
		Why:    "The real heartbeat server does not compare the two numbers, and lists the server with both.",
		Source: inDocument + ", 1CEB; " + inServer,
	}
	rulePortZero = &wire.Rule{
		ID: "iceball.port-zero", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "an announced port of 0",
		Why:    "The list shows the port in the announce, not the source port of the packet. Clients cannot connect to port 0.",
		Source: inDocument + ", 1CEB; " + inServer,
	}
	ruleHTTPHeader = &wire.Rule{
		ID: "iceball.http-header", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "an HTTP answer that does not follow the standard",
		Why:    "The real heartbeat server puts the length of the body into a header named Length instead of Content-Length, and begins the status line with the third word of the request. The game's client needs the header Length. Other HTTP programs find no length and read until the connection closes.",
		Source: inServer,
	}
	ruleHTTPLength = &wire.Rule{
		ID: "iceball.http-length", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "an HTTP message whose end is unclear",
		Why:    "A length consists only of decimal digits, and if the header has several lengths, they must be equal. A Transfer-Encoding overrides the length; in a request, its last coding must be chunked. If two programs read an unclear header differently, they disagree about where the next message begins. gamedissect prefers chunks to a length. If it cannot read the length, it ends the message after the header.",
		Source: "RFC 9112, 6.3 Message Body Length",
	}
	ruleIPv6 = &wire.Rule{
		ID: "iceball.ipv6", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "heartbeat traffic over IPv6",
		Why:    "The list and the cookies have room only for IPv4 addresses, and neither the real server nor the game opens an IPv6 socket.",
		Source: inDocument + ", \"only supports IPv4\"; " + inGame,
	}
)
