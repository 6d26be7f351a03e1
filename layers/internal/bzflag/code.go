package bzflag

import (
	"encoding/hex"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Code is the code of a message: usually two letters, with the first in the high byte.
type Code uint16

// The codes of pings. Clients use pings to find servers, without a connection. CodeNull is defined but never sent.
const (
	CodePingOldReply   Code = 0x0101
	CodePingOldRequest Code = 0x0202
	CodePingReply      Code = 0x0303
	CodePingRequest    Code = 0x0404

	CodeNull Code = 0x0000
)

// String returns the two letters. If they are not printable, it returns four hexadecimal digits.
func (k Code) String() string {
	b := []byte{byte(k >> 8), byte(k)}
	if Printable(b[0]) && Printable(b[1]) {
		return string(b)
	}
	return hex.EncodeToString(b)
}

// Printable reports whether a byte is a printable ASCII character.
func Printable(b byte) bool { return b > ' ' && b <= '~' }

// Walk lists the code as a field.
func (k *Code) Walk(c *wire.Cursor) {
	b := [2]byte{byte(*k >> 8), byte(*k)}
	wire.Tag(c, "code", b[:])
	*k = Code(b[0])<<8 | Code(b[1])
}

// Ping reports whether the code is the code of a ping, which needs no connection.
func (k Code) Ping() bool {
	return k == CodePingOldReply || k == CodePingOldRequest || k == CodePingReply || k == CodePingRequest
}
