//go:build embedengine

package engine

import _ "embed"

var (
	//go:embed engine.wasm.gz
	wasm []byte
	//go:embed wasm_exec.js
	script []byte
)

// Embedded returns the engine that is embedded in this program, or nil.
func Embedded() *Files { return &Files{Wasm: wasm, Exec: script} }
