package capture

import (
	"io"
	"net"
	"time"

	"golang.org/x/sys/unix"
)

// reserved is an ethertype that no packet has: IANA keeps it back.
const reserved = 0xffff

// mostPatience is how long packets are waited for that the kernel counted and has not given away: it retires a block
// within two moments.
const mostPatience = 20 * Quiet

// Stop ends receiving. Next still gives what waits, and then io.EOF, so that each packet which passed the filter
// before was given or is counted as dropped.
func (l *Live) Stop() {
	if l.stopped {
		return
	}
	l.stopped = true
	// Until nobody delivers packets of the former protocol any more, this does not return: the counts stand still
	// then. An interface that is gone, of which it is an error, has none to deliver.
	at := unix.SockaddrLinklayer{Protocol: networkOrder(reserved), Ifindex: l.index}
	_ = unix.Bind(l.fd, &at)
}

// quiet finds out whether a packet may come yet when none came for a moment.
func (l *Live) quiet() error {
	switch {
	case l.stopped && !l.waiting():
		return io.EOF
	case !l.stopped && l.down:
		return l.checkGone()
	}
	return ErrQuiet
}

// waiting reports whether there are packets in a block that the kernel has not given away.
func (l *Live) waiting() bool {
	if l.patience.IsZero() {
		l.patience = time.Now().Add(mostPatience)
	}
	s := l.Statistics()
	return s.Received-s.Dropped > l.taken && time.Now().Before(l.patience)
}

// checkGone finds out whether an interface that went down is still there: the kernel does not say when it goes
// for good.
func (l *Live) checkGone() error {
	i, err := net.InterfaceByIndex(l.index)
	if err == nil {
		l.down = i.Flags&net.FlagUp == 0
		return ErrQuiet
	}
	if l.waiting() {
		return ErrQuiet
	}
	return &Error{File: l.name, Err: err, Reason: "the interface is gone"}
}
