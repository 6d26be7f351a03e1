package bzflag24

import (
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// The steps of a join. A client does not request the world if it already has the world or does not display it.
const (
	stepGreeting uint8 = iota
	stepHello
	stepRequest
	stepWorld
	stepEnter
	stepAccepted
	stepSpawned
)

// joins are the attempts of clients to join a game. The times allow for servers that look up host names and check
// logins, which may take some seconds.
var joins = &wire.AttemptKind{
	Name: "joins", Noun: "join", Wish: stepRequest, Named: stepEnter, Goal: stepAccepted, Stays: true,
	Slow: 3 * time.Second, Refused: bzflag.Refused,
	Steps: []wire.AttemptStep{
		{Name: "greeting", Turn: wire.Asked, Awaits: "hello", Patience: 5 * time.Second},
		{Name: "hello"},
		{Name: "world request", Turn: wire.Asked, Awaits: "world", Patience: 10 * time.Second},
		{Name: "world"},
		{Name: "MsgEnter", Turn: wire.Asked, Awaits: "answer to MsgEnter", Patience: 10 * time.Second},
		{Name: "accepted"},
		{Name: "spawned"},
	},
}

// links are the attempts of clients to use UDP in addition to TCP.
var links = &wire.AttemptKind{
	Name: "links", Noun: "UDP link", Wish: 1, Goal: 1, Hidden: true, Unreached: "no UDP link, ICMP: unreachable",
	Steps: []wire.AttemptStep{
		{Name: "MsgUDPLinkRequest", Turn: wire.Asked, Awaits: "answer to MsgUDPLinkRequest", Patience: 5 * time.Second},
		{Name: "linked"},
	},
}

// logins are the attempts of joining clients to prove their identity. A client whose login fails may still play.
var logins = &wire.AttemptKind{
	Name: "logins", Noun: "login", Goal: 1, Hidden: true,
	Steps: []wire.AttemptStep{{Name: "MsgEnter"}, {Name: "approved"}},
}
