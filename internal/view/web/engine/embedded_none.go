//go:build !embedengine

package engine

// Embedded gives the engine that this program has inside; nil: none.
func Embedded() *Files { return nil }
