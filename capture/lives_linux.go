package capture

import (
	"errors"
	"io"
	"time"

	"golang.org/x/sys/unix"
)

// Lives takes packets from several interfaces in the order of their times, each through a ring of its own. It is for
// one goroutine; only Close may come from another.
//
// A packet is given when no other interface can have an earlier one that was not seen yet: the kernel keeps packets for
// a moment until it gives them away. So where there are several, packets come that much later.
type Lives struct {
	all   []*mergedLive
	given *mergedLive // whose packet was given last
}

// mergedLive is an interface and the next packet of it, whose data stay in its ring.
type mergedLive struct {
	*Live
	packet Packet
	full   bool // packet comes next
	ended  bool
	empty  time.Time // when there was none
}

// untilSeen is how long it takes until all packets that came before can be seen: the kernel retires blocks within two
// moments.
const untilSeen = 2 * Quiet

// OpenLives begins to take packets from interfaces. The sockets are for the first of them, instead of opening some and
// of that in the options, which is for OpenLive alone. The buffer is for all interfaces together.
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

// Next is that of Live: the errors are those of one of the interfaces. After one that is no ErrQuiet there may be more
// packets. io.EOF is the end of all.
func (m *Lives) Next(p *Packet) error {
	if len(m.all) == 1 && !m.all[0].ended {
		err := m.all[0].Live.Next(p)
		m.all[0].note(err)
		return err
	}
	if m.given != nil {
		m.given.full, m.given = false, nil
	}
	for begun := time.Now(); ; {
		next, err := m.next()
		switch {
		case err != nil:
			return err
		case next != nil:
			m.given = next
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

// next gives the interface whose packet is the earliest, nil if an earlier one may come still.
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
			return nil, nil //nolint:nilnil // nothing yet is a good answer
		}
	}
	return first, nil
}

// first gives the interface with the earliest of the packets that are there, nil if there is none. At equal times that
// of the interface which was named first is the earliest.
func (m *Lives) first() (first *mergedLive) {
	for i, l := range m.all {
		if l.full && (first == nil || l.packet.Time < first.packet.Time) {
			first, l.packet.Interface = l, i
		}
	}
	return first
}

// mayPrecede reports whether the interface, of which no packet is there, may have one that is earlier than the first of
// those that are. Clocks are set, so that times of packets may lie in the future: what was seen long before the
// interface was empty is earlier in any case.
func (l *mergedLive) mayPrecede(first *mergedLive) bool {
	if l.full || l.ended {
		return false
	}
	return first == nil ||
		first.packet.Time > l.empty.Add(-untilSeen).UnixNano() && l.empty.Sub(first.ring.since) < untilSeen
}

// look takes a packet if there is one.
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

// note notes whether more packets can come after an error.
func (l *mergedLive) note(err error) {
	l.ended = err != nil && err != ErrQuiet && !errors.Is(err, ErrDown)
}

// wait waits until an interface of which no packet is there has one, or until one that is there can be given.
func (m *Lives) wait() error {
	most := Quiet
	if first := m.first(); first != nil {
		most = min(most, max(time.Until(time.Unix(0, first.packet.Time).Add(untilSeen)), time.Millisecond))
	}
	var fds []unix.PollFd
	for _, l := range m.all {
		if !l.full && !l.ended {
			fds = append(fds, unix.PollFd{Fd: int32(l.fd), Events: unix.POLLIN | unix.POLLERR})
		}
	}
	if _, err := unix.Poll(fds, int(most.Milliseconds())); err != nil && err != unix.EINTR {
		return &Error{File: m.all[0].name, Reason: "capturing failed: " + err.Error(), Err: err}
	}
	return nil
}

// Left is how many interfaces packets may still come from.
func (m *Lives) Left() (n int) {
	for _, l := range m.all {
		if !l.ended {
			n++
		}
	}
	return n
}

// Stop ends receiving, as that of Live does, on all interfaces.
func (m *Lives) Stop() {
	for _, l := range m.all {
		l.Stop()
	}
}

// Statistics asks the kernel for its counts of each interface.
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
