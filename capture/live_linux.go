package capture

import (
	"encoding/binary"
	"errors"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// ErrRights is wrapped by the error of OpenSocket or OpenLive if the program has no permission to capture.
var ErrRights = errors.New("no permission to capture: CAP_NET_RAW is missing")

// Hardware types of interfaces with an Ethernet header, from if_arp.h.
const (
	hardwareEthernet = unix.ARPHRD_ETHER
	hardwareLoopback = unix.ARPHRD_LOOPBACK
)

// hardwareBare lists the types of interfaces whose packets begin with the IP header. Most of them are tunnels.
var hardwareBare = map[int]bool{
	unix.ARPHRD_NONE: true, unix.ARPHRD_RAWIP: true, unix.ARPHRD_TUNNEL: true,
	unix.ARPHRD_TUNNEL6: true, unix.ARPHRD_SIT: true, unix.ARPHRD_IPGRE: true,
}

const (
	linkEthernet LinkType = 1
	linkRaw      LinkType = 101
	linkCooked2  LinkType = 276
)

// Live captures packets from a network interface on Linux, through a ring buffer that it shares with the kernel. It
// must be used by one goroutine, except for Close.
type Live struct {
	name     string
	fd       int
	index    int // the interface's index; 0: any
	loopback bool
	link     LinkType
	snap     int
	ring     ring
	filter   Filter // nil: the kernel filters, or all packets are accepted; see setFilter
	number   int    // number of the last packet returned
	taken    int64  // packets from the ring, including those that filter rejected
	counts   LiveStatistics
	close    sync.Once
	down     bool
	stopped  bool
	skipping bool // ErrQuiet was returned because the filter rejected all packets

	drainUntil time.Time // after Stop: end of the wait for the kernel's packets; zero: not stopped
}

// OpenSocket opens the socket that Live needs. It is the only step of capturing that needs CAP_NET_RAW. The socket does
// not receive packets yet.
func OpenSocket() (int, error) {
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW, 0) // protocol 0: no packets before the filter is attached
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES) {
		return -1, ErrRights
	}
	if err != nil {
		return -1, os.NewSyscallError("socket", err)
	}
	return fd, nil
}

// OpenLive begins to capture from an interface, or from all of them; see AnyInterface. All errors are of type [*Error].
func OpenLive(name string, o LiveOptions) (*Live, error) {
	l := &Live{name: name, fd: o.Descriptor, link: linkCooked2, snap: snapLength(o.Snap)}
	var err error
	if l.fd <= 0 {
		l.fd, err = OpenSocket()
	}
	if err != nil {
		return nil, &Error{File: name, Reason: "cannot be opened: " + err.Error(), Err: err}
	}
	if err := l.open(o); err != nil {
		_ = l.Close()
		if own, ok := errors.AsType[*Error](err); ok {
			return nil, own
		}
		return nil, &Error{File: name, Reason: "cannot be opened: " + err.Error(), Err: err}
	}
	return l, nil
}

func (l *Live) open(o LiveOptions) error {
	if l.name != AnyInterface {
		if err := l.find(); err != nil {
			return err
		}
	}
	if err := l.setFilter(o.Filter); err != nil {
		return err
	}
	buffer := o.Buffer
	if buffer <= 0 {
		buffer = defaultBuffer
	}
	if err := l.ring.open(l.fd, buffer); err != nil {
		return err
	}
	if l.index != 0 && !l.loopback && !o.NoPromisc {
		m := unix.PacketMreq{Ifindex: int32(l.index), Type: unix.PACKET_MR_PROMISC}
		if err := unix.SetsockoptPacketMreq(l.fd, unix.SOL_PACKET, unix.PACKET_ADD_MEMBERSHIP, &m); err != nil {
			return os.NewSyscallError("setsockopt PACKET_ADD_MEMBERSHIP", err)
		}
	}
	at := unix.SockaddrLinklayer{Protocol: networkOrder(unix.ETH_P_ALL), Ifindex: l.index}
	if err := unix.Bind(l.fd, &at); err != nil {
		return os.NewSyscallError("bind", err)
	}
	if err := l.socketError(); err != nil {
		if !errors.Is(err, unix.ENETDOWN) {
			return err
		}
		return &Error{File: l.name, Reason: "is down (ip link set " + l.name + " up)", Err: err}
	}
	l.counts = LiveStatistics{Interface: l.name, LinkType: l.link, Snap: l.snap}
	return nil
}

