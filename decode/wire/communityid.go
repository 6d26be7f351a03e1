package wire

import (
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"net/netip"
)

const communityVersion = "1:"

// CommunityIDSize is the length of a Community ID.
const CommunityIDSize = len(communityVersion) + (sha1.Size+2)/3*4

var ipProtocols = [...]byte{UDP: 17, TCP: 6}

// AppendCommunityID appends the Community ID of the place's conversation: version 1 with seed 0. It is the same text
// for both directions of a conversation. Zeek, Suricata, Wireshark and others use it too. See
// https://github.com/corelight/community-id-spec.
func (p *Place) AppendCommunityID(dst []byte) []byte {
	return AppendCommunityID(dst, p.Transport, p.Src, p.Dst)
}

// AppendCommunityID appends the Community ID of the conversation between two endpoints. If an address is missing, it
// appends nothing.
func AppendCommunityID(dst []byte, t Transport, a, b netip.AddrPort) []byte {
	from, to := a.Addr().Unmap().WithZone(""), b.Addr().Unmap().WithZone("")
	if !from.IsValid() || !to.IsValid() {
		return dst
	}
	fromPort, toPort := a.Port(), b.Port()
	if order := to.Compare(from); order < 0 || order == 0 && toPort < fromPort {
		from, to, fromPort, toPort = to, from, toPort, fromPort
	}
	var room [2 + 2*16 + 2 + 2*2]byte
	text := room[:2] // the seed
	text, _ = from.AppendBinary(text)
	text, _ = to.AppendBinary(text)
	text = append(text, ipProtocols[t], 0)
	text = binary.BigEndian.AppendUint16(text, fromPort)
	text = binary.BigEndian.AppendUint16(text, toPort)
	sum := sha1.Sum(text)
	return base64.StdEncoding.AppendEncode(append(dst, communityVersion...), sum[:])
}
