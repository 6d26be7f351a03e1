// Package bzmap writes worlds of BZFlag for people: as the text of a map file (.bzw), which servers can load, and as a
// picture from above.
//
// This package must not know how a version encodes its world.
package bzmap

// A World can be written as a map file and as a picture.
type World interface {
	// WriteMap writes the objects of the map file.
	WriteMap(*Text)
	// Draw adds what can be seen from above.
	Draw(*Plan)
}

// Of is a World as a wire.World.
type Of struct{ World }

// MapFile writes the world as a map file (.bzw). If the file is shorter than the limit, it is complete.
func (o Of) MapFile(comments ...string) (text []byte, complete bool) {
	var t Text
	for _, c := range comments {
		t.Comment(c)
	}
	o.WriteMap(&t)
	return t.Bytes(), !t.Full()
}

// SVG draws the world as seen from above.
func (o Of) SVG(title string) []byte {
	plan := Plan{Title: title}
	o.Draw(&plan)
	return plan.SVG()
}
