//go:build !unix

package session

import (
	"sync/atomic"
	"syscall"
)

// OnStatisticsSignal does nothing, since this system has no such signal.
func OnStatisticsSignal() (asked *atomic.Bool, release func()) { return new(atomic.Bool), func() {} }

// OwnProcessGroup returns nil, since this system has no process groups.
func OwnProcessGroup() *syscall.SysProcAttr { return nil }
