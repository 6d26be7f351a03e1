// Package ip finds the IP packets in captured frames and joins those that came in fragments.
//
// Find reads the headers of a link (link.go) and of IP (packet.go); a Defragmenter joins fragments to whole
// packets and tells which could not be joined (fragment.go); Locate tells where things are, for those who
// change frames (locate.go). Nothing is copied but fragments: a packet's payload is a part of its frame.
// Checksums are left alone: offloading makes them wrong in honest captures.
//
// Other programs may rely on what it exports, see docs/api.md.
package ip
