package ip

// A Layout contains the offsets of the headers in a frame, in bytes from the frame's start.
type Layout struct {
	Network   int   // offset of the IP header
	Transport int   // offset of the transport header, after any extension headers of IP
	End       int   // offset of the packet's end; padding may follow
	Protocol  uint8 // ProtocolTCP, ProtocolUDP ...
	Missing   int   // bytes at the end that were sent but not captured
	Fragment  bool
	Offset    int // offset of the payload within the datagram, for a fragment
}

// Locate returns the layout of the IP packet that Find finds in a frame. ok is false if the packet does not directly
// follow the link header, as in a frame inside another frame or in a Wi-Fi frame.
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
