package decode_test

import (
	"encoding/binary"
	"slices"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/ip"
)

// onOtherPorts changes the ports of the games' servers to ports that no protocol uses.
func onOtherPorts(frames []decode.Frame) []decode.Frame {
	frames = slices.Clone(frames)
	for i := range frames {
		f := &frames[i]
		l, ok := ip.Locate(f.Link, f.Data, f.Length)
		if !ok || l.Offset > 0 || l.End < l.Transport+4 {
			continue
		}
		f.Data = slices.Clone(f.Data)
		for at := l.Transport; at < l.Transport+4; at += 2 {
			if port := binary.BigEndian.Uint16(f.Data[at:]); port == 5154 || port == 5155 {
				binary.BigEndian.PutUint16(f.Data[at:], port+20000)
			}
		}
	}
	return frames
}

// overIPv6 converts IPv4 packets to IPv6.
func overIPv6(frames []decode.Frame) (all []decode.Frame) {
	for _, f := range frames {
		l, ok := ip.Locate(f.Link, f.Data, f.Length)
		if !ok || l.Fragment || f.Data[l.Network]>>4 != 4 {
			continue
		}
		content := f.Data[l.Transport:l.End]
		packet := make([]byte, 40, 40+len(content))
		packet[0], packet[6], packet[7] = 0x60, l.Protocol, 64
		binary.BigEndian.PutUint16(packet[4:], uint16(len(content)+l.Missing))
		src, dst := ip.Addresses(f.Data[l.Network:])
		copy(packet[8:], "\x20\x01\x0d\xb8")
		copy(packet[24:], "\x20\x01\x0d\xb8")
		copy(packet[20:], src)
		copy(packet[36:], dst)
		f.Data, f.Link = append(packet, content...), ip.LinkRaw
		f.Length = len(f.Data) + l.Missing
		all = append(all, f)
	}
	return all
}

// cutAt96 truncates each packet to 96 captured bytes.
func cutAt96(frames []decode.Frame) []decode.Frame {
	frames = slices.Clone(frames)
	for i := range frames {
		frames[i].Data = frames[i].Data[:min(96, len(frames[i].Data))]
	}
	return frames
}

// inBytes splits segments into segments of one byte.
func inBytes(frames []decode.Frame) (all []decode.Frame) {
	for _, f := range frames {
		l, ok := ip.Locate(f.Link, f.Data, f.Length)
		header, size, _ := decode.SplitTransport(l.Protocol, f.Data[min(l.Transport, len(f.Data)):min(l.End, len(f.Data))], l.Missing)
		if !ok || l.Fragment || l.Protocol != ip.ProtocolTCP || l.Missing > 0 || size < 2 {
			all = append(all, f)
			continue
		}
		data := l.Transport + header
		for k := range size {
			one := shorten(f, data, k)
			drop := size - k - 1
			one.Data, one.Length = one.Data[:data+1], data+1
			if drop > 0 {
				one.Data[l.Transport+13] &^= 1 // clears FIN
			}
			if sized := one.Data[l.Network+2:]; one.Data[l.Network]>>4 == 4 && binary.BigEndian.Uint16(sized) > 0 {
				binary.BigEndian.PutUint16(sized, binary.BigEndian.Uint16(sized)-uint16(drop))
			}
			all = append(all, one)
		}
	}
	return all
}

// shapes are transformations of a capture that preserve its conversations.
var shapes = []struct {
	name string
	of   func([]decode.Frame) []decode.Frame
}{
	{"unchanged", slices.Clone[[]decode.Frame]},
	{"on other ports", onOtherPorts},
	{"over IPv6", overIPv6},
	{"cut at 96", cutAt96},
	{"byte by byte", inBytes},
}
