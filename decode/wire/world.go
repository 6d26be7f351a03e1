package wire

// A Carrier is a layer that may hold a whole world.
type Carrier interface {
	// Carried returns the world, and what is wrong with it. The world is nil if the current message completes none that
	// can be read.
	Carried() (World, error)
}

// A Locator is a layer that may say where clients get the world instead of downloading it from the server.
type Locator interface {
	WorldURL() string // "": it does not say
}

// A World is what a game is played in, as a client downloaded it.
type World interface {
	// MapFile writes the world as the text of a map file, which servers load, below some lines of comment. It is
	// incomplete if it would be longer than the package that writes it allows.
	MapFile(comments ...string) (text []byte, complete bool)

	// SVG draws the world as seen from above.
	SVG(title string) []byte
}
