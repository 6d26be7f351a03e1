package split

import (
	"encoding/binary"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/ip"
)

// Share gives one of n splitters for a frame, from 0, where several goroutines share the first pass: for all frames
// between the same two hosts the same one, since what a stream says may go on from frame to frame. What the splitters
// found is put together by Sketch.Merge.
func Share(f *decode.Frame, n int) int {
	var sum uint32 // the same in both directions
	if b := f.Data; f.Link == ip.LinkEthernet && len(b) >= 34 && b[12] == 8 && b[13] == 0 {
		sum = binary.BigEndian.Uint32(b[26:]) + binary.BigEndian.Uint32(b[30:])
	} else {
		var p ip.Packet
		if ip.Find(f.Link, f.Data, f.Length, &p) == ip.Found {
			src, dst := p.Src.As16(), p.Dst.As16()
			sum = binary.BigEndian.Uint32(src[12:]) + binary.BigEndian.Uint32(dst[12:])
		}
	}
	return int((sum * 0x9e3779b1 >> 8) % uint32(n)) // neighbours are spread
}
