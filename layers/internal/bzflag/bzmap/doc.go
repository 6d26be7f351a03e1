// Package bzmap writes worlds of BZFlag as map files (.bzw), which servers can load, and draws them as seen from above.
//
// This package must not know how a version encodes its world.
package bzmap

// A World can be written as a map file and as a picture.
type World interface {
	// WriteMap writes the objects of the map file.
	WriteMap(*Text)
	// Draw draws the objects as seen from above.
	Draw(*Plan)
}

// Of makes a World implement wire.World.
type Of struct{ World }

// MapFile returns the world as a map file (.bzw). complete is false if the file was cut at the maximum size.
func (o Of) MapFile(comments ...string) (text []byte, complete bool) {
	var t Text
	for _, c := range comments {
		t.Comment(c)
	}
	o.WriteMap(&t)
	return t.Bytes(), !t.Full()
}

// SVG returns a picture of the world as seen from above.
func (o Of) SVG(title string) []byte {
	plan := Plan{Title: title}
	o.Draw(&plan)
	return plan.SVG()
}
