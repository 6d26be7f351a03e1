//go:build !unix

package main

import (
	"os"
	"sync/atomic"
)

// inForeground is false: there is a line instead of a screen.
func inForeground(*os.File) bool { return false }

// heed knows no signals here.
func (*screen) heed() (resized *atomic.Bool, release func()) { return new(atomic.Bool), func() {} }
