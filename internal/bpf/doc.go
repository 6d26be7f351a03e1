// Package bpf compiles capture filters, the language of pcap-filter(7) that
// tcpdump made known, and runs what comes out over packets.
//
// A filter decides about whole link-layer frames, before anything is decoded.
// The same [Program] serves a file, where [Program.Match] runs it, and a packet
// socket of Linux, where the kernel runs [Program.Raw]; both decide alike.
//
// There are two compilers. Where libpcap is installed its own one is loaded at
// run time, so all of its language is there except what follows. Where it is
// not, a small one of this package takes over: host, net, port and portrange
// with directions, the usual protocols, vlan, lengths, inbound and outbound, and
// bytes compared with numbers. What that one takes it decides as libpcap 1.10
// without its optimizer does, for packets that were cut short too; the rest it
// refuses in a sentence.
//
// No name is looked up anywhere. libpcap would ask the system for hosts,
// networks, ports and protocols, and thereby the network; so each word of a
// filter is looked at first, and one that is neither of the language, nor a
// number, nor an address, nor a port's name known here, is refused. libpcap is
// never shown a name.
//
// The time that libpcap takes grows faster than a filter. Of more than 64
// conditions it is asked only for what the own compiler does not take, and of
// more than 200 never.
//
// # Packets cut short
//
// A filter that reads beyond the end of a packet rejects it, with no regard to
// "not" around. Which bytes are read depends on the order in which a filter is
// evaluated: from left to right, and no further than needed. libpcap's
// optimizer leaves out loads that decide nothing and moves others, so where
// several conditions are joined its verdict about one packet in a hundred that
// are cut within the headers differs from that of the own compiler. Of packets
// with whole headers, and by single conditions of all, both say the same.
//
// # VLAN tags
//
// After the word vlan libpcap takes all offsets four bytes further on, to the
// end of the filter. Linux removes a frame's outer tag before a socket's filter
// runs. There "udp port 53" sees tagged frames as well, and "vlan" never finds
// a tag; a filter for which [Program.ReadsVLAN] is true belongs onto frames
// into which the tag was put back. In files tags are where they were. What
// [PortsFilter] gives is right in both places.
//
// # Building without libpcap
//
// Loading a library needs the system's dynamic linker. With the build tag
// nolibpcap, and on systems other than Linux and macOS on amd64 and arm64, the
// package's own compiler is the only one, and a program of pure Go stays
// statically linked.
package bpf
