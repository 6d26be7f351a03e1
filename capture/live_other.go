//go:build !linux && !pcap

package capture

import "errors"

// ErrRights is wrapped by the error of OpenSocket or OpenLive if the program has no permission to capture.
var ErrRights = errors.New("no permission to capture")

// Live captures packets from an interface. This build does not support that.
type Live struct{}

var errBuild = errors.New("this build cannot capture: it has no libpcap; build with -tags pcap, or pipe: tcpdump -w " +
	"- | gamedissect -r -")

// OpenSocket returns an error, since this build does not support live capture.
func OpenSocket() (int, error) { return -1, errBuild }

// OpenLive returns an error. See the build tag pcap.
func OpenLive(name string, _ LiveOptions) (*Live, error) {
	return nil, &Error{File: name, Reason: errBuild.Error(), Err: errBuild}
}

// LinkTypeOf returns an error.
func LinkTypeOf(string) (LinkType, error) { return 0, errBuild }

// Next returns an error.
func (*Live) Next(*Packet) error { return errBuild }

// Stop does nothing.
func (*Live) Stop() {}

// Statistics returns zeros.
func (*Live) Statistics() LiveStatistics { return LiveStatistics{} }

// LinkType returns 0.
func (*Live) LinkType() LinkType { return 0 }

// Close does nothing.
func (*Live) Close() error { return nil }
