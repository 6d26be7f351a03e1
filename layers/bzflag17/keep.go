package bzflag17

import (
	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// kept is the state that the session added to a layer. The layer's bytes do not contain this state, so Keep saves it
// and Recall restores it.
type kept struct {
	sender Player
	names  *bzflag.Roster
	world  string
}

func (l *Layer) Keep() any {
	k := kept{sender: l.Sender, world: string(l.World)}
	if k.names, _ = l.Context.Roster.(*bzflag.Roster); k == (kept{}) {
		return nil
	}
	return k
}

func (l *Layer) Recall(data []byte, what any) error {
	k, _ := what.(kept)
	l.Sender, l.Context.Roster = k.sender, nil
	if k.names != nil {
		l.Context.Roster = k.names
	}
	err := l.DecodeFromBytes(data, gopacket.NilDecodeFeedback)
	if k.world != "" {
		l.World = []byte(k.world)
	}
	return err
}
