package decode

import "github.com/gamedissect/gamedissect/decode/wire"

// The rules about the layers that carry the protocols.
var (
	RuleOneWay = &wire.Rule{
		ID: "tcp.one-way", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "a connection with only one direction in the capture",
		Why:    "One side sends data, so the other side must have accepted the connection, but the capture has no packet from the other side. Its packets take another route, or the capture filter excludes them. A missing answer therefore proves nothing.",
		Source: "RFC 9293 section 3.5",
	}
	RuleFragmentLost = &wire.Rule{
		ID: "ip.fragment-lost", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a datagram with a missing fragment",
		Why:    "A datagram that is larger than the path allows is sent in fragments. If one is lost, the whole datagram is lost. Check whether the capture filter matches ports: later fragments have no port numbers, so such a filter keeps only the first ones. Otherwise look for packet loss on the way.",
		Source: "RFC 791 section 3.2, RFC 8200 section 4.5",
	}
	RuleGap = &wire.Rule{
		ID: "tcp.gap", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "missing bytes in a TCP stream",
		Why:    "The capture lacks segments: the capturing program missed them, or they never came. Messages in the gap are lost. After the gap, gamedissect continues at the first place where it recognises two messages in a row. Check how many packets the capturing program dropped.",
		Source: "RFC 9293 section 3.4",
	}
	RuleUnread = &wire.Rule{
		ID: "tcp.unread", Severity: wire.Warning, Rests: wire.OnContext,
		Title:  "bytes of a TCP stream that are not in a message",
		Why:    "The capture has these bytes, but they are not messages of the protocol, or they came before gamedissect recognised the protocol. gamedissect continues at the first place where it recognises two messages in a row. Either a program sends malformed messages, or the connection also carries another protocol. gamedissect follow --raw writes these bytes to a file.",
		Source: "RFC 9293 section 3.4; Counters.Skipped of the package decode",
	}
	RuleForeign = &wire.Rule{
		ID: "tcp.foreign", Severity: wire.Note, Rests: wire.OnContext, Fact: true,
		Title:  "a client that speaks another protocol at the port of a game",
		Why:    "The first bytes from the client are HTTP, TLS or SSH, but the server answers with its game protocol. A web browser, a monitor or a scanner uses the wrong port, or a proxy in between changes the connection.",
		Source: "RFC 9112 section 3, RFC 8446 section 5.1, RFC 4253 section 4.2",
	}
	RuleLoss = &wire.Rule{
		ID: "udp.gap", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "missing datagrams, according to the protocol's sequence numbers",
		Why:    "The sender numbers its messages, and a number is still missing a second after it was due. The network or the capturing program lost the datagram; a capture cannot show which. A datagram that a server relays may also have been lost on its way to the server. Check how many packets the capturing program dropped. If it dropped none, also capture at the other side.",
		Source: "RFC 768; the numbers of the protocol: in BZFlag 2.4, those of updates and lag pings",
	}
	RuleOverlap = &wire.Rule{
		ID: "tcp.overlap-conflict", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "a retransmission with different bytes",
		Why:    "The segment contains a part of the stream that came before, but with different bytes. gamedissect uses the bytes that came first. Other receivers may use the later ones, so an attacker can make a receiver read something other than what gamedissect shows. Broken middleboxes also do this.",
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
		Why:    "The packet was captured at two places: before and after a router, at a mirror port and its source, or on a bridge and one of its interfaces. Or the link layer sent the frame again. The program sent the packet only once, so gamedissect ignores this copy in rules about several messages and in measurements. To avoid copies, capture on one interface.",
		Source: "RFC 791 section 3.2 on the identification; RFC 6864",
	}
	RuleJump = &wire.Rule{
		ID: "capture.jump", Severity: wire.Note, Rests: wire.OnTime,
		Title:  "a jump in the times of the capture",
		Why:    "The next packet is older than the previous one, or no packet came for a long time. The clock was set, the capture was interrupted, captures of several days were merged, or there was no traffic; packets such as heartbeats may be minutes apart. gamedissect does not compare times before the jump with times after it. It counts requests that are open at the jump neither as answered nor as unanswered. Only the first jump is reported.",
		Source: "the times of the packets: a jump goes back by more than 100 ms, or is a pause of more than 15 minutes; in steady traffic, a pause is a jump if it is longer than 5 minutes, or longer than 40 s and twice any earlier pause",
	}
	RuleTruncated = &wire.Rule{
		ID: "capture.truncated", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "a packet that the capturing program cut",
		Why:    "The capturing program stored only the first bytes of each packet (the snapshot length), and this message is longer. The missing part cannot be checked. Capture again with -s 0.",
		Source: "pcap-savefile(5), caplen and len",
	}
	RuleForgotten = &wire.Rule{
		ID: "capture.memory", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "conversations that gamedissect forgot for lack of memory",
		Why:    "More conversations are open at the same time than fit into memory. gamedissect forgot those that were idle longest. If one of them continues, it counts as a new conversation, and rules about several of its messages are not checked. Increase --memory, or read a part of the traffic at a time.",
		Source: "the option --memory of gamedissect; Options.Memory of the package decode",
	}
	RuleNested = &wire.Rule{
		ID: "capture.nested", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "a packet in too many tunnels",
		Why:    "The packet has more tunnels inside each other than any network needs. gamedissect reads up to eight, so it did not read the innermost packet. Look for a tunnel that is routed into itself. Or the sender wants to hide something.",
		Source: "RFC 2473 section 4.1.1",
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
