//go:build linux || darwin

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakMemory is the most memory that a process had at a time, in bytes.
func peakMemory(p *os.ProcessState) (int64, bool) {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, false
	}
	if runtime.GOOS == "darwin" {
		return usage.Maxrss, true
	}
	return usage.Maxrss << 10, true // Linux counts KiB
}

// freeSpace is what the user may still write to the disk of a folder, in bytes.
func freeSpace(dir string) (int64, bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail * uint64(s.Bsize)), true
}