// find looks up the interface and its link type.
func (l *Live) find() error {
	i, err := net.InterfaceByName(l.name)
	if err != nil {
		return unknownInterface(l.name)
	}
	hardware, err := hardwareOf(l.fd, l.name)
	if err != nil {
		return err
	}
	l.index = i.Index
	l.link, l.loopback = linkOf(hardware), hardware == hardwareLoopback
	return nil
}

// hardwareOf returns the hardware type of an interface: see if_arp.h. fd may be any socket.
func hardwareOf(fd int, name string) (int, error) {
	r, err := unix.NewIfreq(name)
	if err != nil {
		return 0, err
	}
	if err := unix.IoctlIfreq(fd, unix.SIOCGIFHWADDR, r); err != nil {
		return 0, os.NewSyscallError("ioctl SIOCGIFHWADDR", err)
	}
	return int(r.Uint16()), nil
}

func linkOf(hardware int) LinkType {
	switch {
	case hardware == hardwareEthernet || hardware == hardwareLoopback:
		return linkEthernet
	case hardwareBare[hardware]:
		return linkRaw
	}
	return linkCooked2
}

// LinkTypeOf returns the link type of the packets that Live captures from an interface. It needs no privileges.
func LinkTypeOf(name string) (LinkType, error) {
	if name == AnyInterface {
		return linkCooked2, nil
	}
	if _, err := net.InterfaceByName(name); err != nil {
		return 0, unknownInterface(name)
	}
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
	if err != nil {
		return 0, os.NewSyscallError("socket", err)
	}
	hardware, err := hardwareOf(fd, name)
	if err := errors.Join(err, unix.Close(fd)); err != nil {
		return 0, err
	}
	return linkOf(hardware), nil
}

// loopbackOnce is the beginning of every filter program. A loopback interface delivers each packet twice, outgoing and
// incoming. The program rejects the outgoing copy, so the copy takes no memory and is not counted as dropped.
var loopbackOnce = []bpf.Instruction{
	bpf.LoadExtension{Num: bpf.ExtLinkLayerType},
	bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: hardwareLoopback, SkipTrue: 3},
	bpf.LoadExtension{Num: bpf.ExtType},
	bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.PACKET_OUTGOING, SkipTrue: 1},
	bpf.RetConstant{Val: 0},
}

// setFilter attaches a filter program to the socket. The kernel runs the program on packets without their VLAN tags and
// with their own link-layer headers. If the filter needs VLAN tags or cooked headers, Live applies the filter itself,
// and the kernel's program only cuts the packets.
func (l *Live) setFilter(compile func(LinkType, int) (Filter, error)) error {
	keep := l.snap
	var program []bpf.RawInstruction
	if compile != nil {
		f, err := compile(l.link, l.snap)
		if err != nil {
			return err
		}
		if l.link == linkCooked2 || f.ReadsVLAN() {
			if f.ReadsKernel() {
				return &Error{File: l.name, Reason: "inbound and outbound cannot be combined with all interfaces or with vlan"}
			}
			l.filter, keep = f, largestSnap
		} else {
			program = f.Raw()
		}
	}
	if program == nil {
		program = []bpf.RawInstruction{{Op: unix.BPF_RET | unix.BPF_K, K: uint32(keep)}}
	}
	once, err := bpf.Assemble(loopbackOnce)
	if err != nil {
		return err
	}
	var raw []unix.SockFilter
	for _, x := range slices.Concat(once, program) {
		raw = append(raw, unix.SockFilter{Code: x.Op, Jt: x.Jt, Jf: x.Jf, K: x.K})
	}
	prog := unix.SockFprog{Len: uint16(len(raw)), Filter: &raw[0]}
	err = unix.SetsockoptSockFprog(l.fd, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &prog)
	return os.NewSyscallError("setsockopt SO_ATTACH_FILTER", err)
}

