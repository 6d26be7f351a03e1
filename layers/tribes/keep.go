package tribes

import "github.com/google/gopacket"

// kept is the data that a session adds to a layer.
type kept struct {
	peers   Peers
	answers bool
}

func (l *Layer) Keep() any { return kept{l.Peers, l.Answers} }

func (l *Layer) Recall(data []byte, what any) error {
	k, _ := what.(kept)
	l.Peers, l.Answers = k.peers, k.answers
	return l.DecodeFromBytes(data, gopacket.NilDecodeFeedback)
}
