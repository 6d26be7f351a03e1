//go:build !unix

package main

import (
	"sync/atomic"
	"syscall"
)

// onAsked knows no signal here.
func onAsked() (asked *atomic.Bool, release func()) { return new(atomic.Bool), func() {} }

// ofItsOwn knows no groups of programs here.
func ofItsOwn() *syscall.SysProcAttr { return nil }
