//go:build !js

// Package gamedissect is the whole program, for any list of protocols. A module with a protocol of its own makes that
// program with a main function of one line:
//
//	func main() { os.Exit(gamedissect.Main(quiz.Protocol)) }
//
// docs/add-a-protocol.md tells how to write a protocol. Other programs may rely on what it exports, see docs/api.md.
package gamedissect

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli"
)

// Main runs the program with the arguments of the process, and returns its exit code. It lists the protocols, and asks
// them whether traffic is theirs, in this order. Compiled for browsers, Main is the engine of the page.
func Main(protocols ...*wire.Protocol) int { return cli.Main(protocols) }
