// Package capture reads packets from capture files: pcap and pcapng, plain or compressed with gzip or zstd, from disk
// or from standard input, one file or several merged by time.
//
// It also writes them: pcapng and pcap, one file or a ring of files. Whatever stops the writer, the packets written so
// far can be read.
//
// [Open] and [NewReader] read one file, [Merge] reads several, and [OpenLive] and [OpenLives] capture from network
// interfaces on Linux. All of them return one [Packet] at a time. [Create] and [NewWriter] write packets.
//
// A Packet is a link-layer frame and its origin. The package decodes nothing inside a frame, knows no protocol and
// prints nothing.
//
// Capture files are not trusted. Whatever their bytes claim, reading takes a few megabytes at most. If a file ends
// early or contradicts itself, Next returns an [Error] after all packets before the damage; only an intact file ends
// with io.EOF.
//
// The formats are those of pcap-savefile(5), draft-ietf-opsawg-pcap and draft-ietf-opsawg-pcapng.
//
// Other programs may rely on its exported names, see docs/api.md.
package capture
