package main

import (
	"fmt"
	"io"
	"math"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"

	"github.com/gamedissect/gamedissect/capture"
)

// A packetWriter writes packets as pcapng, with an interface for each link type.
type packetWriter struct {
	out        io.Writer
	ng         *pcapgo.NgWriter // nil before the first packet
	interfaces map[capture.LinkType]int
}

func newPacketWriter(out io.Writer) *packetWriter {
	return &packetWriter{out: out, interfaces: make(map[capture.LinkType]int)}
}

// Write writes a packet.
func (w *packetWriter) Write(p *capture.Packet) error {
	index, err := w.identify(p.LinkType)
	if err != nil {
		return err
	}
	return w.ng.WritePacket(gopacket.CaptureInfo{
		Timestamp: time.Unix(0, p.Time), CaptureLength: len(p.Data), Length: p.Length, InterfaceIndex: index,
	}, p.Data)
}

func (w *packetWriter) identify(link capture.LinkType) (int, error) {
	if index, ok := w.interfaces[link]; ok {
		return index, nil
	}
	if link > math.MaxUint8 { // all that pcapgo has room for
		return 0, fmt.Errorf("packets of link type %d (%s) cannot be written", uint16(link), link)
	}
	const nanoseconds = 9
	description := pcapgo.NgInterface{LinkType: layers.LinkType(link), TimestampResolution: nanoseconds}
	if w.ng == nil {
		ng, err := pcapgo.NewNgWriterInterface(w.out, description, pcapgo.NgWriterOptions{})
		if err != nil {
			return 0, err
		}
		w.ng = ng
		w.interfaces[link] = 0
		return 0, nil
	}
	index, err := w.ng.AddInterface(description)
	if err == nil {
		w.interfaces[link] = index
	}
	return index, err
}

// Flush writes what waits to be written.
func (w *packetWriter) Flush() error {
	if w.ng == nil { // no packet: an empty capture
		if _, err := w.identify(1); err != nil {
			return err
		}
	}
	return w.ng.Flush()
}
