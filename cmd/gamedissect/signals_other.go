//go:build !unix

package main

import "sync/atomic"

// onAsked knows no signal here.
func onAsked() (asked *atomic.Bool, release func()) { return new(atomic.Bool), func() {} }
