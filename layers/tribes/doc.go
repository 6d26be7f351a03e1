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
//     Which side is a master tells them apart; see Peers.
//   - The header of eight bytes has an id after the key. The document leaves it out of 0x03.
//   - A list has the master's name before its message of the day. The document has them the
//     other way round; wire.Document labels them so.
//   - What the document calls RESERVED and NUMBER OF SERVERS is one big endian number for real
//     clients. Ports are little endian.
//   - A game info reply (0x04) has the number of players, the maximum and a version in front of
//     the name, which takes 30 bytes. The document's 32 bytes of name at offset 6 are read
//     when the packet is as long as they make it.
//   - Information keys come in three layouts; the first that fits is taken.
//   - 0x07 is a client's question to a game server, answered by 0x08. The document calls it
//     a game server's verification reply to a master.
//   - The same port answers GameSpy-style queries (0x60 to 0x63) and carries the game itself,
//     whose packets have the lowest bit of the first byte set.
//
// Keys are opaque and stay bytes.
//
// The tracker checks several messages together: which answer belongs to which query, whether the packets of a list fit
// together, how regular heartbeats are. It sees decoded messages, never bytes.
//
// A Layer is one message, and what it says is its Body: one of the structs here, each of which lists its fields in
// Walk. Package decode recognises conversations by Protocol and passes their messages to its tracker.
//
// Other programs may rely on what it exports, see docs/api.md.
package tribes
