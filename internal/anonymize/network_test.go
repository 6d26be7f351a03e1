package anonymize_test

import (
	"bytes"
	"encoding/binary"
	"math/rand"
	"slices"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/ip"
)

// changes are the changes that networks, capture points and faulty programs make to a capture, by name.
var changes = []struct {
	name string
	do   func(list []decode.Frame, r *rand.Rand) []decode.Frame
}{
	{"nothing", func(list []decode.Frame, _ *rand.Rand) []decode.Frame { return list }},
	{"loss", func(list []decode.Frame, r *rand.Rand) []decode.Frame {
		return slices.DeleteFunc(slices.Clone(list), func(decode.Frame) bool { return r.Float64() < .05 })
	}},
	{"burst", func(list []decode.Frame, r *rand.Rand) []decode.Frame {
		from := r.Intn(len(list))
		return slices.Concat(list[:from], list[min(len(list), from+20):])
	}},
	{"middle", func(list []decode.Frame, r *rand.Rand) []decode.Frame { return list[r.Intn(len(list)):] }},
	{"end", func(list []decode.Frame, r *rand.Rand) []decode.Frame { return list[:1+r.Intn(len(list))] }},
	{"snap", func(list []decode.Frame, r *rand.Rand) []decode.Frame {
		size := 60 + r.Intn(80)
		return each(list, func(f *decode.Frame) { f.Data = f.Data[:min(len(f.Data), size)] })
	}},
	{"one direction", func(list []decode.Frame, r *rand.Rand) []decode.Frame {
		seen, odd := make(map[string]bool), r.Intn(2) == 0
		return slices.DeleteFunc(slices.Clone(list), func(f decode.Frame) bool {
			from, to, _, ok := content(&f)
			seen[from+to] = ok && !seen[to+from] || seen[from+to]
			return seen[from+to] == odd
		})
	}},
	{"copies", func(list []decode.Frame, r *rand.Rand) []decode.Frame {
		return copied(list, r, .2, func(f *decode.Frame) { f.Time += 1e6 })
	}},
	{"router", func(list []decode.Frame, r *rand.Rand) []decode.Frame {
		return copied(list, r, 1, func(f *decode.Frame) {
			f.Time += 20e3
			if l, ok := ip.Locate(f.Link, f.Data, f.Length); ok && f.Data[l.Network]>>4 == 4 {
				old := string(f.Data[l.Network:l.Transport])
				f.Data[l.Network+8]--
				ip.UpdateHeader(f.Data[l.Network:l.Transport], old)
			}
		})
	}},
	{"other bytes", func(list []decode.Frame, r *rand.Rand) []decode.Frame { // from a random offset in a segment
		return copied(list, r, .2, func(f *decode.Frame) {
			if _, _, payload, _ := content(f); len(payload) > 0 && isTCP(f) {
				at := r.Intn(len(payload))
				copy(payload[at:], bytes.Repeat([]byte(retransmittedName), len(payload)))
			}
		})
	}},
	{"clock", func(list []decode.Frame, r *rand.Rand) []decode.Frame {
		from := r.Intn(len(list))
		return slices.Concat(list[:from], each(list[from:], func(f *decode.Frame) { f.Time -= 3600e9 }))
	}},
	{"two days", func(list []decode.Frame, _ *rand.Rand) []decode.Frame {
		return slices.Concat(list, each(list, func(f *decode.Frame) { f.Time += 86400e9 }))
	}},
	// Only in UDP. In TCP, a wrong length may move a name to where the protocol expects a world, which is public.
	{"wrong byte", func(list []decode.Frame, r *rand.Rand) []decode.Frame { // including counts and lengths
		return each(list, func(f *decode.Frame) {
			if _, _, payload, _ := content(f); len(payload) > 0 && r.Intn(3) == 0 && !isTCP(f) {
				payload[r.Intn(len(payload))] = byte(r.Intn(256))
			}
		})
	}},
}

func isTCP(f *decode.Frame) bool {
	l, ok := ip.Locate(f.Link, f.Data, f.Length)
	return ok && l.Protocol == ip.ProtocolTCP
}

// retransmittedName is a name that is in no message.
const retransmittedName = "NameOfSomeoneElse"

// each copies frames and changes the copies.
func each(list []decode.Frame, do func(*decode.Frame)) []decode.Frame {
	list = slices.Clone(list)
	for i := range list {
		list[i].Data = bytes.Clone(list[i].Data)
		do(&list[i])
	}
	return list
}

// copied inserts changed copies after some of the frames.
func copied(list []decode.Frame, r *rand.Rand, share float64, do func(*decode.Frame)) (out []decode.Frame) {
	for i := range list {
		out = append(out, list[i])
		if r.Float64() < share {
			out = append(out, each(list[i:i+1], do)...)
		}
	}
	return out
}

// content returns the endpoints and the payload of a UDP or TCP packet.
func content(f *decode.Frame) (from, to string, payload []byte, ok bool) {
	l, ok := ip.Locate(f.Link, f.Data, f.Length)
	if !ok || l.Fragment || l.Transport+4 > l.End {
		return "", "", nil, false
	}
	header, size, ok := decode.SplitTransport(l.Protocol, f.Data[l.Transport:l.End], l.Missing)
	if !ok {
		return "", "", nil, false
	}
	src, dst := ip.Addresses(f.Data[l.Network:])
	ports := f.Data[l.Transport:]
	from = string(binary.BigEndian.AppendUint16(bytes.Clone(src), binary.BigEndian.Uint16(ports)))
	to = string(binary.BigEndian.AppendUint16(bytes.Clone(dst), binary.BigEndian.Uint16(ports[2:])))
	return from, to, f.Data[l.Transport+header:][:size], true
}
