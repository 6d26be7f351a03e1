package tribes

import (
	"github.com/gamedissect/gamedissect/decode/wire"
)

// The messages in the order of the protocol document, then the messages that the document lacks.
var (
	masterQuery = &wire.MessageType{Name: "MasterQuery", Direction: wire.ToServer,
		Body: wire.Like(Query{})}
	masterListReply = &wire.MessageType{Name: "MasterListReply", Direction: wire.FromServer, Recurs: wire.InParts,
		Body: wire.Like(MasterListReply{}), Answers: []string{"MasterQuery"}}
	gameInfoReply = &wire.MessageType{Name: "GameInfoReply",
		Body: wire.Like(GameInfoReply{})}
	verificationRequest = &wire.MessageType{Name: "VerificationRequest", Direction: wire.FromServer,
		Body: wire.Like(Query{verification: true})}
	heartbeat = &wire.MessageType{Name: "Heartbeat", Direction: wire.ToServer,
		Body: wire.Like(Heartbeat{})}
	verificationReply = &wire.MessageType{Name: "VerificationReply", Direction: wire.ToServer,
		Body: wire.Like(InfoQuery{atMaster: true})}
	pingQuery = &wire.MessageType{Name: "PingQuery", Direction: wire.ToServer,
		Body: wire.Like(Query{})}
	gameInfoQuery = &wire.MessageType{Name: "GameInfoQuery", Direction: wire.ToServer,
		Body: wire.Like(InfoQuery{})}
	gameInfoResponse = &wire.MessageType{Name: "GameInfoResponse", Direction: wire.FromServer, Recurs: wire.InParts,
		Body: wire.Like(InfoResponse{})}
	gameSpyPingQuery = &wire.MessageType{Name: "GameSpyPingQuery", Direction: wire.ToServer,
		Body: wire.Like(GameSpyQuery{})}
	gameSpyPingReply = &wire.MessageType{Name: "GameSpyPingReply", Direction: wire.FromServer,
		Body: wire.Like(GameSpyReply{})}
	gameSpyQuery = &wire.MessageType{Name: "GameSpyQuery", Direction: wire.ToServer,
		Body: wire.Like(GameSpyQuery{})}
	gameSpyReply = &wire.MessageType{Name: "GameSpyReply", Direction: wire.FromServer,
		Body: wire.Like(GameSpyReply{Code: CodeGameSpyReply})}
	gameConnection = &wire.MessageType{Name: "GameConnection",
		Body: wire.Like(GameConnection{})}
	unknown = &wire.MessageType{Name: "Unknown", Body: wire.Like(wire.Undefined{})}

	messages = wire.NewMessages(masterQuery, masterListReply, gameInfoReply, verificationRequest, heartbeat,
		verificationReply, pingQuery, gameInfoQuery, gameInfoResponse, gameSpyPingQuery, gameSpyPingReply,
		gameSpyQuery, gameSpyReply, gameConnection, unknown)
)

// choose returns the type of a packet. The first byte identifies the family of messages. Packets to and from a master
// are always matchmaking packets.
func (l *Layer) choose(c *wire.Cursor) *wire.MessageType {
	data := c.Peek()
	if len(data) == 0 {
		return unknown
	}
	first := data[0]
	if t := gameSpy(data, c.Size(), l.Answers); t != nil {
		return t
	}
	if first&1 == 1 && !l.Peers.FromMaster && !l.Peers.ToMaster && (len(data) < 2 || !matchmaking(data) || l.Peers.Known) {
		return gameConnection
	}
	if len(data) < 2 {
		return unknown
	}
	switch Type(data[1]) {
	case TypeQuery:
		return l.query(c.Size())
	case TypeGameInfoReply:
		return gameInfoReply
	case TypeHeartbeat:
		return heartbeat
	case TypeMasterListReply:
		return masterListReply
	case TypeGameInfoQuery:
		if l.Peers.ToMaster {
			return verificationReply
		}
		return gameInfoQuery
	case TypeGameInfoResponse:
		return gameInfoResponse
	}
	return unknown
}

// matchmaking reports whether the type is defined. It ignores the version.
func matchmaking(data []byte) bool {
	return len(data) >= 2 && types.Has(int64(data[1]))
}

// query returns which of its three uses a 0x03 packet has.
func (l *Layer) query(size int) *wire.MessageType {
	switch {
	case l.Peers.ToMaster:
		return masterQuery
	case l.Peers.FromMaster, size > minimum:
		return verificationRequest
	case l.Peers.Known:
		return pingQuery
	}
	return masterQuery
}

// gameSpy returns the type of a GameSpy-style message. Answers have the lowest bit of the first byte set, as do the
// packets of the game itself. An earlier query or the fourth byte identifies an answer. If the snap length cut the
// fourth byte, gameSpy assumes an answer.
func gameSpy(data []byte, size int, asked bool) *wire.MessageType {
	answer := asked || size >= 4 && (len(data) < 4 || data[3] == gameSpyID)
	switch Code(data[0]) {
	case CodeGameSpyPingQuery:
		return gameSpyPingQuery
	case CodeGameSpyQuery:
		return gameSpyQuery
	case CodeGameSpyPingReply:
		if answer {
			return gameSpyPingReply
		}
	case CodeGameSpyReply:
		if answer {
			return gameSpyReply
		}
	}
	return nil
}
