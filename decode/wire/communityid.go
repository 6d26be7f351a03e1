package wire

import (
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"net/netip"
)

// communityVersion is what the identity of a conversation begins with.
const communityVersion = "1:"

// CommunityIDSize is how long the identity of a conversation is.
const CommunityIDSize = len(communityVersion) + (sha1.Size+2)/3*4

// The numbers of transports in IP.
var ipProtocols = [...]byte{UDP: 17, TCP: 6}

// AppendCommunityID appends the Community ID of the conversation that the place is in, version 1 with seed 0: a text
// that Zeek, Suricata, Wireshark and others give the same conversation, whoever of the two sends. See
// https://github.com/corelight/community-id-spec.
func (p *Place) AppendCommunityID(dst []byte) []byte {
	return AppendCommunityID(dst, p.Transport, p.Src, p.Dst)
}

// AppendCommunityID appends the Community ID of what two endpoints say to each other. There is none, and nothing is
// appended, where an address is missing.
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
	text = appendAddress(appendAddress(text, from), to)
	text = append(text, ipProtocols[t], 0)
	text = binary.BigEndian.AppendUint16(text, fromPort)
	text = binary.BigEndian.AppendUint16(text, toPort)
	sum := sha1.Sum(text)
	return base64.StdEncoding.AppendEncode(append(dst, communityVersion...), sum[:])
}

// appendAddress appends the bytes of an address.
func appendAddress(dst []byte, a netip.Addr) []byte {
	if a.Is4() {
		four := a.As4()
		return append(dst, four[:]...)
	}
	all := a.As16()
	return append(dst, all[:]...)
}
