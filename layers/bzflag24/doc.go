// Package bzflag24 dissects the network protocol of BZFlag 2.4 (BZFS0221), a tank battle: the connection of a client to
// its server, the UDP link that complements it, and the search for servers.
//
// No document describes the protocol; the source is the behaviour of real servers and clients of 2.4.26. Package
// bzflag17 follows the document of BZFlag 1.07. The two versions share the four-byte header and most codes. These are
// the main differences: player numbers have one byte, letters identify flags, updates also have a short form with
// scaled numbers, lists replace single values, and the world database is deflated.
//
// The first messages of a connection have no header. The client sends ten bytes. The server answers with nine bytes,
// the hello, or with twelve bytes if it does not recognise a client.
//
// The package recognises servers of 1.10 and 2.0 by the version in the hello. It decodes those of their messages that
// have the layout of 2.4.
//
// Package world reads the world database, which a client downloads in parts with MsgGetWorld.
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
