// Package bpf compiles capture filters, the language of pcap-filter(7), into
// programs and runs them over packets.
//
// A filter decides about whole link-layer frames, before anything is decoded.
// The same [Program] serves a file, where [Program.Match] runs it, and a packet
// socket of Linux, where the kernel runs [Program.Raw]; both decide alike.
//
// docs/capture-filters.md says what of the language there is. A filter decides
// as libpcap 1.10 without its optimizer does, also about packets that were cut
// short; testdata/verdicts.txt records libpcap's verdicts. What is not
// understood is refused in a sentence that says what to write instead.
//
// No name is looked up anywhere. A word is of the language, a number, an
// address or the name of a well-known port; any other is refused.
//
// A filter becomes a tree of tests (parse), the tree becomes a program
// (generate): each test loads a number and jumps, tests whose outcome is known
// are left out.
//
// # Packets cut short
//
// A filter that reads beyond the end of a packet rejects it, with no regard to
// "not" around. Which bytes are read depends on the order in which a filter is
// evaluated: from left to right, and no further than needed.
//
// # VLAN tags
//
// After the word vlan all offsets are four bytes further on, to the end of the
// filter. Linux removes a frame's outer tag before a socket's filter runs.
// There "udp port 53" sees tagged frames as well, and "vlan" never finds a tag;
// a filter for which [Program.ReadsVLAN] is true belongs onto frames into which
// the tag was put back. In files tags are where they were. What [PortsFilter]
// gives is right in both places.
package bpf
