package tribes

import "github.com/google/gopacket"

// kept is the data that a session added to a layer. The packet does not contain this data, so Keep saves it and Recall
// restores it.
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
