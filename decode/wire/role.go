package wire

// Role says what a field's value is worth in an expectation that is made from one capture and has to hold
// in others.
type Role uint8

// The roles.
const (
	Lasting    Role = iota // comes again the next time: a name, a limit, a setting
	Passing                // another one when the game is started anew: a time, a key, a number in a sequence, a port
	Structural             // only says which kind of message it is: its code, its length
)

// Roles tells the roles of a protocol's fields. The keys are those of Privacies; what is not listed is
// Lasting.
type Roles map[string]Role

// Of tells the role of a field of a message, given its path below the message.
func (r Roles) Of(message, path string) (role Role, listed bool) { return lookUp(r, message, path) }
