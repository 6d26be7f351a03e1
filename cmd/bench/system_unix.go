//go:build linux || darwin

package main

import (
	"fmt"
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

// residentMemory is the memory of a running process, in bytes; 0 if the system does not tell.
func residentMemory(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	var size, resident int64
	if _, err := fmt.Sscan(string(text), &size, &resident); err != nil {
		return 0
	}
	return resident * int64(os.Getpagesize())
}
