package bzflag17

import "github.com/gamedissect/gamedissect/layers/internal/bzflag"

// Code is the code of a message: usually two letters, with the first in the high byte.
type Code = bzflag.Code

// The codes. The codes after CodeLagPing are not in the protocol document.
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

	CodePingOldReply   = bzflag.CodePingOldReply
	CodePingOldRequest = bzflag.CodePingOldRequest
	CodePingReply      = bzflag.CodePingReply
	CodePingRequest    = bzflag.CodePingRequest

	CodeNull = bzflag.CodeNull
)
