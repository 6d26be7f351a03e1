package capture

import (
	"io"
	"net"
	"time"

	"golang.org/x/sys/unix"
)

// reserved is an EtherType that no packet has. IANA reserves it.
const reserved = 0xffff

// maxDrain is the longest time for which Next waits for packets that the kernel has counted but not yet delivered. The
// kernel should deliver them within twice Quiet.
const maxDrain = 20 * Quiet

// Stop ends receiving. Next then returns the packets that are still in the ring, and then io.EOF. Each packet that
// passed the filter before Stop is either returned or counted as dropped.
func (l *Live) Stop() {
	if l.stopped {
		return
	}
	l.stopped = true
	// When Bind returns, the kernel delivers no more packets of the previous protocol, so the counts are final. Bind
	// fails if the interface is gone, but then no more packets arrive either.
	at := unix.SockaddrLinklayer{Protocol: networkOrder(reserved), Ifindex: l.index}
	_ = unix.Bind(l.fd, &at)
}

// quiet returns the error that Next returns after a wait without a packet. It is io.EOF if no more packets can arrive.
func (l *Live) quiet() error {
	switch {
	case l.stopped && !l.waiting():
		return io.EOF
	case !l.stopped && l.down:
		return l.checkGone()
	}
	return ErrQuiet
}

// waiting reports whether the kernel still has packets in a block that it has not delivered.
func (l *Live) waiting() bool {
	if l.drainUntil.IsZero() {
		l.drainUntil = time.Now().Add(maxDrain)
	}
	s := l.Statistics()
	return s.Received-s.Dropped > l.taken && time.Now().Before(l.drainUntil)
}

// checkGone checks whether an interface that went down has been removed, because the kernel does not report the
// removal.
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
