package wire

// People says how messages name players, for the field "who" of filters. Fields whose values have names from other
// messages, see Field.Named, always name players. Fields are listed by their paths below the message, or by the last
// part of the path, with the message's name before it if needed, like the keys of Privacies.
type People struct {
	// Fields lists further fields that name a player, by a number or by a name: "call_sign".
	Fields []string

	// Senders lists the fields of a client's messages that name the player who sends them. A computed field that names
	// a player, in a message to a server, always does so.
	Senders []string

	// Private lists the messages of servers that concern the player to whom they are sent, without naming the player.
	Private []string
}
