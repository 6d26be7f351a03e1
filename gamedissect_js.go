package gamedissect

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/view/wasm"
)

// Main is the engine of the page that shows captures in a browser.
func Main(protocols ...*wire.Protocol) int {
	wasm.Main(protocols)
	return 0
}
