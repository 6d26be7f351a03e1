// Package iceball dissects the heartbeat of the game Iceball: game servers announce
// themselves to a heartbeat server over UDP, prove with a cookie that they receive at their
// address, and are then listed.
//
// The sources are the protocol's document (docs/proto_heart.txt in the game's repository) and
// the behaviour of the real heartbeat server and game. Where they differ, this package reads
// what real programs send:
//
//   - The document calls the texts .z, as if they always ended with a NUL; full ones do not.
//   - A cookie may have any length in the document. The real server always sends four bytes.
//   - The heartbeat server answers BADF only to an announce of the right version and the wrong
//     length; the document means it for everything it cannot read. The version is looked at first.
//   - Of the game's version the real server ignores the last part (z) when it compares.
//
// A Layer is one message, and what it says is its Body: one of the structs here, each of which lists its fields in
// Walk. Package decode recognises conversations by Protocol and passes their messages to its tracker.
//
// A Layer knows one message. What lasts longer belongs to the session and the tracker.
//
// Other programs may rely on what it exports, see docs/api.md.
package iceball
