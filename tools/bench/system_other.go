//go:build !linux && !darwin

package main

import "os"

func peakMemory(*os.ProcessState) int64 { return 0 }

func residentMemory(int) int64 { return 0 }
