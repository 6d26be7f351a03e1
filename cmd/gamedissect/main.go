// Command gamedissect dissects the traffic of old multiplayer games: it reads packets, finds the messages of
// Bloodmasters, Iceball, Tribes and BZFlag in them, and prints annotated trees, statistics, and where the traffic
// breaks the protocol.
package main

import (
	"github.com/gamedissect/gamedissect/internal/cli"
	"github.com/gamedissect/gamedissect/layers"
)

func main() { cli.Main(layers.All()) }
