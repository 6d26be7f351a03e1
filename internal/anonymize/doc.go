// Package anonymize changes a capture so that it can be published and still dissects to the same
// messages and findings.
//
// It reads the packets twice. The first time, an engine finds the messages, and each is rewritten as its
// protocol's wire.Privacies demand; the differences are kept by their place in the datagram or the
// stream. The second time every packet, be it a retransmission or a fragment, gets the differences at its
// place and other addresses; correct checksums are corrected. Bytes of a payload that belong to no message
// are overwritten, and so are bytes of a retransmission that differ from those that came first. Lengths never change.
//
// In a message that is shorter or longer than its counts and lengths say, words in public fields change as well.
//
// A field that holds a packed message, or a part of one, is replaced whole if anything in it is private or was not
// read.
//
// Packets in tunnels or of Wi-Fi, and those after headers that tell of programs and interfaces, are joined from their
// fragments and put into frames of their own, of the same link type: what is around them has addresses in many places.
//
// Addresses within JSON become the text of the address that they are mapped to, and blanks between
// the tokens make up for another length; where there are too few, each number is replaced by one of as
// many digits instead. Elsewhere in HTTP, in chat and in names the digits of an address are replaced
// as any others.
//
// An anonymized capture still shows:
//   - lengths, times, ports, and other fields of the headers of IP and TCP;
//   - the kinds of characters: capitals stay capitals, digits stay digits, and blanks and the
//     characters . / : @ " \ stay;
//   - that two texts, or two addresses, are the same, and how many leading bits addresses share
//     (Crypto-PAn). Addresses keep their class: loopback, private, link-local, unspecified;
//     multicast and broadcast addresses stay as they are. To that end the bits on the way to such a
//     block are never flipped, the first bit of an IPv4 address among them;
//   - what the protocols list as public: the names and the content of maps, settings of servers,
//     the words of commands in chat;
//   - of undecodable bytes, as much as has to stay for the same findings.
package anonymize
