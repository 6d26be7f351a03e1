// Package bzflag17 dissects the network protocol of BZFlag 1.07, a tank battle: the connection of a client to a server,
// updates between players, the search for servers, and the UDP link of 1.07e.
//
// The sources are the protocol's document (BZFlag network protocol, version 107b) and the behaviour of real servers and
// clients of 1.07c and 1.07e. Where they differ, this package decodes what real programs send:
//
//   - The code of MsgTeleport is tp. In the document it is sc, the code of MsgScore, which also has the same lengths.
//     With wire.Document, sc is decoded as MsgTeleport. If a program follows the document and sends both messages, they
//     cannot be distinguished with certainty.
//   - The code of MsgTeamUpdate is tu. In the document it is to, the code of MsgTimeLeft. A message with the code to
//     and ten bytes is decoded as MsgTeamUpdate, and reported unless wire.Document is set.
//   - The document exchanges the meanings of two reasons of MsgShotEnd. wire.Document changes their names.
//   - In MsgGetWorld, the number of remaining bytes includes the current part. Parts have 256 bytes.
//   - The team in MsgCaptureFlag is the team of the base, not the team of the flag.
//   - In 1.07e, the hello announces the same port to all clients. The server assigns other player ids, and sends each
//     player its id in eight additional bytes of MsgAddPlayer.
//   - A flag that is Coming lands at its position. Its launch and landing fields contain old values.
//   - The document omits MsgSetTTL from clients, MsgAccept as the answer to MsgNetworkRelay, MsgAcquireRadio,
//     MsgReleaseRadio, MsgAudio, MsgVideo, MsgQueryGame, MsgQueryPlayers, the pings, and everything new in 1.07e:
//     MsgIdAck, MsgWantWHash, MsgUDPLinkRequest, MsgUDPLinkEstablished, MsgUDPLinkUpdate, MsgServerControl,
//     MsgClientVersion and the framing of the UDP link.
//   - The length field of a ping reply is the length of the packet. In other messages it is the length of the body.
//
// Protocol.NewSplitter splits a stream into messages, and OpenUDPLink splits a datagram of the UDP link. A World is
// read from the joined parts of the world database.
//
// A Layer is one message. Its Body is one of the structs of this package, each of which lists its fields in Walk.
// Protocol describes the protocol to package decode, which recognises conversations and feeds the tracker.
//
// This package must not import other protocols. Trackers use the fields of messages, never their bytes.
//
// Other programs may rely on its exported names, see docs/api.md.
package bzflag17
