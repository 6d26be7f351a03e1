// Package tribes dissects the matchmaking of the game Tribes 1.11 over UDP: game servers
// announce themselves to a master server, the master verifies them and serves a list, and
// clients ask the master for the list and the servers about themselves.
//
// The sources are the protocol's document (TRIBES 1.11 SERVER MATCHMAKING PROTOCOL) and the
// behaviour of real masters, servers and clients. Where they differ, this package reads what
// real programs send:
//
//   - Type 0x03 has three uses with one layout: a client's query to a master, a client's ping
//     of a game server (the document lacks it), and a master's verification of a game server.
//     Which side is a master distinguishes them; see Peers.
//   - The header of eight bytes has an id after the key. In the document, 0x03 has no id.
//   - A list has the master's name before its message of the day. The document has the
//     opposite order; wire.Document labels them so.
//   - What the document calls RESERVED and NUMBER OF SERVERS is one big endian number for real
//     clients. Ports are little endian.
//   - A game info reply (0x04) has the number of players, the maximum and a version before
//     the name, which takes 30 bytes. If a packet has the length of the document's layout, the
//     name is read as 32 bytes at offset 6.
//   - Information keys have three layouts; the first that fits is used.
//   - 0x07 is a client's query to a game server, answered by 0x08. In the document it is a
//     game server's verification reply to a master.
//   - The same port answers GameSpy-style queries (0x60 to 0x63) and carries the game itself,
//     whose packets have the lowest bit of the first byte set.
//
// Keys are opaque bytes.
//
// The tracker checks several messages together: which answer belongs to which query, whether the packets of a list fit
// together, how regular heartbeats are. It sees decoded messages, never bytes.
//
// A Layer is one message. Its content is its Body: one of the structs here, each of which lists its fields in Walk.
// Package decode recognises conversations by Protocol and passes their messages to its tracker.
//
// Other programs may rely on its exported names, see docs/api.md.
package tribes
