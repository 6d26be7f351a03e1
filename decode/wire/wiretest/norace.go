//go:build !race

package wiretest

// RaceDetector reports whether the race detector is on. The detector allocates memory and slows tests down.
const RaceDetector = false
