//go:build !js

// Package gamedissect is the whole program, for any list of protocols. A module that defines a protocol builds the
// program with a one-line main function:
//
//	func main() { os.Exit(gamedissect.Main(quiz.Protocol)) }
//
// docs/add-a-protocol.md explains how to write a protocol.
//
// Other programs may rely on its exported names, see docs/api.md.
package gamedissect

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli"
)

// Main runs the program with the arguments of the process, and returns its exit code. It lists the protocols in the
// given order, and in that order they decide whether traffic is theirs. Compiled for browsers, Main is the engine of
// the page.
func Main(protocols ...*wire.Protocol) int { return cli.Main(protocols) }
