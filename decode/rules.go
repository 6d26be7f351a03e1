package decode

import "github.com/gamedissect/gamedissect/decode/wire"

// The rules about carriers, which lie below the protocols.
var (
	RuleOneWay = &wire.Rule{
		ID: "tcp.one-way", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
		Title:  "a connection of which the capture has one direction only",
		Why:    "One end sends bytes, which it does only after the other one has accepted the connection, and the capture has nothing of that other one. Packets take another way back, or the capture filter names one direction. What is not answered here proves nothing.",
		Source: "RFC 9293 section 3.5",
	}
	RuleFragmentLost = &wire.Rule{
		ID: "ip.fragment-lost", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "a datagram of which a fragment is missing",
		Why:    "A datagram larger than the path allows travels in fragments, and is lost when one of them is. Look at whether the capture filter kept only first fragments (those without the port numbers do not match a port), and otherwise at what drops packets on the way.",
		Source: "RFC 791 section 3.2, RFC 8200 section 4.5",
	}
	RuleGap = &wire.Rule{
		ID: "tcp.gap", Severity: wire.Warning, Rests: wire.OnAbsence,
		Title:  "missing bytes of a stream",
		Why:    "The capture lacks segments that the receiver acknowledged, or that never came. Messages in the gap are lost, and the stream is picked up again at the next place where two messages in a row are beyond doubt. Look at the drops that the capturing program reported.",
		Source: "RFC 9293 section 3.4",
	}
	RuleUnread = &wire.Rule{
		ID: "tcp.unread", Severity: wire.Warning, Rests: wire.OnContext,
		Title:  "bytes of a stream that are in no message",
		Why:    "The capture has these bytes, but they are none of the protocol's messages, or came before it was clear what the connection speaks. The stream is picked up at the next place where two messages in a row are beyond doubt. Either a program says something that others do not understand, or something else is spoken in between; follow --raw writes the bytes.",
		Source: "RFC 9293 section 3.4; Counters.Skipped of the package decode",
	}
	RuleForeign = &wire.Rule{
		ID: "tcp.foreign", Severity: wire.Note, Rests: wire.OnContext, Fact: true,
		Title:  "a client that speaks another protocol to a game",
		Why:    "The first bytes of the client are HTTP, TLS or SSH, and the server answers in the language of its game. A web browser, a monitor or a scanner has the wrong port, or something between the two is no plain connection.",
		Source: "RFC 9112 section 3, RFC 8446 section 5.1, RFC 4253 section 4.2",
	}
	RuleLoss = &wire.Rule{
		ID: "udp.gap", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "datagrams are missing in the capture, by the protocol's own numbers",
		Why:    "The sender counts its messages, and a second after a number was due there is still none. The network lost the datagram, on its way here or before a server that passes it on, or the capture lost it: which of the two the capture cannot tell. Look at the drops that the capturing program reported; if there are none, capture at the other end as well.",
		Source: "RFC 768; the numbers are those of the protocol: orders of updates and lag pings of BZFlag 2.4",
	}
	RuleOverlap = &wire.Rule{
		ID: "tcp.overlap-conflict", Severity: wire.Warning, Rests: wire.OnPresence,
		Title:  "a retransmission with other bytes",
		Why:    "A segment brings other bytes for a part of the stream that came before. What came first counts here; receivers differ in that, so an attacker may make one receiver see something else. Broken middleboxes do this as well.",
		Source: "RFC 9293 section 3.10.7.4",
	}
	RuleMidStream = &wire.Rule{
		ID: "tcp.mid-stream", Severity: wire.Note, Rests: wire.OnAbsence,
		Title:  "the capture lacks the beginning of the stream",
		Why:    "The beginning of the connection is not in the capture, so what was said there is not known.",
		Source: "RFC 9293 section 3.5",
	}
	RuleRepeated = &wire.Rule{
		ID: "ip.repeated", Severity: wire.Note, Rests: wire.OnPresence,
		Title:  "a packet that the capture has twice",
		Why:    "The capture point sees the packet on two links: before and after a router, at a mirror port and its source, on a bridge and its member. Or the link sent the frame again. The program sent it once, so rules and values about several messages ignore this copy. Capture on one interface to get rid of it.",
		Source: "RFC 791 section 3.2 on the identification; RFC 6864",
	}
	RuleJump = &wire.Rule{
		ID: "capture.jump", Severity: wire.Note, Rests: wire.OnTime,
		Title:  "the clock of the capture jumps",
		Why:    "The next packet is older, or no packet came for long: the clock was set, the capture was interrupted, captures of two days were put together, or there was nothing to capture. Packets that come now and then, such as heartbeats, may well be minutes apart. Times across the jump are not compared, and requests that are open at the jump count neither as answered nor as missing. Only the first jump is reported.",
		Source: "the times of the packets: 100 ms back, or, after half a minute of packets, 40 s and twice as long without one as ever before, or 5 minutes; or 15 minutes without a packet, whatever came before",
	}
	RuleTruncated = &wire.Rule{
		ID: "capture.truncated", Severity: wire.Note, Rests: wire.OnBytes,
		Title:  "the snap length cut the packet",
		Why:    "The capture was made with a limit on the bytes kept of each packet, and this message is longer. What is missing cannot be judged. Capture again with -s 0.",
		Source: "pcap-savefile(5), caplen and len",
	}
	RuleForgotten = &wire.Rule{
		ID: "capture.memory", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "something had to be forgotten",
		Why:    "More goes on at a time than there is memory to follow. What was idle longest is forgotten: if it goes on after all, it counts as new, and rules about several of its messages are silent. Allow more with --memory, or read a part of the traffic at a time.",
		Source: "the option --memory of gamedissect; Options.Memory of the package decode",
	}
	RuleNested = &wire.Rule{
		ID: "capture.nested", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "a tunnel in a tunnel in a tunnel, more than are read",
		Why:    "The packet is wrapped in more tunnels than any network has a use for, so what is innermost was not read. Look for a tunnel that is routed into itself; a sender may also want to hide something.",
		Source: "RFC 2473 section 4.1.1; eight tunnels are read",
	}
	RuleFileCut = &wire.Rule{
		ID: "capture.file-cut", Severity: wire.Warning, Rests: wire.OnBytes,
		Title:  "the capture file ends inside a record",
		Why:    "The last packet is not whole: the program that wrote the file was stopped, the disk was full, or the file was copied while it grew. What came before is intact.",
		Source: "pcap-savefile(5); draft-ietf-opsawg-pcapng, section 3.1",
	}
)

// Rules lists the rules about carriers.
func Rules() []*wire.Rule {
	return []*wire.Rule{
		RuleGap, RuleLoss, RuleUnread, RuleForeign, RuleOverlap, RuleMidStream, RuleOneWay, RuleFragmentLost, RuleRepeated,
		RuleTruncated, RuleNested, RuleFileCut, RuleJump, RuleForgotten,
	}
}
