// Package split finds which packets of a capture belong together, so that several engines can share the capture.
//
// Conversations depend on each other. Sessions and trackers connect them by server, by client, by master server, and by
// the addresses in messages. All of these are hosts. Two hosts belong together if packets between them may belong to a
// game, or if a message of one host names the other. A component is a maximal set of hosts that belong together,
// directly or through other hosts.
//
// Splitting takes two passes over the packets. In the first pass, a Splitter gets every frame:
//
//	s := split.New(protocols, decodeAs)
//	for each frame { s.Frame(&f) }
//	components := s.Parts().Asker()
//
// In the second pass, an Asker returns the component of each frame. Components count from 1, and 0 means that the frame
// cannot belong to a game. Each component may have its own engine, or several components may share one. An engine must
// skip the frames of other engines, because they advance its time:
//
//	for each frame { if mine(components.Of(&f)) { e.Frame(&f) } else { e.Skip(&f) } }
//
// Together, the engines find what one engine finds in all frames, except for the numbers of conversations. This is only
// true if no engine drops anything because memory runs out.
//
// If it is not clear whether hosts belong together, they are joined. This is always correct and only makes components
// larger. Ports and content determine whether a packet may belong to a game, as if every host were known to use every
// protocol. Broadcast and multicast packets belong to the component of their sender. In two cases everything becomes
// one component: if there are fragments that may carry tunnels, or more hosts than memory allows.
//
// The numbers of components depend only on the packets and their order. Each sensor needs its own Splitter, because
// different networks may use the same addresses for different hosts.
//
// This package must not depend on any particular protocol, or on files. It starts no goroutines.
package split
