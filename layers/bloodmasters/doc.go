// Package bloodmasters dissects the server query of the game Bloodmasters: a request of
// seven bytes over UDP and an answer with the server's title, map and players. A launcher
// fills its list of servers with it.
//
// The sources are the protocol's document (serverprotocol.txt in the game's repository) and
// the behaviour of the real server and launcher. Where they differ, this package reads what
// real programs send:
//
//   - The document names no byte order. The length is little endian, every other integer
//     big endian.
//   - A text's length is one byte in the document. Real servers write it in groups of seven
//     bits, which is the same up to 127 bytes. Both are tried and the one that fits is taken;
//     when neither or both fit, real servers are followed, or the document with wire.Document.
//   - A datagram may hold several messages, and its length field counts one message.
//   - The gateway of a running game uses the same port with other codes. A code of 0, or of
//     128 and more, has a packet id after it. These messages are named; their bodies stay
//     opaque, because the document does not describe them, but for the text of a refusal.
//   - The real launcher reads the fields that the document gives to versions 27 and higher
//     only when the version is 29.
//
// A Layer is one message, and what it says is its Body: one of the structs here, each of which lists its fields in
// Walk. Protocol is what package decode has to know, which recognises conversations and has the tracker follow them.
//
// What may not enter: other protocols, and for the layer anything that lasts longer than a message;
// that is the engine's and the tracker's.
//
// Other programs may rely on what it exports, see docs/api.md.
package bloodmasters
