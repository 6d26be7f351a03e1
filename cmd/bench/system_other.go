//go:build !linux && !darwin

package main

import "os"

// peakMemory is not known here.
func peakMemory(*os.ProcessState) (int64, bool) { return 0, false }

// freeSpace is not known here.
func freeSpace(string) (int64, bool) { return 0, false }

// residentMemory is not known here.
func residentMemory(int) int64 { return 0 }
