// Package anonymize changes a capture so that it can be shown to strangers and still dissects to the
// same messages and findings.
//
// It reads the packets twice. The first time, an engine finds the messages, and each is rewritten by what
// its protocol says of its fields (wire.Privacies); what differs is kept as pieces, by the place in
// the datagram or the stream. The second time every packet gets the pieces that it carries, be it a
// retransmission or a fragment, and other addresses; its checksums are put right if they were right.
// Bytes of a payload that belong to no message are overwritten. Lengths never change.
//
// Packets that came through a tunnel or over Wi-Fi are left out: what is around them has addresses in many places.
//
// Addresses within JSON become the text of the address that they are mapped to, and blanks between
// the tokens make up for another length; where there are too few, each number is replaced by one of as
// many digits instead. Elsewhere in HTTP, in chat and in names the digits of an address are replaced
// as any others.
//
// What is still told by a capture that was changed:
//   - lengths, times, ports, what else is in the headers of IP and TCP;
//   - the kinds of characters: capitals stay capitals, digits stay digits, and blanks and the
//     characters . / : @ " \ stay;
//   - that two texts, or two addresses, are the same, and how many leading bits addresses share
//     (Crypto-PAn). Addresses keep their class: loopback, private, link-local, unspecified;
//     multicast and broadcast addresses stay as they are. To that end the bits on the way to such a
//     block are never flipped, the first bit of an IPv4 address among them;
//   - whatever the protocols hold for public: the names and the content of maps, settings of servers,
//     the words of commands in chat;
//   - of bytes that nobody can read, as much as has to stay for the same to be wrong about them.
package anonymize
