// Package iceball dissects the heartbeat of the game Iceball: game servers announce themselves to a heartbeat server
// over UDP, prove with a cookie that they receive packets at their address, and are then listed. Clients get the list
// over HTTP.
//
// A game server announces itself with 1CEB. The heartbeat server answers with MSOK, which contains a cookie, or refuses
// with BADV (wrong version) or BADF (wrong format). The game server sends the cookie back in HSHK, the handshake.
//
// The sources are the protocol document (docs/proto_heart.txt in the game's repository) and the behaviour of the real
// heartbeat server and game. Where the document and the programs differ, this package decodes what the programs send:
//
//   - In the document, texts have the type .z, as if they always ended with a NUL. A text that fills its field has no
//     NUL.
//   - In the document, a cookie may have any length. The real server always sends four bytes.
//   - In the document, BADF answers everything that the heartbeat server cannot read. The real server checks the
//     version first, so it sends BADF only for an announce of the right version with the wrong length.
//   - When the real server compares versions of the game, it ignores the last part (z).
//
// A Layer is one message. Its Body is one of the structs of this package, whose Walk method lists the fields. Package
// decode uses Protocol to recognise conversations, and passes their messages to the tracker.
//
// A Layer keeps no state beyond its message. Such state belongs to the session and the tracker.
//
// Other programs may rely on its exported names, see docs/api.md.
package iceball
