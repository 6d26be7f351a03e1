// Package bzflag24 dissects the network protocol of BZFlag 2.4 (BZFS0221), a tank battle: the
// connection of a client to its server, the UDP link beside it, and the search for servers.
//
// No document describes it; the source is the behaviour of real servers and clients of 2.4.26. The
// document of BZFlag 1.07 is read by bzflag17; in common have both the header of four bytes and
// most codes. What changed most: players have a number of one byte, flags go by letters, updates
// come in a small form with scaled numbers, lists replaced single values, and the world database
// is deflated.
//
// Servers of 1.10 and 2.0 are recognised by their hello; of their messages those are decoded whose
// layout is that of 2.4.
//
// A stream begins without headers: the client's ten bytes, then the server's nine, or twelve when
// it takes the other side for no client. The joined parts of MsgGetWorld are read by package world.
//
// A tracker follows each connection and finds what is wrong about several messages.
//
// A Layer is one message, and what it says is its Body: one of the structs here, each of which lists its fields in
// Walk. Protocol is what package decode has to know, which recognises conversations and has the tracker follow them.
//
// What may not enter: other protocols.
//
// Other programs may rely on what it exports, see docs/api.md.
package bzflag24
