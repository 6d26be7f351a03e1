// Package anonymize changes a capture so that it can be published, but still dissects to the same messages and
// findings.
//
// It reads the packets twice. In the first pass, an engine finds the messages. Each message is rewritten as its
// protocol's wire.Privacies require. The differences are stored with their positions in the datagram or the stream. In
// the second pass, every packet, even a retransmission or a fragment, gets the differences at its positions and new
// addresses. Correct checksums are updated. Two kinds of payload bytes are overwritten: bytes that belong to no
// message, and bytes of a retransmission that differ from the bytes that came first. Lengths never change.
//
// If a message is shorter or longer than its counts and lengths say, private text may be in its public fields. So words
// in its public fields are changed too.
//
// A field may contain a packed message, or a part of a message. If anything in that message is private or was not
// decoded, the whole field is replaced.
//
// Packets in tunnels or Wi-Fi frames, and packets after headers with names of programs and interfaces, are moved to
// separate frames of the same link type, because the data around them has addresses in many places. Fragments of such
// packets are joined.
//
// An address in JSON is replaced with the text of its new address. If the lengths differ, spaces between tokens are
// added or removed. If there are too few spaces, each number of the address is replaced with a number of the same
// length instead. In the rest of HTTP, in chat and in names, the digits of an address are replaced like any other
// digits.
//
// An anonymized capture still shows:
//   - lengths, times, ports, and other fields of the IP and TCP headers;
//   - the kinds of characters: capitals stay capitals, digits stay digits, and spaces and the
//     characters . / : @ " \ stay the same;
//   - whether two texts or two addresses are equal, and how many leading bits addresses share
//     (Crypto-PAn). Addresses keep their class: loopback, private, link-local, unspecified.
//     Multicast and broadcast addresses are unchanged. To keep the class, the bits at the
//     beginning of such a block are never flipped, including the first bit of an IPv4 address;
//   - what the protocols list as public: the names and the content of maps, settings of servers,
//     the words of commands in chat;
//   - those undecodable bytes without which the findings would change.
package anonymize
