package wire

// A Carrier is a layer that may contain a complete world.
type Carrier interface {
	// Carried returns the world, and an error if something is wrong with it. The world is nil if the current message
	// does not complete a readable world.
	Carried() (World, error)
}

// A Locator is a layer that may contain the address from which clients can download the world instead of getting it
// from the server.
type Locator interface {
	WorldURL() string // "": not stated
}

// A World is the world in which a game is played, as a client downloaded it.
type World interface {
	// MapFile returns the world as the text of a map file that servers can load. The text begins with the comments. A
	// text that would exceed the limit of the package that writes it is cut, and complete is false.
	MapFile(comments ...string) (text []byte, complete bool)

	// SVG draws the world as seen from above.
	SVG(title string) []byte
}
