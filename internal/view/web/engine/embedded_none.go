//go:build !embedengine

package engine

// Embedded returns the engine that is embedded in this program; nil: none.
func Embedded() *Files { return nil }
