//go:build linux || darwin

package main

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
)

// peakMemory returns the peak resident size of a finished process in bytes, or 0 if the system does not report it.
func peakMemory(p *os.ProcessState) int64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return usage.Maxrss
	}
	return usage.Maxrss << 10 // in KiB on Linux
}

// residentMemory returns the resident size of a running process in bytes, or 0 if the system does not report it.
func residentMemory(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	var size, resident int64
	if err == nil {
		_, err = fmt.Sscan(string(text), &size, &resident)
	}
	if err != nil {
		return 0
	}
	return resident * int64(os.Getpagesize())
}
