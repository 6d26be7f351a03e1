//go:build !unix

package session

import (
	"sync/atomic"
	"syscall"
)

// OnAsked knows no signal here.
func OnAsked() (asked *atomic.Bool, release func()) { return new(atomic.Bool), func() {} }

// OfItsOwn knows no groups of programs here.
func OfItsOwn() *syscall.SysProcAttr { return nil }
