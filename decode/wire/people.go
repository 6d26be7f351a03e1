package wire

// People describes how messages name players, for the field "who" of filters. Fields whose values have names from other
// messages, see Field.Named, always name players. The lists contain field paths below the message, or the last part of
// such a path, with the name of the message before it if needed. The keys of Privacies have the same form.
type People struct {
	// Fields lists further fields that name a player, by a number or by a name: "call_sign".
	Fields []string

	// Senders lists the fields of a client's messages that name the sending player. A computed field that names a
	// player, in a message to a server, always names the sender.
	Senders []string

	// Private lists the messages from servers that concern the receiving player without naming him.
	Private []string
}
