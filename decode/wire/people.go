package wire

// People says how messages name players, for the field "who" of filters. Fields whose values have names from other
// messages, see Field.Named, name players anyway. Fields are listed by their paths below the message, or by the last
// part of these, with the message's name in front where that decides; so the keys of Privacies are.
type People struct {
	// Fields lists further fields that name a player, by a number or by a name: "call_sign".
	Fields []string

	// Senders lists the fields of a client's messages that name the player who sends them. A computed field that names a
	// player, in a message to a server, does so anyway.
	Senders []string

	// Private lists the messages of servers that concern the player whom they are sent to and do not name.
	Private []string
}
