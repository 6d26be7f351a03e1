// Package testcapture reads the captures in testdata for tests.
package testcapture

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
)

// Names returns the captures whose paths match one of the patterns. It leaves out the files of expected output.
func Names(tb testing.TB, patterns ...string) (names []string) {
	tb.Helper()
	for _, p := range patterns {
		found, err := filepath.Glob(p)
		if err != nil {
			tb.Fatal(err)
		}
		names = append(names, found...)
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		return !strings.Contains(name, ".pcap") || strings.HasSuffix(name, ".golden") || strings.HasSuffix(name, ".jsonl.gz")
	})
	if len(names) == 0 {
		tb.Fatalf("no captures match %q", patterns)
	}
	return names
}

// Frames returns the packets of a capture up to its end or the first damage.
func Frames(tb testing.TB, name string) (frames []decode.Frame) {
	tb.Helper()
	f, err := capture.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var p capture.Packet
	for f.Next(&p) == nil {
		frames = append(frames, decode.Frame{Data: bytes.Clone(p.Data), Length: p.Length, Time: p.Time,
			Link: uint16(p.LinkType), Number: p.Number, File: filepath.Base(name)})
	}
	return frames
}
