// Command a2s is gamedissect with the queries that servers of Source games answer.
package main

import (
	"os"

	"github.com/gamedissect/gamedissect"

	"a2s/a2s"
)

func main() { os.Exit(gamedissect.Main(a2s.Protocol)) }
