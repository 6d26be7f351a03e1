//go:build !embedengine

package engine

// Embedded returns the engine that is embedded in this program, or nil.
func Embedded() *Files { return nil }
