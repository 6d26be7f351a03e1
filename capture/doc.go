// Package capture brings packets out of capture files: pcap and pcapng, plain
// or compressed with gzip or zstd, from disk or from standard input, one file
// or several merged by time.
//
// It also writes them: pcapng and pcap, one file or a ring of files, of which
// whole packets are left whatever stops the writer.
//
// [Open] and [NewReader] read one file, [Merge] several, [OpenLive] and [OpenLives] take packets from interfaces of
// Linux: all of them give a [Packet] at a time. [Create] and [NewWriter] write them.
//
// What leaves this package is link-layer frames and where they came from.
// It decodes nothing inside a frame, knows no protocol, prints nothing and
// asks nothing of a terminal; such code belongs into other packages.
//
// Capture files come from strangers. Whatever their bytes claim, reading takes
// a few megabytes at most, and a file that ends early or contradicts itself is
// never mistaken for one that is complete: every way to end other than between
// two records of an intact file gives an [Error], after all the packets that
// precede the damage.
//
// The formats are those of pcap-savefile(5), draft-ietf-opsawg-pcap and
// draft-ietf-opsawg-pcapng.
//
// Other programs may rely on what it exports, see docs/api.md.
package capture
