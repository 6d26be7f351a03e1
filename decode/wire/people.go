package wire

// People describes how messages name players, for the field "who" of filters. Fields whose values have names from other
// messages (see Field.Named) always name players. The lists contain fields in the same form as the keys of Privacies.
type People struct {
	// Fields lists further fields that name a player, by a number or by a name: "call_sign".
	Fields []string

	// Senders lists the fields of a client's messages that name the sending player. In a message to a server, a
	// computed field that names a player always names the sender.
	Senders []string

	// Private lists the messages from servers that are about the receiving player but do not name the player.
	Private []string
}
