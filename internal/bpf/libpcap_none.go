//go:build nolibpcap || !((linux || darwin) && (amd64 || arm64))

package bpf

import (
	"errors"

	"github.com/gamedissect/gamedissect/capture"
)

// libpcap is what this build does not have.
type libpcap struct {
	version string
	err     error
}

var none = &libpcap{err: errors.New("this program was built without libpcap")}

func library() *libpcap { return none }

func (l *libpcap) compile(string, capture.LinkType, int, bool) ([]RawInstruction, error) {
	return nil, l.err
}
