package bzflag17

import (
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// The steps of a join, which begins on a client's second connection. The first connection only delivers the hello.
const (
	stepHello uint8 = iota
	stepRequest
	stepWorld
	stepEnter
	stepAccepted
	stepSpawned
)

// joins are the attempts of clients to join a game.
var joins = &wire.AttemptKind{
	Name: "joins", Noun: "join", Wish: stepRequest, Named: stepEnter, Goal: stepAccepted, Stays: true,
	Slow: 3 * time.Second, Refused: bzflag.Refused,
	Steps: []wire.AttemptStep{
		{Name: "hello"},
		{Name: "world request", Turn: wire.Asked, Awaits: "world", Patience: 10 * time.Second},
		{Name: "world"},
		{Name: "MsgEnter", Turn: wire.Asked, Awaits: "answer to MsgEnter", Patience: time.Duration(answerTime)},
		{Name: "accepted"},
		{Name: "spawned"},
	},
}
