package bzflag24

import "github.com/gamedissect/gamedissect/layers/internal/bzflag"

// Code is the code of a message: usually two letters, with the first in the high byte.
type Code = bzflag.Code

// The codes, ordered by their letters.
const (
	CodeAccept             Code = 'a'<<8 | 'c'
	CodeAdminInfo          Code = 'a'<<8 | 'i'
	CodeAlive              Code = 'a'<<8 | 'l'
	CodeAddPlayer          Code = 'a'<<8 | 'p'
	CodeAutoPilot          Code = 'a'<<8 | 'u'
	CodeCaptureFlag        Code = 'c'<<8 | 'f'
	CodeCustomSound        Code = 'c'<<8 | 's'
	CodeCacheURL           Code = 'c'<<8 | 'u'
	CodeDropFlag           Code = 'd'<<8 | 'f'
	CodeEnter              Code = 'e'<<8 | 'n'
	CodeExit               Code = 'e'<<8 | 'x'
	CodeFetchResources     Code = 'f'<<8 | 'r'
	CodeFlagType           Code = 'f'<<8 | 't'
	CodeFlagUpdate         Code = 'f'<<8 | 'u'
	CodeGrabFlag           Code = 'g'<<8 | 'f'
	CodeGMUpdate           Code = 'g'<<8 | 'm'
	CodeGameSettings       Code = 'g'<<8 | 's'
	CodeGameTime           Code = 'g'<<8 | 't'
	CodeGetWorld           Code = 'g'<<8 | 'w'
	CodeHandicap           Code = 'h'<<8 | 'c'
	CodeKilled             Code = 'k'<<8 | 'l'
	CodeLagState           Code = 'l'<<8 | 's'
	CodeMessage            Code = 'm'<<8 | 'g'
	CodeNewRabbit          Code = 'n'<<8 | 'R'
	CodeNearFlag           Code = 'N'<<8 | 'f'
	CodeNegotiateFlags     Code = 'n'<<8 | 'f'
	CodeUDPLinkRequest     Code = 'o'<<8 | 'f'
	CodeUDPLinkEstablished Code = 'o'<<8 | 'g'
	CodePause              Code = 'p'<<8 | 'a'
	CodePlayerInfo         Code = 'p'<<8 | 'b'
	CodeLagPing            Code = 'p'<<8 | 'i'
	CodePlayerUpdateSmall  Code = 'p'<<8 | 's'
	CodePlayerUpdate       Code = 'p'<<8 | 'u'
	CodePortalAdd          Code = 'P'<<8 | 'a'
	CodePortalRemove       Code = 'P'<<8 | 'r'
	CodePortalUpdate       Code = 'P'<<8 | 'u'
	CodeQueryGame          Code = 'q'<<8 | 'g'
	CodeQueryPlayers       Code = 'q'<<8 | 'p'
	CodeReject             Code = 'r'<<8 | 'j'
	CodeRemovePlayer       Code = 'r'<<8 | 'p'
	CodeReplayReset        Code = 'r'<<8 | 'r'
	CodeShotBegin          Code = 's'<<8 | 'b'
	CodeScore              Code = 's'<<8 | 'c'
	CodeShotEnd            Code = 's'<<8 | 'e'
	CodeSuperKill          Code = 's'<<8 | 'k'
	CodeScoreOver          Code = 's'<<8 | 'o'
	CodeSetVar             Code = 's'<<8 | 'v'
	CodeTransferFlag       Code = 't'<<8 | 'f'
	CodeTimeUpdate         Code = 't'<<8 | 'o'
	CodeTeleport           Code = 't'<<8 | 'p'
	CodeTeamUpdate         Code = 't'<<8 | 'u'
	CodeWantWHash          Code = 'w'<<8 | 'h'
	CodeWantSettings       Code = 'w'<<8 | 's'

	CodePingReply   = bzflag.CodePingReply
	CodePingRequest = bzflag.CodePingRequest

	CodeNull = bzflag.CodeNull
)
