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
//     bits, which is the same up to 127 bytes. The package tries both and takes the one that
//     fits. If neither or both fit, it follows real servers, or the document with wire.Document.
//   - A datagram may contain several messages, and the length field counts one message.
//   - The gateway of a running game uses the same port with other codes. A packet id follows a
//     code of 0, or of 128 and more. The package names these messages. Except for the text of a
//     refusal, their bodies are opaque, because the document does not describe them.
//   - In the document, versions 27 and higher have further fields. The real launcher reads them
//     only if the version is 29.
//
// A Layer is one message. Its content is its Body: one of the structs here, each of which lists its fields in Walk.
// Package decode recognises conversations by Protocol and passes their messages to its tracker.
//
// This package must not know other protocols. A Layer knows only its own message: state that lasts longer belongs to
// the engine and the tracker.
//
// Other programs may rely on its exported names, see docs/api.md.
package bloodmasters
