package capture

import (
	"math"
	"strconv"
)

// LinkType is a link-layer header type as registered by tcpdump.org (LINKTYPE_ values). The package only names link
// types; it does not decode frames.
type LinkType uint16

var linkNames = map[LinkType]string{
	0:   "BSD loopback",
	1:   "Ethernet",
	6:   "Token Ring",
	8:   "SLIP",
	9:   "PPP",
	10:  "FDDI",
	50:  "PPP in HDLC",
	51:  "PPPoE",
	101: "raw IP",
	104: "Cisco HDLC",
	105: "IEEE 802.11",
	107: "Frame Relay",
	108: "OpenBSD loopback",
	109: "ENC",
	113: "Linux cooked v1",
	117: "PFLOG",
	127: "IEEE 802.11 with radiotap",
	192: "PPI",
	195: "IEEE 802.15.4",
	219: "MPLS",
	220: "USB on Linux",
	228: "raw IPv4",
	229: "raw IPv6",
	239: "NFLOG",
	253: "Netlink",
	258: "PKTAP",
	276: "Linux cooked v2",
	281: "Broadcom's tag",
	282: "Broadcom's tag before Ethernet",
	284: "DSA",
	285: "EDSA",
}

func (t LinkType) String() string {
	if name, ok := linkNames[t]; ok {
		return name
	}
	return "link type " + strconv.Itoa(int(t))
}

// Packet is one record of a capture file. Data is valid until the next call of Next; the other fields stay valid. Times
// outside the range of int64 saturate. A record without a time has the time of the packet before it, or 0.
type Packet struct {
	Data      []byte
	Length    int      // bytes on the wire, at least len(Data); more if the packet was cut to the snap length
	Time      int64    // nanoseconds since 1970 UTC, see above
	LinkType  LinkType // link type of the interface on which the packet was captured
	Interface int      // index of that interface, counted through the whole file (0 in pcap)
	Comments  []string // comments of the pcapng packet block, unchanged
	Offset    int64    // offset of Data in the file; 0: none, or the file is compressed
	Number    int      // number of the packet in its file, from 1
	File      string   // the file's name, as the caller gave it
}

// Source returns packets one at a time. Next sets all fields of p. At the end it returns io.EOF and leaves p unchanged.
// A Source must be used by one goroutine.
type Source interface {
	Next(p *Packet) error
	Close() error
}

// Limits of one record. No interface delivers frames larger than maxRecord, so a greater length means that the file is
// damaged or malicious.
const (
	usualRecord = 256 << 10 // bytes of packet data, whatever the snap length; also tcpdump's limit
	maxRecord   = 1 << 20   // bytes of packet data if the file announces a snap length above usualRecord
)

// recordLimit returns how many bytes a packet may have in a file with this snap length. Real files have packets that
// exceed the snap length but not usualRecord, and snap lengths of 0 or all ones for "no limit".
func recordLimit(snap uint32) uint32 {
	return min(max(snap, usualRecord), maxRecord)
}

// wireLength returns Packet.Length. Some writers set the original length to 0 or to less than the captured length.
func wireLength(claimed uint32, captured int) int {
	return max(int(min(claimed, math.MaxInt32)), captured)
}