// Next returns the next packet, ErrQuiet if none arrives within Quiet, or an *Error. If the interface went down,
// packets may follow after the error. If the interface was removed, none follow.
func (l *Live) Next(p *Packet) error { return l.next(p, Quiet) }

func (l *Live) next(p *Packet, wait time.Duration) error {
	var begun time.Time
	l.skipping = false
	for {
		f, err := l.ring.next(wait)
		if err != nil {
			return l.explain(err)
		}
		l.taken++
		data, length, accepted := l.accept(f)
		if !accepted {
			switch { // return to the caller in time even if all packets are rejected
			case begun.IsZero():
				begun = time.Now()
			case time.Since(begun) >= Quiet:
				l.skipping = true
				return ErrQuiet
			}
			continue
		}
		l.number++
		*p = Packet{
			Data: data[:min(len(data), l.snap)], Length: length, Time: f.time,
			LinkType: l.link, Number: l.number, File: l.name,
		}
		return nil
	}
}

// accept returns a packet in the form that Next returns, and whether the filter accepts it. Cooked packets are filtered
// without their VLAN tags, as in the kernel, and other packets in the form that Next returns.
func (l *Live) accept(f *frame) (data []byte, length int, accepted bool) {
	if l.filter != nil && l.link == linkCooked2 && f.vlan {
		bare := *f
		bare.vlan = false
		if !l.filter.Match(l.shown(&bare)) {
			return nil, 0, false
		}
		data, length = l.shown(f)
		return data, length, true
	}
	data, length = l.shown(f)
	return data, length, l.filter == nil || l.filter.Match(data, length)
}

func (l *Live) explain(err error) error {
	if err == ErrQuiet {
		return l.quiet()
	}
	if bad := l.socketError(); bad != nil {
		err = bad
	}
	if l.stopped {
		return l.quiet()
	}
	e := &Error{File: l.name, Err: err, Reason: "capturing failed: " + err.Error()}
	if errors.Is(err, unix.ENETDOWN) {
		e.Reason, e.Err = "the interface is down; what comes when it is up again is captured", ErrDown
		l.down = l.index != 0
	}
	return e
}

func (l *Live) socketError() error {
	n, err := unix.GetsockoptInt(l.fd, unix.SOL_SOCKET, unix.SO_ERROR)
	if err != nil {
		return os.NewSyscallError("getsockopt SO_ERROR", err)
	}
	if n != 0 {
		return unix.Errno(n)
	}
	return nil
}

// Statistics reads the kernel's packet counts.
func (l *Live) Statistics() LiveStatistics {
	if s, err := unix.GetsockoptTpacketStatsV3(l.fd, unix.SOL_PACKET, unix.PACKET_STATISTICS); err == nil {
		l.counts.Received += int64(s.Packets) // the kernel resets its counts when they are read
		l.counts.Dropped += int64(s.Drops)
	}
	l.counts.Captured = int64(l.number)
	return l.counts
}

// LinkType returns the link type of the packets.
func (l *Live) LinkType() LinkType { return l.link }

// Close ends capturing.
func (l *Live) Close() (err error) {
	l.close.Do(func() {
		l.ring.close()
		err = os.NewSyscallError("close", unix.Close(l.fd))
	})
	return err
}

// networkOrder converts a number to network byte order.
func networkOrder(n uint16) uint16 {
	var b [2]byte
	binary.BigEndian.PutUint16(b[:], n)
	return binary.NativeEndian.Uint16(b[:])
}
