package anonymize

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// A datagram is reassembled from fragments. Its content is stored, because the checksum in the first fragment covers
// all fragments.
type datagram struct {
	content  []byte // from the transport header on; replaced after the first pass
	missing  int
	before   int   // bytes of extension headers before the content
	serial   int64 // number of the frame that completed it
	src, dst netip.Addr
	info     decode.PacketInfo
	moved    bool   // the packet has been moved to a separate frame
	again    extent // part of a TCP segment that an earlier packet may also have contained in one piece
}

func (d *datagram) isRecognised(a *Anonymizer) bool {
	return d != nil && a.recognised[conversationOf(&d.info)] && d.protocol() != 0
}

func (d *datagram) protocol() uint8 {
	switch d.info.Transport {
	case wire.UDP:
		return ip.ProtocolUDP
	case wire.TCP:
		return ip.ProtocolTCP
	}
	return 0
}

func (a *Anonymizer) rewriteDatagram(d *datagram) {
	if !d.isRecognised(a) || d.moved {
		d.content = nil
		return
	}
	old := string(d.content)
	a.payload(d.protocol(), d.content, d.missing, packetKey(&d.info, d.serial), &d.info)
	if header, _, ok := decode.SplitTransport(d.protocol(), d.content, d.missing); ok && d.again.from < d.again.to {
		payload := d.content[header:]
		fill(payload[d.again.from-d.info.At : d.again.to-d.info.At])
	}
	oldHosts := string(d.src.AsSlice()) + string(d.dst.AsSlice())
	newHosts := string(a.addresses.ip(d.src).AsSlice()) + string(a.addresses.ip(d.dst).AsSlice())
	ip.UpdateTransport(d.protocol(), d.content, len(d.content)+d.missing, oldHosts, newHosts, old)
}

// fragment rewrites a fragment of a recognised conversation. If the fragment's datagram is incomplete, it keeps only
// the header.
func (a *Anonymizer) fragment(l *ip.Layout, content []byte) {
	d := a.datagrams[a.info.Datagram]
	if d == nil {
		fill(content[min(max(udpHeader-l.Offset, 0), len(content)):])
		return
	}
	from := l.Offset - d.before // offset of the fragment in the content
	if from < 0 {
		content, from = content[min(-from, len(content)):], 0
	}
	n := copy(content, d.content[min(from, len(d.content)):])
	fill(content[n:])
}
