package bzflag17

import "github.com/google/gopacket"

// kept is the world that the session joined.
type kept string

// Keep implements wire.Keeper.
func (l *Layer) Keep() any {
	if l.World == nil {
		return nil
	}
	return kept(l.World)
}

// Recall implements wire.Keeper.
func (l *Layer) Recall(data []byte, what any) error {
	err := l.DecodeFromBytes(data, gopacket.NilDecodeFeedback)
	if k, ok := what.(kept); ok {
		l.World = []byte(k)
	}
	return err
}
