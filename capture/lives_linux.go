package capture

import (
	"errors"
	"io"
	"time"

	"golang.org/x/sys/unix"
)

// Lives captures packets from several interfaces and orders them by time. Each interface has its own ring. Lives must
// be used by one goroutine, except for Close.
//
// Next returns a packet only when no other interface can still deliver an earlier one. Since the kernel delays packets
// for a short time, so does Next if there are several interfaces.
type Lives struct {
	all      []*mergedLive
	returned *mergedLive // the interface of the last packet returned
}

// mergedLive is an interface and its next packet. The packet's data stays in the ring.
type mergedLive struct {
	*Live
	packet Packet
	full   bool // packet is valid
	ended  bool
	empty  time.Time // time at which the ring was last empty
}

// maxDelay is the longest time between the arrival of a packet and the delivery of its block. The kernel delivers each
// block within twice Quiet.
const maxDelay = 2 * Quiet

// OpenLives begins to capture from interfaces. sockets come from [OpenSocket]; an interface without a socket opens its
// own. o.Descriptor is ignored. The interfaces share o.Buffer.
func OpenLives(names []string, sockets []int, o LiveOptions) (*Lives, error) {
	return openLives(names, sockets, o, OpenLive)
}

func openLives(names []string, sockets []int, o LiveOptions, open func(string, LiveOptions) (*Live, error)) (*Lives,
	error) {
	if len(names) == 0 {
		return nil, errNoInterface
	}
	if o.Buffer <= 0 {
		o.Buffer = defaultBuffer
	}
	o.Buffer /= int64(len(names))
	m := new(Lives)
	for i, name := range names {
		o.Descriptor = 0
		if i < len(sockets) {
			o.Descriptor = sockets[i]
		}
		l, err := open(name, o)
		if err != nil {
			_ = m.Close()
			return nil, err
		}
		m.all = append(m.all, &mergedLive{Live: l})
	}
	return m, nil
}

// Next returns the next packet, ErrQuiet, or an error that [Live.Next] returned for one interface. After an error, the
// other interfaces continue. Next returns io.EOF when all have ended.
func (m *Lives) Next(p *Packet) error {
	if len(m.all) == 1 && !m.all[0].ended {
		err := m.all[0].Live.Next(p)
		m.all[0].note(err)
		return err
	}
	if m.returned != nil {
		m.returned.full, m.returned = false, nil
	}
	for begun := time.Now(); ; {
		next, err := m.next()
		switch {
		case err != nil:
			return err
		case next != nil:
			m.returned = next
			*p = next.packet
			return nil
		case m.Left() == 0:
			return io.EOF
		case time.Since(begun) >= Quiet:
			return ErrQuiet
		}
		if err := m.wait(); err != nil {
			return err
		}
	}
}

// next returns the interface with the earliest packet, or nil if another interface may still deliver an earlier one.
func (m *Lives) next() (*mergedLive, error) {
	first := m.first()
	for _, l := range m.all {
		if l.mayPrecede(first) {
			if err := l.look(); err != nil {
				return nil, err
			}
		}
	}
	first = m.first()
	for _, l := range m.all {
		if l.mayPrecede(first) {
			return nil, nil //nolint:nilnil // not an error: no packet yet
		}
	}
	return first, nil
}

// first returns the interface with the earliest packet so far, or nil if there is none. If times are equal, it returns
// the interface that was named first.
func (m *Lives) first() (first *mergedLive) {
	for i, l := range m.all {
		if l.full && (first == nil || l.packet.Time < first.packet.Time) {
			first, l.packet.Interface = l, i
		}
	}
	return first
}

// mayPrecede reports whether an interface without a packet may still deliver one that is earlier than first. It cannot
// if it was still empty maxDelay after first's time, or maxDelay after first was delivered. The second condition covers
// packets with times in the future, after a clock was set back.
func (l *mergedLive) mayPrecede(first *mergedLive) bool {
	if l.full || l.ended {
		return false
	}
	return first == nil ||
		first.packet.Time > l.empty.Add(-maxDelay).UnixNano() && l.empty.Sub(first.ring.since) < maxDelay
}

func (l *mergedLive) look() error {
	now := time.Now()
	err := l.Live.next(&l.packet, 0)
	l.note(err)
	switch {
	case err == nil:
		l.full = true
	case err == ErrQuiet && !l.skipping:
		l.empty = now
	case err != ErrQuiet && err != io.EOF:
		return err
	}
	return nil
}

// note records whether an error ended the interface.
func (l *mergedLive) note(err error) {
	l.ended = err != nil && err != ErrQuiet && !errors.Is(err, ErrDown)
}

// wait waits until an interface without a packet receives one, or until the first packet can be returned.
func (m *Lives) wait() error {
	timeout := Quiet
	if first := m.first(); first != nil {
		timeout = min(timeout, max(time.Until(time.Unix(0, first.packet.Time).Add(maxDelay)), time.Millisecond))
	}
	var fds []unix.PollFd
	for _, l := range m.all {
		if !l.full && !l.ended {
			fds = append(fds, unix.PollFd{Fd: int32(l.fd), Events: unix.POLLIN | unix.POLLERR})
		}
	}
	if _, err := unix.Poll(fds, int(timeout.Milliseconds())); err != nil && err != unix.EINTR {
		return &Error{File: m.all[0].name, Reason: "capturing failed: " + err.Error(), Err: err}
	}
	return nil
}

// Left returns the number of interfaces that may still deliver packets.
func (m *Lives) Left() (n int) {
	for _, l := range m.all {
		if !l.ended {
			n++
		}
	}
	return n
}

// Stop ends receiving on all interfaces: see [Live.Stop].
func (m *Lives) Stop() {
	for _, l := range m.all {
		l.Stop()
	}
}

// Statistics reads the kernel's packet counts of each interface.
func (m *Lives) Statistics() (list []LiveStatistics) {
	for _, l := range m.all {
		list = append(list, l.Live.Statistics())
	}
	return list
}

// Close ends capturing.
func (m *Lives) Close() error {
	var errs []error
	for _, l := range m.all {
		errs = append(errs, l.Close())
	}
	return errors.Join(errs...)
}
