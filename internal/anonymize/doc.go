// Package anonymize changes a capture so that it can be published, but still dissects to the same
// messages and findings.
//
// It reads the packets twice. In the first pass, an engine finds the messages. Each message is rewritten as its
// protocol's wire.Privacies require, and the differences are stored by their place in the datagram or the stream. In
// the second pass, every packet, even a retransmission or a fragment, gets the differences at its place and new
// addresses. Correct checksums are updated. Payload bytes that belong to no message are overwritten, and so are bytes
// of a retransmission that differ from the bytes that came first. Lengths never change.
//
// In a message that is shorter or longer than its counts and lengths say, words in public fields change too.
//
// A field that contains a packed message, or a part of one, is replaced as a whole if anything in it is private or was
// not decoded.
//
// Packets in tunnels or Wi-Fi frames, and packets after headers with programs and interfaces, are joined from their
// fragments and moved to separate frames of the same link type, since the data around them has addresses in many
// places.
//
// An address within JSON becomes the text of the address that it is mapped to. If the length differs, spaces between
// the tokens compensate. If there are too few, each number is instead replaced by a number with as many digits.
// Elsewhere in HTTP, in chat and in names, the digits of an address are replaced like any other digits.
//
// An anonymized capture still shows:
//   - lengths, times, ports, and other fields of the IP and TCP headers;
//   - the kinds of characters: capitals stay capitals, digits stay digits, and spaces and the
//     characters . / : @ " \ stay;
//   - whether two texts, or two addresses, are the same, and how many leading bits addresses
//     share (Crypto-PAn). Addresses keep their class: loopback, private, link-local, unspecified;
//     multicast and broadcast addresses are unchanged. To keep the class, the bits that lead to
//     such a block are never flipped, including the first bit of an IPv4 address;
//   - what the protocols list as public: the names and the content of maps, settings of servers,
//     the words of commands in chat;
//   - as much of undecodable bytes as the same findings require.
package anonymize
