// Package bzflag17 dissects the network protocol of BZFlag 1.07, a tank game. It covers the connections of clients to
// servers, updates between players, the search for servers, and the UDP link of 1.07e.
//
// The sources are the protocol document (BZFlag network protocol, version 107b) and the behaviour of real servers and
// clients of 1.07c and 1.07e. Where the document and the programs differ, this package decodes what the programs send:
//
//   - MsgTeleport has the code "tp". The document shows "sc" instead, which is the code of MsgScore. Both messages
//     also have the same lengths, so nothing distinguishes them. In the dialect wire.Document, every "sc" is decoded as
//     MsgTeleport.
//   - MsgTeamUpdate has the code "tu". The document shows "to" instead, which is the code of MsgTimeLeft. A
//     message with this code and ten bytes is decoded as MsgTeamUpdate, and reported unless the dialect is
//     wire.Document.
//   - The document swaps the meanings of the two reasons in MsgShotEnd. The dialect determines which names are shown.
//   - In MsgGetWorld, the number of remaining bytes includes the current part. Parts have 256 bytes.
//   - The team in MsgCaptureFlag is the team of the base, not the team of the flag.
//   - In 1.07e, the hello (a server's first message) announces the same port to all clients. The server assigns new
//     player ids, and sends each player its id in eight additional bytes of MsgAddPlayer.
//   - If the status of a flag is Coming, the flag lands at its position. The fields for launch and landing contain old
//     values.
//   - The document omits MsgSetTTL from clients, MsgAccept as the answer to MsgNetworkRelay, MsgAcquireRadio,
//     MsgReleaseRadio, MsgAudio, MsgVideo, MsgQueryGame, MsgQueryPlayers, the pings, and everything new in 1.07e:
//     MsgIdAck, MsgWantWHash, MsgUDPLinkRequest, MsgUDPLinkEstablished, MsgUDPLinkUpdate, MsgServerControl,
//     MsgClientVersion and the framing of the UDP link.
//   - The length field of a ping reply is the length of the packet. In other messages it is the length of the body.
//
// Protocol.NewSplitter splits a stream into messages, and OpenUDPLink splits a datagram of the UDP link. ReadWorld
// reads a World from the joined parts of the world database.
//
// A Layer is one message. Its Body is one of the structs of this package, each of which lists its fields in Walk.
// Protocol describes the protocol to package decode, which recognises conversations and passes their messages to the
// tracker.
//
// This package must not import other protocols. Trackers use the fields of messages, never their bytes.
//
// Other programs may rely on its exported names, see docs/api.md.
package bzflag17
