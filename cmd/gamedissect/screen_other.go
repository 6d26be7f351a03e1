//go:build !unix

package main

import (
	"os"
	"sync/atomic"
)

// inForeground is false: there is a line instead of a screen.
func inForeground(*os.File) bool { return false }

// stop knows no shell here that could have the program go on.
func (*screen) stop() {}

// heed knows no signals here.
func (*screen) heed() (changed *atomic.Bool, release func()) { return new(atomic.Bool), func() {} }
