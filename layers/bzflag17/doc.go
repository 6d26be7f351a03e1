// Package bzflag17 dissects the network protocol of BZFlag 1.07, a tank battle: the connection of a client to a server,
// updates between players, the search for servers, and the UDP link of 1.07e.
//
// The sources are the protocol's document (BZFlag network protocol, version 107b) and the behaviour of real servers and
// clients of 1.07c and 1.07e. Where they differ, this package decodes what real programs send:
//
//   - The document gives MsgTeleport the code of MsgScore (sc) and the same lengths. Its real code is tp. With
//     wire.Document, sc is decoded as MsgTeleport; if a program follows the document and sends both, they cannot be
//     distinguished with certainty.
//   - The document gives MsgTeamUpdate the code of MsgTimeLeft (to); its real code is tu. A to of ten bytes is decoded
//     as MsgTeamUpdate, and reported unless wire.Document is set.
//   - The document swaps the meanings of the reasons of MsgShotEnd; wire.Document changes their names.
//   - The remaining bytes of MsgGetWorld include the current part, and parts have 256 bytes.
//   - MsgCaptureFlag names the team of the base, not the team of the flag.
//   - In 1.07e, the hello announces the same port to all clients. The server makes its own player ids, and sends each
//     player its id in eight additional bytes of MsgAddPlayer.
//   - A flag that is Coming lands at its position; launch and landing contain old values.
//   - The document leaves out MsgSetTTL from clients, MsgAccept as the answer to MsgNetworkRelay, MsgAcquireRadio,
//     MsgReleaseRadio, MsgAudio, MsgVideo, MsgQueryGame, MsgQueryPlayers, the pings, and all of 1.07e: MsgIdAck,
//     MsgWantWHash, MsgUDPLinkRequest, MsgUDPLinkEstablished, MsgUDPLinkUpdate, MsgServerControl, MsgClientVersion and
//     the framing of the UDP link.
//   - The length field of a ping reply counts the whole packet; in other messages it counts the body.
//
// Protocol.NewSplitter splits a stream into messages, and OpenUDPLink splits a datagram of the UDP link. World reads
// the joined parts of the world database.
//
// A Layer is one message. Its Body is one of the structs of this package, each of which lists its fields in Walk.
// Protocol describes the protocol to package decode, which recognises conversations and feeds the tracker.
//
// This package must not import other protocols. Trackers use the fields of messages, never their bytes.
//
// Other programs may rely on its exported names, see docs/api.md.
package bzflag17
