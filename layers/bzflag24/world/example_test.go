package world_test

import (
	"fmt"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/bzflag24/world"
)

// The joined parts of a download form a database, which contains the map.
func Example() {
	samples, err := wiretest.Samples(samples) // samples of joined downloads
	if err != nil {
		fmt.Println(err)
		return
	}
	database := world.Read(samples[0].Data)
	if database.Err != nil {
		fmt.Println(database.Err)
		return
	}
	m, err := database.ReadMap()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range m.World.Teleporters {
		fmt.Printf("the teleporter %s at %v\n", t.Name, t.Position)
	}
	for _, box := range m.World.Boxes {
		fmt.Printf("a box at %v, %v high\n", box.Position, box.Size[2])
	}
	// Output:
	// the teleporter t1 at [-50 0 0]
	// the teleporter t2 at [50 0 0]
	// a box at [-30 -20 5], 10 high
	// a box at [-20 -20 0], 10 high
	// a box at [-20 -60 0], 10 high
}
