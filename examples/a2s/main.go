// Command a2s is gamedissect with the queries of Source games.
package main

import (
	"os"

	"github.com/gamedissect/gamedissect"

	"a2s/a2s"
)

func main() { os.Exit(gamedissect.Main(a2s.Protocol)) }
