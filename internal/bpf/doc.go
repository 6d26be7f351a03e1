// Package bpf compiles capture filters, the language of pcap-filter(7), to classic BPF programs, and runs them on
// packets.
//
// A filter accepts or rejects whole link-layer frames, before anything is decoded. The same [Program] works for files,
// where [Program.Match] runs it, and for a Linux packet socket, where the kernel runs [Program.Raw].
//
// docs/capture-filters.md describes the supported part of the language. A filter accepts the same packets as libpcap
// 1.10 without its optimizer, even if packets are truncated. testdata/verdicts.txt records libpcap's verdicts. For
// anything unsupported, the error says what to write instead.
//
// Host names are not looked up. A word must belong to the language or be a number, an address or the name of a known
// port.
//
// parse converts a filter to a tree of tests, and generate converts the tree to a program. Each test loads a number
// from the packet, compares it, and jumps. The program leaves out a test if earlier tests determine its outcome.
//
// # Truncated packets
//
// If a filter reads beyond the end of a packet, it rejects the packet, even if "not" comes before the condition.
// Conditions are evaluated from left to right. Evaluation stops as soon as the result is known.
//
// # VLAN tags
//
// After the word vlan, all offsets are four bytes higher, up to the end of the filter. Linux removes a frame's outer
// tag before a socket's filter runs. On such a socket, "udp port 53" also finds tagged frames, and "vlan" never finds a
// tag. If [Program.ReadsVLAN] is true for a filter, it must run on frames in which the tag has been restored. In files,
// frames have their tags. The result of [PortsFilter] works in both cases.
package bpf
