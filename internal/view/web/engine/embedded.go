//go:build embedengine

package engine

import _ "embed"

var (
	//go:embed engine.wasm.gz
	wasm []byte
	//go:embed wasm_exec.js
	script []byte
)

// Embedded gives the engine that this program has inside; nil: none.
func Embedded() *Files { return &Files{Wasm: wasm, Exec: script} }
