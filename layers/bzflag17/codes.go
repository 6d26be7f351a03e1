package bzflag17

import (
	"encoding/hex"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Code names a message: mostly two letters, the first in the high byte.
type Code uint16

// The codes. Those behind CodeLagPing are not in the document.
const (
	CodeGetWorld     Code = 'g'<<8 | 'w'
	CodeEnter        Code = 'e'<<8 | 'n'
	CodeAccept       Code = 'a'<<8 | 'c'
	CodeReject       Code = 'r'<<8 | 'j'
	CodeSuperKill    Code = 's'<<8 | 'k'
	CodeExit         Code = 'e'<<8 | 'x'
	CodeTimeLeft     Code = 't'<<8 | 'o'
	CodeScoreOver    Code = 's'<<8 | 'o'
	CodeSetTTL       Code = 't'<<8 | 't'
	CodeNetworkRelay Code = 'n'<<8 | 'r'
	CodeAddPlayer    Code = 'a'<<8 | 'p'
	CodeRemovePlayer Code = 'r'<<8 | 'p'
	CodeFlagUpdate   Code = 'f'<<8 | 'u'
	CodeTeamUpdate   Code = 't'<<8 | 'u'
	CodeAlive        Code = 'a'<<8 | 'l'
	CodeKilled       Code = 'k'<<8 | 'l'
	CodeGrabFlag     Code = 'g'<<8 | 'f'
	CodeDropFlag     Code = 'd'<<8 | 'f'
	CodeCaptureFlag  Code = 'c'<<8 | 'f'
	CodeShotBegin    Code = 's'<<8 | 'b'
	CodeShotEnd      Code = 's'<<8 | 'e'
	CodeScore        Code = 's'<<8 | 'c'
	CodeTeleport     Code = 't'<<8 | 'p'
	CodeMessage      Code = 'm'<<8 | 'g'
	CodePlayerUpdate Code = 'p'<<8 | 'u'
	CodeGMUpdate     Code = 'g'<<8 | 'm'
	CodeLagPing      Code = 'p'<<8 | 'i'

	CodeAcquireRadio       Code = 'a'<<8 | 'r'
	CodeReleaseRadio       Code = 'r'<<8 | 'r'
	CodeAudio              Code = 'a'<<8 | 'u'
	CodeVideo              Code = 'v'<<8 | 'i'
	CodeQueryGame          Code = 'q'<<8 | 'g'
	CodeQueryPlayers       Code = 'q'<<8 | 'p'
	CodeWantWHash          Code = 'w'<<8 | 'h'
	CodeIDAck              Code = 'i'<<8 | 'd'
	CodeUDPLinkRequest     Code = 'o'<<8 | 'f'
	CodeUDPLinkEstablished Code = 'o'<<8 | 'g'
	CodeUDPLinkUpdate      Code = 'o'<<8 | 'h'
	CodeServerControl      Code = 'o'<<8 | 'i'
	CodeClientVersion      Code = 'o'<<8 | 'j'

	CodePingOldReply   Code = 0x0101
	CodePingOldRequest Code = 0x0202
	CodePingReply      Code = 0x0303
	CodePingRequest    Code = 0x0404

	CodeNull Code = 0x0000
)

// String is the two letters, or four hex digits when they are none.
func (k Code) String() string {
	b := []byte{byte(k >> 8), byte(k)}
	if printable(b[0]) && printable(b[1]) {
		return string(b)
	}
	return hex.EncodeToString(b)
}

func printable(b byte) bool { return b > ' ' && b <= '~' }

func (k *Code) walk(c *wire.Cursor) {
	b := [2]byte{byte(*k >> 8), byte(*k)}
	wire.Tag(c, "code", b[:])
	*k = Code(b[0])<<8 | Code(b[1])
}

// ping tells whether the code is one that goes without a connection.
func (k Code) ping() bool {
	return k == CodePingOldReply || k == CodePingOldRequest || k == CodePingReply || k == CodePingRequest
}
