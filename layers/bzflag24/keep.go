package bzflag24

import (
	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/layers/bzflag24/world"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// kept is the state that a session adds to a layer.
type kept struct {
	sender        Player
	hasSender     bool
	older         bool
	before, after *bzflag.Roster
	world         *world.Database
}

func (l *Layer) Keep() any {
	k := kept{sender: l.Sender, hasSender: l.HasSender, older: l.older, before: l.named, world: l.World}
	if k.after, _ = l.Context.Roster.(*bzflag.Roster); k == (kept{}) {
		return nil
	}
	return k
}

func (l *Layer) Recall(data []byte, what any) error {
	k, _ := what.(kept)
	l.Sender, l.HasSender, l.older, l.named = k.sender, k.hasSender, k.older, k.before
	l.Context.Roster = k.before
	err := l.DecodeFromBytes(data, gopacket.NilDecodeFeedback)
	l.Context.Roster, l.World = k.after, k.world
	return err
}
