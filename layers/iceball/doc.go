// Package iceball dissects the heartbeat of the game Iceball: game servers announce
// themselves to a heartbeat server over UDP, prove with a cookie that they receive packets at
// their address, and are then listed.
//
// The sources are the protocol's document (docs/proto_heart.txt in the game's repository) and
// the behaviour of the real heartbeat server and game. Where they differ, this package reads
// what real programs send:
//
//   - The document calls the texts .z, as if they always ended with a NUL. A text that fills its
//     field has no NUL.
//   - In the document, a cookie may have any length. The real server always sends four bytes.
//   - The heartbeat server answers BADF only to an announce of the right version and the wrong
//     length, since it checks the version first. In the document, BADF answers everything
//     that the server cannot read.
//   - When the real server compares versions of the game, it ignores the last part (z).
//
// A Layer is one message. Its Body is one of the structs of this package, whose Walk method lists the fields. Package
// decode uses Protocol to recognise conversations, and passes their messages to the tracker.
//
// A Layer contains one message and no state that outlasts it; such state belongs to the session and the tracker.
//
// Other programs may rely on its exported names, see docs/api.md.
package iceball
