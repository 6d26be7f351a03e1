// Package bpf compiles capture filters, the language of pcap-filter(7), into
// programs and runs them over packets.
//
// A filter decides about whole link-layer frames, before anything is decoded.
// The same [Program] works for a file, where [Program.Match] runs it, and for a
// packet socket of Linux, where the kernel runs [Program.Raw]. Both decide alike.
//
// docs/capture-filters.md describes the supported part of the language. A
// filter decides like libpcap 1.10 without its optimizer, even about truncated
// packets; testdata/verdicts.txt records libpcap's verdicts. Anything else is
// rejected with a sentence that says what to write instead.
//
// Names are not looked up. A word must belong to the language or be a number,
// an address or the name of a well-known port; any other is rejected.
//
// A filter becomes a tree of tests (parse), and the tree becomes a program
// (generate). Each test loads a number and jumps. Tests whose outcome is known
// are removed.
//
// # Truncated packets
//
// If a filter reads beyond the end of a packet, it rejects the packet, even
// within "not". The bytes read depend on the order of evaluation: from left to
// right, and no further than needed.
//
// # VLAN tags
//
// After the word vlan, all offsets are four bytes higher, to the end of the
// filter. Linux removes a frame's outer tag before a socket's filter runs.
// There, "udp port 53" finds tagged frames too, and "vlan" never finds a tag. A
// filter for which [Program.ReadsVLAN] is true must run over frames with the
// tag put back. In files, tags are in their place. The result of [PortsFilter]
// works in both cases.
package bpf
