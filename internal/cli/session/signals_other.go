//go:build !unix

package session

import (
	"sync/atomic"
	"syscall"
)

// OnStatisticsSignal knows no signal here.
func OnStatisticsSignal() (asked *atomic.Bool, release func()) { return new(atomic.Bool), func() {} }

// OwnProcessGroup knows no groups of programs here.
func OwnProcessGroup() *syscall.SysProcAttr { return nil }
