package decode

import "github.com/gamedissect/gamedissect/decode/wire"

// The rules about the layers that carry the protocols.
var (
	RuleOneWay = &wire.Rule{
		ID: "tcp.one-way", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "a connection with only one direction in the capture",
		Why:    "One side sends data, so the other side has accepted the connection, but the capture has no packet from the other side. The packets in the other direction take another route, or the capture filter excludes them. So a missing answer proves nothing.",
		Source: "RFC 9293 section 3.5",
	}
	RuleFragmentLost = &wire.Rule{
		ID: "ip.fragment-lost", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a datagram with a missing fragment",
		Why:    "A datagram that is larger than the path allows is sent in fragments, and is lost if one of them is lost. Check whether the capture filter kept only first fragments (later ones have no port numbers, so they match no port). Otherwise look for packet loss on the way.",
		Source: "RFC 791 section 3.2, RFC 8200 section 4.5",
	}
	RuleGap = &wire.Rule{
		ID: "tcp.gap", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "missing bytes of a stream",
		Why:    "The capture lacks segments that the receiver acknowledged, or that never came. Messages in the gap are lost, and decoding continues at the next place where two messages in a row are certain. Check how many packets the capturing program dropped.",
		Source: "RFC 9293 section 3.4",
	}
	RuleUnread = &wire.Rule{
		ID: "tcp.unread", Severity: wire.Warning, Rests: wire.OnContext,
		Title:  "bytes of a stream that are not in a message",
		Why:    "The capture has these bytes, but they are not messages of the protocol, or they came before the protocol was recognised. Decoding continues at the next place where two messages in a row are certain. Either a program sends malformed messages, or the connection also carries another protocol. follow --raw writes the bytes.",
		Source: "RFC 9293 section 3.4; Counters.Skipped of the package decode",
	}
	RuleForeign = &wire.Rule{
		ID: "tcp.foreign", Severity: wire.Note, Rests: wire.OnContext, Fact: true,
		Title:  "a client that speaks another protocol to a game",
		Why:    "The first bytes from the client are HTTP, TLS or SSH, and the server answers with its game protocol. A web browser, a monitor or a scanner uses the wrong port, or a proxy in between changes the connection.",
		Source: "RFC 9112 section 3, RFC 8446 section 5.1, RFC 4253 section 4.2",
	}
	RuleLoss = &wire.Rule{
		ID: "udp.gap", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "missing datagrams, according to the protocol's sequence numbers",
		Why:    "The sender numbers its messages, and a number is still missing a second after it was due. Either the network lost the datagram, on the way to the capture or before a server that relays it, or the capture lost it; a capture cannot show which. Check how many packets the capturing program dropped. If it dropped none, also capture at the other side.",
		Source: "RFC 768; the numbers are those of the protocol: orders of updates and lag pings of BZFlag 2.4",
	}
	RuleOverlap = &wire.Rule{
		ID: "tcp.overlap-conflict", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "a retransmission with different bytes",
		Why:    "A segment has different bytes for a part of the stream that was already received. gamedissect uses the bytes that came first. Other receivers may use the later ones, so an attacker can make a receiver see something else. Broken middleboxes also do this.",
		Source: "RFC 9293 section 3.10.7.4",
	}
	RuleMidStream = &wire.Rule{
		ID: "tcp.mid-stream", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "the capture lacks the beginning of the stream",
		Why:    "The connection began before the capture, so its first messages are unknown.",
		Source: "RFC 9293 section 3.5",
	}
	RuleRepeated = &wire.Rule{
		ID: "ip.repeated", Severity: wire.Note, Rests: wire.OnPresence,
		Title:  "a packet that is twice in the capture",
		Why:    "The packet was captured on two links: before and after a router, at a mirror port and its source, or on a bridge and its member. Or the link sent the frame again. The program sent the packet once, so rules and measurements about several messages ignore this copy. To avoid copies, capture on one interface.",
		Source: "RFC 791 section 3.2 on the identification; RFC 6864",
	}
	RuleJump = &wire.Rule{
		ID: "capture.jump", Severity: wire.Note, Rests: wire.OnTime,
		Title:  "the clock of the capture jumps",
		Why:    "The next packet is older, or no packet came for a long time: the clock was set, the capture was interrupted, captures of several days were merged, or there was no traffic. Infrequent packets, such as heartbeats, may be minutes apart. Times before and after the jump are not compared, and requests that are open at the jump count neither as answered nor as unanswered. Only the first jump is reported.",
		Source: "the times of the packets: 100 ms back, or, after half a minute of packets, 40 s and twice as long without one as ever before, or 5 minutes; or 15 minutes without a packet, whatever came before",
	}
	RuleTruncated = &wire.Rule{
		ID: "capture.truncated", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "a packet that the snapshot length cut",
		Why:    "The capturing program stored only the beginning of each packet, and this message is longer. The missing part cannot be checked. Capture again with -s 0.",
		Source: "pcap-savefile(5), caplen and len",
	}
	RuleForgotten = &wire.Rule{
		ID: "capture.memory", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "state dropped for lack of memory",
		Why:    "The capture has more simultaneous activity than fits into memory. The program dropped the state that was idle longest. If such a conversation continues, it counts as new, and rules about several of its messages are skipped. Increase --memory, or read part of the traffic at a time.",
		Source: "the option --memory of gamedissect; Options.Memory of the package decode",
	}
	RuleNested = &wire.Rule{
		ID: "capture.nested", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "too many nested tunnels",
		Why:    "The packet has more nested tunnels than any network needs, so the innermost packet was not read. Look for a tunnel that is routed into itself. The sender may also try to hide something.",
		Source: "RFC 2473 section 4.1.1; eight tunnels are read",
	}
	RuleFileCut = &wire.Rule{
		ID: "capture.file-cut", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "the capture file ends inside a record",
		Why:    "The last packet is incomplete: the program that wrote the file was stopped, the disk was full, or the file was copied while it was written. Earlier packets are intact.",
		Source: "pcap-savefile(5); draft-ietf-opsawg-pcapng, section 3.1",
	}
)

// Rules returns the rules about the layers that carry the protocols.
func Rules() []*wire.Rule {
	return []*wire.Rule{
		RuleGap, RuleLoss, RuleUnread, RuleForeign, RuleOverlap, RuleMidStream, RuleOneWay, RuleFragmentLost, RuleRepeated,
		RuleTruncated, RuleNested, RuleFileCut, RuleJump, RuleForgotten,
	}
}
