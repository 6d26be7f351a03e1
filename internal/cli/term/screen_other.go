//go:build !unix

package term

import (
	"os"
	"sync/atomic"
)

// InForeground returns false, so this system uses only a status line and no screen.
func InForeground(*os.File) bool { return false }

// Stop does nothing, since this system has no job control.
func (*Screen) Stop() {}

// OnSignals does nothing, since this system has none of the signals.
func (*Screen) OnSignals() (changed *atomic.Bool, release func()) { return new(atomic.Bool), func() {} }
