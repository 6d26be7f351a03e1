// Package bzflag17 dissects the network protocol of BZFlag 1.07, a tank battle: the connection of
// a client to a server, updates between players, the search for servers, and the UDP link of 1.07e.
//
// The sources are the protocol's document (BZFlag network protocol, version 107b) and the behaviour
// of real servers and clients of 1.07c and 1.07e. Where they differ, this package reads what real
// programs send:
//
//   - The document draws MsgTeleport with the code of MsgScore (sc) and the same lengths. Its real
//     code is tp. With wire.Document sc is read as MsgTeleport; a program that sends both by the
//     document cannot be read with certainty.
//   - It draws MsgTeamUpdate with the code of MsgTimeLeft (to); its real code is tu. A to of ten
//     bytes is read as MsgTeamUpdate, and reported unless wire.Document asks for it.
//   - The reason of MsgShotEnd has the opposite meanings; wire.Document changes their names.
//   - The remaining bytes of MsgGetWorld include the part they come with, and parts have 256 bytes.
//   - MsgCaptureFlag names the team of the base, not that of the flag.
//   - The port that the hello announces is one for all clients in 1.07e. There the server makes
//     player ids of its own, and tells the player in eight bytes more of MsgAddPlayer.
//   - A flag that is Coming lands at its position; launch and landing hold old values.
//   - The document leaves out MsgSetTTL from clients, MsgAccept as the answer to MsgNetworkRelay,
//     MsgAcquireRadio, MsgReleaseRadio, MsgAudio, MsgVideo, MsgQueryGame, MsgQueryPlayers, the
//     pings, and all of 1.07e: MsgIdAck, MsgWantWHash, MsgUDPLinkRequest, MsgUDPLinkEstablished,
//     MsgUDPLinkUpdate, MsgServerControl, MsgClientVersion and the framing of the UDP link.
//   - The length field of a ping reply counts all of the packet, that of other messages the body.
//
// A stream is cut into messages by Protocol.NewSplitter, a datagram of the UDP link by OpenUDPLink. Joined
// parts of the world database are read by World.
//
// A Layer is one message, and what it says is its Body: one of the structs here, each of which lists its fields in
// Walk. Protocol is what package decode has to know, which recognises conversations and has the tracker follow them.
//
// What may not enter: other protocols. Trackers read what messages say, never their bytes.
//
// Other programs may rely on what it exports, see docs/api.md.
package bzflag17
