//go:build !linux && !pcap

package capture

import "errors"

// ErrRights is wrapped by the error of a program that may not capture.
var ErrRights = errors.New("the right to capture is missing")

// Live takes packets from an interface. This build cannot.
type Live struct{}

var errBuild = errors.New("this build cannot capture: it has no libpcap; build with -tags pcap, or pipe: tcpdump -w " +
	"- | gamedissect -r -")

// OpenSocket cannot open one.
func OpenSocket() (int, error) { return -1, errBuild }

// OpenLive returns an error: see the build tag pcap.
func OpenLive(name string, _ LiveOptions) (*Live, error) {
	return nil, &Error{File: name, Reason: errBuild.Error(), Err: errBuild}
}

// LinkTypeOf cannot tell.
func LinkTypeOf(string) (LinkType, error) { return 0, errBuild }

// Next returns nothing.
func (*Live) Next(*Packet) error { return errBuild }

// Stop does nothing.
func (*Live) Stop() {}

// Statistics has none.
func (*Live) Statistics() LiveStatistics { return LiveStatistics{} }

// LinkType is that of the packets.
func (*Live) LinkType() LinkType { return 0 }

// Close does nothing.
func (*Live) Close() error { return nil }
