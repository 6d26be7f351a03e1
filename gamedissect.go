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

// Main runs the program with the arguments of the process, and returns its exit code. The program lists the protocols
// in the given order, and asks them in this order whether they recognise traffic. Compiled for browsers, Main is
// instead the engine of the page that shows captures.
func Main(protocols ...*wire.Protocol) int { return cli.Main(protocols) }
