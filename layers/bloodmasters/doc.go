// Package bloodmasters dissects the server query of the game Bloodmasters. A launcher asks a server with a request of
// seven bytes over UDP, and the server answers with its title, map and players. The package also dissects the HTTP
// requests to the list of servers, and names the messages of running games.
//
// The sources are the protocol document (serverprotocol.txt in the game's repository) and the behaviour of the real
// server and launcher. Where the document and the programs differ, this package decodes what the programs send:
//
//   - The document does not state the byte order. The length is little endian, every other integer big endian.
//   - In the document, the length of a text is one byte. Real servers write it in groups of seven bits. The two ways
//     are equal up to 127 bytes. The package tries both and uses the one that matches the message. If neither or both
//     match, the text is read as real servers write it, or, in the dialect wire.Document, as in the document.
//   - A datagram may contain several messages. The length field is the length of one message.
//   - A running game uses the same port, with other codes. These are the messages of the gateway, the part of the
//     server that talks to the players' games. If the code is 0, or 128 or higher, a packet id follows. The package
//     names these messages and decodes the text of a refusal. All other bodies are opaque, because the document does
//     not describe them.
//   - In the document, versions 27 and higher have additional fields. The real launcher reads them only if the version
//     is 29.
//
// A Layer is one message. Its Body is one of the structs of this package, whose Walk method lists the fields. Package
// decode uses Protocol to recognise conversations, and passes their messages to the tracker.
//
// This package must not import other protocols. A Layer keeps no state beyond its message. Such state belongs to the
// engine and the tracker.
//
// Other programs may rely on its exported names, see docs/api.md.
package bloodmasters
