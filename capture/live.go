package capture

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/bpf"
)

// ErrQuiet is returned by Live.Next if no packet arrived during [Quiet]. The caller can then do other work and call
// Next again.
var ErrQuiet = errors.New("no packet for a moment")

// ErrDown is wrapped by the error for an interface that went down. When the interface is up again, Next returns packets
// again.
var ErrDown = errors.New("the interface is down")

// errNoInterface is the error of OpenLives for an empty list of names.
var errNoInterface = errors.New("there is no interface to capture from")

// Quiet is the time without a packet after which Live.Next returns ErrQuiet.
const Quiet = 50 * time.Millisecond

// AnyInterface is the name for all interfaces together. Their packets have the link type Linux cooked v2.
const AnyInterface = "any"

// LiveOptions are the options for capturing from an interface.
type LiveOptions struct {
	Snap       int   // bytes to keep of each packet; 0: all
	Buffer     int64 // size of the kernel's buffer in bytes; 0: 32 MiB
	NoPromisc  bool  // do not switch the interface to promiscuous mode
	Descriptor int   // a socket from OpenSocket to use instead of opening one; 0: none

	// Filter returns the filter for packets of a link type, which are cut to snap bytes. If Filter is nil, all packets
	// are accepted.
	Filter func(link LinkType, snap int) (Filter, error)
}

// A Filter selects packets.
type Filter interface {
	// Raw returns a program for the kernel. The program returns how many bytes of a packet to keep.
	Raw() []bpf.RawInstruction

	// Match reports whether the program accepts a packet. length is the packet's size on the wire.
	Match(packet []byte, length int) bool

	// ReadsVLAN reports whether the program reads VLAN tags. The kernel removes the tags before it runs the program.
	ReadsVLAN() bool

	// ReadsKernel reports whether the program reads data that only the kernel has, such as the packet's direction.
	ReadsKernel() bool
}

const (
	defaultBuffer = 32 << 20
	largestSnap   = usualRecord
)

// LiveStatistics are the kernel's packet counts for an interface since it was opened.
type LiveStatistics struct {
	Interface string
	LinkType  LinkType
	Snap      int
	Captured  int64 // packets that Next returned
	Received  int64 // packets that passed the kernel's filter, including dropped ones
	Dropped   int64 // packets that the kernel dropped because they were not read in time
}

// A Device is an interface to capture from.
type Device struct {
	Name      string
	Number    int
	State     string // "up" or "down", followed by ", loopback" for a loopback interface
	Addresses []netip.Prefix
}

// Devices lists the interfaces of this machine.
func Devices() ([]Device, error) {
	list, err := net.Interfaces()
	if err != nil {
		return nil, fmt.Errorf("interfaces cannot be listed: %w", err)
	}
	var devices []Device
	for _, i := range list {
		d := Device{Name: i.Name, Number: i.Index, State: "down"}
		if i.Flags&net.FlagUp != 0 {
			d.State = "up"
		}
		if i.Flags&net.FlagLoopback != 0 {
			d.State += ", loopback"
		}
		addresses, err := i.Addrs()
		if err != nil {
			continue // the interface has been removed
		}
		for _, a := range addresses {
			if p, err := netip.ParsePrefix(a.String()); err == nil {
				d.Addresses = append(d.Addresses, p)
			}
		}
		devices = append(devices, d)
	}
	return devices, nil
}

func unknownInterface(name string) error {
	var names []string
	if list, err := net.Interfaces(); err == nil {
		for _, i := range list {
			names = append(names, i.Name)
		}
	}
	slices.Sort(names)
	return &Error{File: name, Reason: "there is no such interface (there are " + strings.Join(names, ", ") + ", and any)"}
}

func snapLength(n int) int {
	if n <= 0 || n > largestSnap {
		return largestSnap
	}
	return n
}
