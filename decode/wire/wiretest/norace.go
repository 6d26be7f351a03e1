//go:build !race

package wiretest

// RaceDetector reports whether the race detector is on, which allocates and slows everything down.
const RaceDetector = false
