package main
import "github.com/gamedissect/gamedissect/decode/wire"
type wireDirection = wire.Direction
var stressSeed uint64
