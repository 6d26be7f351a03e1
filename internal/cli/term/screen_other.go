//go:build !unix

package term

import (
	"os"
	"sync/atomic"
)

// InForeground is false: there is a line instead of a screen.
func InForeground(*os.File) bool { return false }

// Stop knows no shell here that could have the program go on.
func (*Screen) Stop() {}

// OnSignals knows no signals here.
func (*Screen) OnSignals() (changed *atomic.Bool, release func()) { return new(atomic.Bool), func() {} }
