package decode

import (
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
)

// Connections is the kind of the attempts to open a TCP connection to a game server. A client host and a server
// identify an attempt.
var Connections = &wire.AttemptKind{
	Name: "connections", Noun: "connection", Goal: 1, Silence: wire.Unreachable, Repeats: true, Hidden: true,
	Steps: []wire.AttemptStep{
		{Name: "SYN", Turn: wire.Asked, Awaits: "answer to SYN", Patience: 3 * time.Second},
		{Name: "opened"},
	},
}

// openings records connection attempts. The engine does this for all protocols, because a SYN does not belong to a
// protocol yet.
type openings struct{ *attempt.Account }

func (o *openings) begin(r *wire.Reporter) {
	o.Account = attempt.New(r, "attempts to connect", Connections)
}

// time advances the time. It returns the time at which it must be called again.
func (o *openings) time(now int64) (next int64) {
	if next = o.Next(); next <= now {
		o.Time(now)
		next = o.Next()
	}
	return next
}

// signal handles a signal about a connection without data. It returns the time at which the method time must be called.
func (o *openings) signal(s wire.Signal, p *wire.Place, now int64) (next int64) {
	o.Time(now)
	client, server := p.Src, p.Dst
	if s != wire.Opening {
		client, server = p.Dst, p.Src
	}
	client = netip.AddrPortFrom(client.Addr(), 0)
	switch s {
	case wire.Opening:
		if x := o.Of(Connections, client, server); x.Outcome() == wire.Done {
			x.End(p)
		}
		o.Begin(Connections, p, client, server).Try(p, 0)
	case wire.Opened:
		o.Of(Connections, client, server).Reach(p, Connections.Goal)
	case wire.Rejected:
		o.Of(Connections, client, server).Reject(p, "refused by a reset")
	case wire.TurnedAway:
		x := o.Of(Connections, client, server)
		x.Refuse(p, wire.Asked, "the server closes the connection before anybody says anything", "")
		x.End(p)
	}
	return o.Next()
}
