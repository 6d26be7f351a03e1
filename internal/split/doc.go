// Package split tells which packets of a capture belong together, so that several engines can share it.
//
// Conversations are not independent: sessions and trackers join them by server, by client, who asks many servers, by
// master, and by addresses that messages name. What holds for all of them is the hosts: two hosts that speak a game's
// protocol belong together, and so does who is named by one of them. A component is all hosts that belong together in
// this way, over any number of others.
//
// It takes two passes over the packets. The first one is a Splitter's, which is shown every frame:
//
//	s := split.New(protocols, decodeAs)
//	for each frame { s.Frame(&f) }
//	components := s.Parts().Asker()
//
// In the second one an Asker says which component a frame is of, from 1; 0 is traffic that no game can have part in.
// Each component may have an engine of its own, or share one with others. An engine is told of the frames that are not
// its own as well, by decode.Engine.Skip, since they are the clock of the capture:
//
//	for each frame { if mine(components.Of(&f)) { e.Frame(&f) } else { e.Skip(&f) } }
//
// What the engines tell of a frame is then what one engine tells that is shown all of it, but for the numbers of
// conversations, as long as no engine has to forget anything for want of memory.
//
// In doubt hosts are joined: that is always right, and only costs parallel work. A packet is looked at for what it may
// be, by its ports and its content, as if everybody were known to speak every protocol. Broadcast and multicast join
// nobody: they are of who sends them. What makes single packets useless, such as fragments of tunnels, and more hosts
// than there is memory for, leaves one component.
//
// The numbers of components depend on the packets and their order alone. Sensors that see networks of their own may
// use the same addresses for different hosts: they have a Splitter each.
//
// What may not enter: a particular protocol, files, and goroutines.
package split
