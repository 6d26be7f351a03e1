// Package tribes dissects the matchmaking of the game Tribes 1.11 over UDP: game servers announce themselves to a
// master server, the master verifies the game servers and serves a list of them, and clients send queries to the master
// and to the game servers.
//
// The sources are the protocol document (TRIBES 1.11 SERVER MATCHMAKING PROTOCOL) and the behaviour of real masters,
// servers and clients. Where the document and the programs differ, this package decodes what the programs send:
//
//   - Type 0x03 has three uses with one layout: a client's query to a master, a client's ping of a game server (not in
//     the document), and a master's verification of a game server. The roles of sender and receiver distinguish the
//     uses (see Peers).
//   - The header of eight bytes has an id after the key. In the document, 0x03 has no id.
//   - A list has the master's name before its message of the day. The document has the opposite order. The dialect
//     wire.Document labels the two as in the document.
//   - Real clients read the fields RESERVED and NUMBER OF SERVERS as one big endian number. Ports are little endian.
//   - A game info reply (0x04) has the maximum number of players, the number of players and a version before the name,
//     which takes 30 bytes. If a packet has the length of the document's layout, the name is read as 32 bytes at
//     offset 6.
//   - Information keys, the names of requested values, have three layouts. The first layout that matches the packet is
//     used.
//   - 0x07 is a client's query to a game server, which answers with 0x08. In the document, 0x07 is a game server's
//     reply to a master's verification.
//   - A game server also answers GameSpy-style queries (codes 0x60 to 0x63) on its port, and the game itself uses this
//     port. Packets of the game have the lowest bit of the first byte set.
//
// A packet's key, which the answer must repeat, has no meaning of its own.
//
// The tracker checks several messages together: which answer belongs to which query, whether the packets of a list are
// consistent, and how regular heartbeats are. It uses decoded messages, never bytes.
//
// A Layer is one message. Its content is its Body, one of the structs of this package, each of which lists its fields
// in Walk. Package decode uses Protocol to recognise conversations, and passes their messages to the tracker.
//
// Other programs may rely on its exported names, see docs/api.md.
package tribes
