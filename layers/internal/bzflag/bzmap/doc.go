// Package bzmap writes worlds of BZFlag as people use them: as the text of a map file (.bzw), which
// servers load, and as a picture seen from above.
//
// What may not enter: how a version lays out its world on the wire.
package bzmap

// A World can be written as both.
type World interface {
	// WriteMap writes the objects of the map file.
	WriteMap(*Text)
	// Draw adds what can be seen from above.
	Draw(*Plan)
}

// A Carrier is a layer that may hold a whole world.
type Carrier interface {
	// Carried gives the world, nil if the message at hand completes none that can be read, and
	// what is wrong with it.
	Carried() (World, error)
}
