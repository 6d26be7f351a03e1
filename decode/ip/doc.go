// Package ip finds the IP packets in captured frames and reassembles fragments.
//
// Find reads the link header (link.go) and the IP header (packet.go). A Defragmenter joins fragments into datagrams and
// reports incomplete datagrams (fragment.go). Locate returns the offsets of headers, for programs that change frames
// (locate.go). The payload of a packet is a slice of its frame; only fragments are copied. Find does not verify
// checksums, because a network device may fill them in after the capture.
//
// Other programs may rely on its exported names, see docs/api.md.
package ip
