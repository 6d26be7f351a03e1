package wire

// A Carrier is a layer that may contain a whole world.
type Carrier interface {
	// Carried returns the world, and what is wrong with it. The world is nil if the current message does not complete
	// one that can be read.
	Carried() (World, error)
}

// A Locator is a layer that may say where clients find the world, if they need not download it from the server.
type Locator interface {
	WorldURL() string // "": not given
}

// A World is what a game is played in, as a client downloaded it.
type World interface {
	// MapFile writes the world as the text of a map file that servers load, below some lines of comment. It is
	// incomplete if it would exceed the limit of the package that writes it.
	MapFile(comments ...string) (text []byte, complete bool)

	// SVG draws the world seen from above.
	SVG(title string) []byte
}
