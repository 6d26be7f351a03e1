package bzflag

import (
	"encoding/hex"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Code names a message: mostly two letters, the first in the high byte.
type Code uint16

// The codes of pings, which find servers without a connection, and that of a message that is
// defined and never sent.
const (
	CodePingOldReply   Code = 0x0101
	CodePingOldRequest Code = 0x0202
	CodePingReply      Code = 0x0303
	CodePingRequest    Code = 0x0404

	CodeNull Code = 0x0000
)

// String is the two letters, or four hex digits when they are none.
func (k Code) String() string {
	b := []byte{byte(k >> 8), byte(k)}
	if Printable(b[0]) && Printable(b[1]) {
		return string(b)
	}
	return hex.EncodeToString(b)
}

// Printable reports whether a byte is a visible character of ASCII.
func Printable(b byte) bool { return b > ' ' && b <= '~' }

// Walk lists the code as a field.
func (k *Code) Walk(c *wire.Cursor) {
	b := [2]byte{byte(*k >> 8), byte(*k)}
	wire.Tag(c, "code", b[:])
	*k = Code(b[0])<<8 | Code(b[1])
}

// Ping reports whether the code is one that goes without a connection.
func (k Code) Ping() bool {
	return k == CodePingOldReply || k == CodePingOldRequest || k == CodePingReply || k == CodePingRequest
}
