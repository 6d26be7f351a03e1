//go:build !linux && pcap

package capture

import (
	"errors"
	"io"
	"strings"
	"time"

	"github.com/google/gopacket/pcap"
)

// ErrRights is wrapped by the error of OpenSocket or OpenLive if the program has no permission to capture.
var ErrRights = errors.New("no permission to capture")

// Live captures packets from an interface with libpcap.
type Live struct {
	name   string
	handle *pcap.Handle
	filter Filter
	snap   int
	number int
	end    time.Time // when Stop was called; zero: not yet
}

// OpenSocket returns an error, since libpcap opens its own socket.
func OpenSocket() (int, error) { return -1, errors.New("there are no packet sockets on this system") }

// OpenLive begins to capture from an interface. All errors are of type [*Error].
func OpenLive(name string, o LiveOptions) (*Live, error) {
	l := &Live{name: name, snap: snapLength(o.Snap)}
	in, err := pcap.NewInactiveHandle(name)
	if err == nil {
		defer in.CleanUp()
		err = errors.Join(in.SetSnapLen(l.snap), in.SetPromisc(!o.NoPromisc), in.SetTimeout(Quiet))
		if o.Buffer > 0 {
			err = errors.Join(err, in.SetBufferSize(int(o.Buffer)))
		}
	}
	if err == nil {
		l.handle, err = in.Activate()
	}
	if err != nil {
		if strings.Contains(err.Error(), "ermission") {
			err = errors.Join(err, ErrRights)
		}
		return nil, &Error{File: name, Reason: "cannot be opened: " + err.Error(), Err: err}
	}
	if o.Filter != nil {
		if l.filter, err = o.Filter(l.LinkType(), l.snap); err != nil {
			l.handle.Close()
			return nil, err
		}
	}
	return l, nil
}

// LinkTypeOf returns the link type of the packets that Live captures from an interface. It opens the interface.
func LinkTypeOf(name string) (LinkType, error) {
	l, err := OpenLive(name, LiveOptions{NoPromisc: true})
	if err != nil {
		return 0, err
	}
	return l.LinkType(), l.Close()
}

// Next returns the next packet, ErrQuiet if none arrives within Quiet, or an *Error.
func (l *Live) Next(p *Packet) error {
	begun := time.Now()
	for {
		data, info, err := l.handle.ZeroCopyReadPacketData()
		switch {
		case !l.end.IsZero() && (err != nil || info.Timestamp.After(l.end)):
			return io.EOF
		case errors.Is(err, pcap.NextErrorTimeoutExpired):
			return ErrQuiet
		case err != nil:
			return &Error{File: l.name, Reason: "capturing failed: " + err.Error(), Err: err}
		case l.filter != nil && !l.filter.Match(data, info.Length):
			if time.Since(begun) >= Quiet { // return to the caller in time even if all packets are rejected
				return ErrQuiet
			}
			continue
		}
		l.number++
		*p = Packet{
			Data: data, Length: info.Length, Time: info.Timestamp.UnixNano(),
			LinkType: l.LinkType(), Number: l.number, File: l.name,
		}
		return nil
	}
}

// Stop makes Next return the packets that arrived before the call, and then io.EOF. Next recognises them by their
// times. Setting a filter that rejects later packets does not work, because some systems then drop the packets in their
// buffer.
func (l *Live) Stop() {
	if l.end.IsZero() {
		l.end = time.Now()
	}
}

// Statistics reads libpcap's packet counts.
func (l *Live) Statistics() LiveStatistics {
	s := LiveStatistics{Interface: l.name, LinkType: l.LinkType(), Snap: l.snap, Captured: int64(l.number)}
	if c, err := l.handle.Stats(); err == nil {
		s.Received, s.Dropped = int64(c.PacketsReceived), int64(c.PacketsDropped+c.PacketsIfDropped)
	}
	return s
}

// LinkType returns the link type of the packets.
func (l *Live) LinkType() LinkType {
	switch n := int(l.handle.LinkType()); n {
	case 12, 14: // raw IP on some systems
		return 101
	default:
		return LinkType(n)
	}
}

// Close ends capturing.
func (l *Live) Close() error {
	l.handle.Close()
	return nil
}
