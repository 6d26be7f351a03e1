// Package ip finds the IP packets in captured frames and reassembles fragments.
//
// Find reads the headers of a link (link.go) and of IP (packet.go). A Defragmenter joins fragments to whole packets and
// reports those it could not complete (fragment.go). Locate returns the offsets of headers, for programs that change
// frames (locate.go). Only fragments are copied: a packet's payload is a slice of its frame. Checksums are not
// verified, since offloading makes them wrong in honest captures.
//
// Other programs may rely on its exported names, see docs/api.md.
package ip
