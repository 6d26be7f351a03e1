package capture

import (
	"fmt"
	"math"
)

// Interface describes an interface in a capture file. Empty texts are omitted.
type Interface struct {
	Name        string // the system's name for it, such as eth0
	Description string // free text
	LinkType    LinkType
	SnapLength  int    // bytes to keep of a packet; 0: all
	Filter      string // the capture filter, as the user typed it
	OS          string // operating system of the machine that has the interface

	early bool // it has packets from before 1970
}

// snap returns the snap length as files store it.
func (i Interface) snap() uint32 {
	return uint32(min(max(i.SnapLength, 0), math.MaxInt32))
}

// InterfaceStatistics are the counts of an interface during a capture. A negative count is unknown and omitted.
type InterfaceStatistics struct {
	Start, End int64    // nanoseconds since 1970 UTC; 0: unknown
	Received   int64    // packets that the interface received
	Dropped    int64    // packets that the interface dropped because it lacked resources
	Accepted   int64    // packets that the capture filter accepted
	OSDropped  int64    // packets that the operating system dropped
	Delivered  int64    // packets that reached the program
	Comments   []string // free text
}

// interfaces are the interfaces of an output file. If the caller announces none, they are made from the packets'
// origins.
type interfaces struct {
	announced []Interface
	found     map[origin]int // numbers in the current section
	last      origin         // origin of the last packet, and probably of the next
	lastID    int
	seen      bool // a packet was written before any interface was announced
}

// origin identifies an interface that was not announced.
type origin struct {
	file  string
	index int
	link  LinkType
	large bool // packets exceed the usual snap length
	early bool // packets have times before 1970
}

func sourceOf(p *Packet) origin {
	return origin{p.File, p.Interface, p.LinkType, len(p.Data) > usualRecord, p.Time < 0}
}

// announce returns the index of a new interface, or -1.
func (d *interfaces) announce(i Interface) int {
	if d.seen || len(d.announced) == maxInterfaces {
		return -1
	}
	d.announced = append(d.announced, i)
	return len(d.announced) - 1
}

// known reports whether packets refer to announced interfaces.
func (d *interfaces) known() bool { return len(d.announced) > 0 }

// snap returns the snap length of a file format that stores only one.
func (d *interfaces) snap() uint32 {
	if d.known() && d.announced[0].snap() > 0 {
		return d.announced[0].snap()
	}
	return usualRecord
}

// admit returns how many bytes a packet may have, or the reason why its interface is invalid.
func (d *interfaces) admit(p *Packet, pcap bool) (limit uint32, why string) {
	switch {
	case !d.known() && pcap:
		return usualRecord, ""
	case !d.known():
		return maxRecord, ""
	case p.Interface < 0 || p.Interface >= len(d.announced):
		return 0, fmt.Sprintf("a packet names interface %d, but only %d were announced", p.Interface, len(d.announced))
	}
	in := d.announced[p.Interface]
	switch {
	case in.LinkType != p.LinkType:
		return 0, fmt.Sprintf("a packet is %v, but its interface was announced as %v", p.LinkType, in.LinkType)
	case pcap:
		return recordLimit(d.snap()), ""
	}
	return recordLimit(in.snap()), ""
}

// forget drops the interfaces, because a new section has none yet.
func (d *interfaces) forget() {
	clear(d.found)
}

// crowded reports whether the section has no room for another interface.
func (d *interfaces) crowded() bool { return len(d.found) == maxInterfaces }

// find returns the number of a packet's interface, if the section has that interface.
func (d *interfaces) find(p *Packet) (int, bool) {
	from := sourceOf(p)
	if from == d.last && len(d.found) > 0 {
		return d.lastID, true
	}
	id, ok := d.found[from]
	if ok {
		d.last, d.lastID = from, id
	}
	return id, ok
}

func (d *interfaces) add(p *Packet) (int, Interface) {
	if d.found == nil {
		d.found = map[origin]int{}
	}
	d.seen = true
	in := Interface{LinkType: p.LinkType}
	from := sourceOf(p)
	if from.large {
		in.SnapLength = maxRecord
	}
	in.early = from.early
	d.last, d.lastID = from, len(d.found)
	d.found[from] = d.lastID
	return d.lastID, in
}
