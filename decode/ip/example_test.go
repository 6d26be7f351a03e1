package ip_test

import (
	"fmt"

	"github.com/gamedissect/gamedissect/decode/ip"
)

// Two fragments of a UDP datagram, in frames without a link header.
func Example() {
	header := func(size, flags, offset byte) []byte {
		return []byte{0x45, 0, 0, size, 0, 7, flags, offset, 64, 17, 0, 0, 192, 0, 2, 1, 198, 51, 100, 2}
	}
	frames := [][]byte{
		append(header(28, 0x20, 0), 0x6d, 0x60, 0x6d, 0x61, 0, 12, 0, 0), // the UDP header; more fragments follow
		append(header(24, 0, 1), "game"...),
	}
	fragments := ip.Defragmenter{Lost: func(l ip.LostDatagram) { fmt.Println("lost", l.ID) }}
	for number, frame := range frames {
		var p ip.Packet
		if ip.Find(ip.LinkRaw, frame, len(frame), &p) != ip.Found {
			continue
		}
		if p.Fragment {
			if _, joined := fragments.Add(&p, number+1, 0, &p); !joined {
				continue
			}
		}
		fmt.Println(p.Src, p.Dst, p.Protocol == ip.ProtocolUDP, p.Carriers, string(p.Payload[8:]))
	}
	fragments.Flush()
	// Output: 192.0.2.1 198.51.100.2 true 2 game
}
