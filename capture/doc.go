// Package capture reads packets from capture files: pcap and pcapng, plain or compressed with gzip or zstd, from disk
// or from standard input, one file or several merged by time.
//
// It also writes pcapng and pcap, to one file or to a ring of files. If the writing program is killed or fails, the
// packets written so far remain readable.
//
// [Open] and [NewReader] read one file, [Merge] reads several, and [OpenLive] and [OpenLives] capture from network
// interfaces on Linux. All of them return one [Packet] at a time. [Create] and [NewWriter] write packets.
//
// A Packet is a link-layer frame and its origin. The package does not decode frames, does not depend on any protocol,
// and prints nothing.
//
// Capture files are not trusted. Reading takes at most a few megabytes of memory, whatever a file claims. If a file
// ends early or contradicts itself, Next returns all packets before the damage and then an [Error]. It returns io.EOF
// only at the end of an intact file.
//
// The formats are defined in pcap-savefile(5), draft-ietf-opsawg-pcap and draft-ietf-opsawg-pcapng.
//
// Other programs may rely on its exported names, see docs/api.md.
package capture
