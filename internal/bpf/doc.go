// Package bpf compiles capture filters, the language of pcap-filter(7), to programs, and runs them on packets.
//
// A filter decides about whole link-layer frames, before anything is decoded. The same [Program] works for files, where
// [Program.Match] runs it, and for a packet socket of Linux, where the kernel runs [Program.Raw]. Both accept the same
// packets.
//
// docs/capture-filters.md describes the supported part of the language. A filter accepts the same packets as libpcap
// 1.10 without its optimizer, even if packets are truncated. testdata/verdicts.txt records libpcap's verdicts. For
// anything unsupported, the error says what to write instead.
//
// Names are not looked up. Each word must belong to the language or be a number, an address or the name of a well-known
// port.
//
// parse converts a filter to a tree of tests, and generate converts the tree to a program. Each test loads a number and
// jumps. Tests with a known outcome are removed.
//
// # Truncated packets
//
// If a filter reads beyond the end of a packet, it rejects the packet, even inside "not". Which bytes it reads depends
// on the order of evaluation, which is from left to right and no further than necessary.
//
// # VLAN tags
//
// After the word vlan, all offsets are four bytes higher, up to the end of the filter. Linux removes a frame's outer
// tag before a socket's filter runs. There, "udp port 53" also finds tagged frames, and "vlan" never finds a tag. If
// [Program.ReadsVLAN] is true for a filter, it must run on frames in which the tag has been restored. In files, frames
// have their tags. The result of [PortsFilter] works in both cases.
package bpf
