package capture

import (
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

// fakeLives makes interfaces with rings of fakeRing.
func fakeLives(names ...string) (*Lives, []*mergedLive) {
	m := new(Lives)
	for _, name := range names {
		m.all = append(m.all, &mergedLive{Live: &Live{name: name, link: linkEthernet, snap: largestSnap, ring: *fakeRing(2)}})
	}
	return m, m.all
}

// packetsAt makes packets with the given times. The upper half of a packet's last byte is its index.
func packetsAt(times ...time.Time) (list []kernelPacket) {
	for i, t := range times {
		list = append(list, kernelPacket{
			data: strings.Repeat("00", 14) + string("0123456789"[i]) + "0", header: 14,
			seconds: uint32(t.Unix()), nanos: uint32(t.Nanosecond()),
		})
	}
	return list
}

// Each interface has its own socket, even if there are fewer sockets than interfaces.
func TestOpenLivesSockets(t *testing.T) {
	var got []int
	open := func(name string, o LiveOptions) (*Live, error) {
		got = append(got, o.Descriptor)
		return &Live{name: name}, nil
	}
	names := []string{"eth0", "eth1", "lo"}
	for n, want := range [][]int{{0, 0, 0}, {7, 0, 0}, {7, 8, 0}, {7, 8, 9}} {
		got = nil
		m, err := openLives(names, []int{7, 8, 9}[:n], LiveOptions{Descriptor: 5}, open)
		if err != nil || m.Left() != len(names) || !slices.Equal(got, want) {
			t.Errorf("sockets are %v, %v, want %v", got, err, want)
		}
	}
	if _, err := OpenLives(nil, nil, LiveOptions{}); err == nil {
		t.Error("no error for an empty list of interfaces")
	}
}

// Lives returns the packets of several interfaces in time order. Each packet has the index of its interface and its
// number on that interface.
func TestLivesMerge(t *testing.T) {
	m, all := fakeLives("eth0", "eth1", "lo")
	at := func(s int64) time.Time { return time.Unix(s, 5) }
	all[0].ring.fill(t, 0, packetsAt(at(1), at(4), at(6)))
	all[1].ring.fill(t, 0, packetsAt(at(2), at(4), at(5)))
	all[1].ring.fill(t, 1, packetsAt(at(7)))
	var got []string
	var p Packet
	err := m.Next(&p)
	for ; err == nil; err = m.Next(&p) {
		if p.File != all[p.Interface].name {
			t.Errorf("interface %d of %s", p.Interface, p.File)
		}
		got = append(got, time.Unix(0, p.Time).Format("5")+p.File+string(rune('0'+p.Number)))
		if want := p.Data[14]; int(want>>4) != (p.Number-1)%3 {
			t.Errorf("packet %d of %s has the bytes of another one", p.Number, p.File)
		}
	}
	if want := strings.Fields("1eth01 2eth11 4eth02 4eth12 5eth13 6eth03 7eth14"); !slices.Equal(got, want) || err != ErrQuiet {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	for _, l := range all {
		l.ended = true
	}
	if err := m.Next(&p); err != io.EOF || m.Left() != 0 {
		t.Errorf("%v at the end", err)
	}
}

// Lives delays a packet until no other interface can have an earlier one.
func TestLivesWait(t *testing.T) {
	m, all := fakeLives("eth0", "eth1")
	now := time.Now()
	all[0].ring.fill(t, 0, packetsAt(now, now.Add(time.Millisecond)))
	if l, err := m.next(); l != nil || err != nil {
		t.Fatalf("%v, %v, with another interface that may have an earlier packet", l, err)
	}
	all[1].ring.fill(t, 0, packetsAt(now.Add(-time.Millisecond)))
	var p Packet
	for _, want := range []string{"eth1", "eth0", "eth0"} {
		err := m.Next(&p)
		for err == ErrQuiet {
			err = m.Next(&p)
		}
		if err != nil || p.File != want {
			t.Errorf("%s, %v, want %s", p.File, err, want)
		}
	}
	if waited := time.Since(now); waited < maxDelay || waited > 5*time.Second {
		t.Errorf("waited %s", waited)
	}
}

// After a clock was set back, packets with times in the future do not delay others.
func TestLivesClockSetBack(t *testing.T) {
	m, all := fakeLives("eth0", "eth1")
	all[0].ring.fill(t, 0, packetsAt(time.Now().Add(time.Hour)))
	var p Packet
	begun := time.Now()
	err := m.Next(&p)
	for err == ErrQuiet && time.Since(begun) < 5*time.Second {
		err = m.Next(&p)
	}
	if err != nil {
		t.Error(err)
	}
}
