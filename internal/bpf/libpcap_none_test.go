//go:build nolibpcap || !((linux || darwin) && (amd64 || arm64))

package bpf

import (
	"testing"

	"github.com/gamedissect/gamedissect/capture"
)

func compareWithLibrary(*testing.T, string, capture.LinkType, []RawInstruction) {}
