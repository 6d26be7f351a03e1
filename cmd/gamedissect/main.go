// Command gamedissect dissects the traffic of old multiplayer games: it reads packets, finds the messages of
// Bloodmasters, Iceball, Tribes and BZFlag in them, and prints annotated trees, statistics, and violations of the
// protocol.
package main

import (
	"os"

	"github.com/gamedissect/gamedissect"
	"github.com/gamedissect/gamedissect/layers"
)

func main() { os.Exit(gamedissect.Main(layers.All()...)) }
