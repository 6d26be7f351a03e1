//go:build !unix

package term

import (
	"os"
	"sync/atomic"
)

// InForeground reports false: this system has no screen, only a status line.
func InForeground(*os.File) bool { return false }

// Stop does nothing: this system has no job control.
func (*Screen) Stop() {}

// OnSignals does nothing: this system has none of the signals.
func (*Screen) OnSignals() (changed *atomic.Bool, release func()) { return new(atomic.Bool), func() {} }
