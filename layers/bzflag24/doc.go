// Package bzflag24 dissects the network protocol of BZFlag 2.4 (BZFS0221), a tank battle: the connection of a client to
// its server, the UDP link beside it, and the search for servers.
//
// No document describes it; the source is the behaviour of real servers and clients of 2.4.26. Package bzflag17 follows
// the document of BZFlag 1.07. The two versions share the four-byte header and most codes. The main differences: player
// numbers have one byte, flags are identified by letters, updates also have a small form with scaled numbers, lists
// replaced single values, and the world database is deflated.
//
// Servers of 1.10 and 2.0 are recognised by their hello. Only those of their messages that have the layout of 2.4 are
// decoded.
//
// A stream begins without headers: ten bytes from the client, then nine from the server, or twelve if it does not
// recognise a client. Package world reads the joined parts of MsgGetWorld.
//
// A tracker follows each connection and reports problems that involve several messages.
//
// A Layer is one message. Its Body is one of the structs of this package, each of which lists its fields in Walk.
// Protocol describes the protocol to package decode, which recognises conversations and feeds the tracker.
//
// This package must not import other protocols.
//
// Other programs may rely on its exported names, see docs/api.md.
package bzflag24
