package ip

// A Layout contains the offsets of headers in a frame, in bytes from its start.
type Layout struct {
	Network   int   // offset of the IP header
	Transport int   // offset of what follows the IP header and its extension headers
	End       int   // offset of the packet's end; padding may follow
	Protocol  uint8 // ProtocolTCP, ProtocolUDP ...
	Missing   int   // bytes at the end that were sent but not captured
	Fragment  bool
	Offset    int // for a fragment: the offset of its payload in the datagram
}

// Locate returns the layout of the IP packet that Find finds in a frame. ok is false if no packet directly follows the
// link's header: packets in a frame inside the frame, and in Wi-Fi, have no layout.
func Locate(link uint16, data []byte, length int) (Layout, bool) {
	var p Packet
	if Find(link, data, length, &p) != Found || p.Tunnels > 0 || isWiFi(link) {
		return Layout{}, false
	}
	network := cap(data) - p.left
	transport := network + p.Header
	return Layout{
		Network: network, Transport: transport, End: transport + len(p.Payload),
		Protocol: p.Protocol, Missing: p.Missing, Fragment: p.Fragment, Offset: p.Offset,
	}, true
}
