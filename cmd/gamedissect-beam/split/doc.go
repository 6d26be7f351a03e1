// Package split finds which packets of a capture belong together, so that several engines can share it.
//
// Conversations depend on each other: sessions and trackers connect them by server, by client, by master server, and by
// the addresses that messages name. All of these are hosts. Two hosts belong together if packets between them may be a
// game's, or if a message of one names the other. A component is a largest set of hosts that belong together, directly
// or through others.
//
// Splitting takes two passes over the packets. In the first, a Splitter is given every frame:
//
//	s := split.New(protocols, decodeAs)
//	for each frame { s.Frame(&f) }
//	components := s.Parts().Asker()
//
// In the second, an Asker returns the component of each frame, from 1; 0 is traffic that can be no game's. Each component
// may have an engine of its own, or several share one. An engine skips the frames of others, since they move its time
// on:
//
//	for each frame { if mine(components.Of(&f)) { e.Frame(&f) } else { e.Skip(&f) } }
//
// Together the engines find what one engine finds in all frames, except for the numbers of conversations, as long as no
// engine has to forget anything for lack of memory.
//
// In doubt hosts are joined, which is always right and only makes components larger. Ports and content decide whether a
// packet may be a game's, as if every host were known to speak every protocol. Broadcast and multicast packets belong
// to their sender. Some packets leave a single component: fragments of tunnels, and those of more hosts than there is
// memory for.
//
// The numbers of components depend on the packets and their order alone. Each sensor needs a Splitter of its own:
// different networks may use the same addresses for different hosts.
//
// The package knows no particular protocol and no files, and starts no goroutines.
package split
