package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
)

// A soak gives the program the traffic of real captures again and again, each time between hosts that
// it has never heard of, and looks at its memory.
type soak struct {
	packets  int64 // to give
	captures string

	frames []soakFrame
	given  int64
	now    time.Duration // since the beginning of the traffic
}

// A soakFrame is an IP packet of a capture.
type soakFrame struct {
	data   []byte
	length int
	wait   time.Duration // since the one before
}

const (
	soakSamples = 25
	between     = time.Second // two captures
)

// run gives the traffic, and prints a table of the memory after each part of it.
func (s *soak) run(ctx context.Context, p programs, out io.Writer) error {
	if err := s.load(); err != nil {
		return err
	}
	c := exec.CommandContext(ctx, p.gamedissect, "-r", "-", "-q")
	in, err := c.StdinPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	begun := time.Now()
	fmt.Fprintf(out, "\nsoak: %d packets of the captures in %s, over and over, from new hosts each time\n\n%14s %14s %10s %8s\n",
		len(s.frames), s.captures, "packets", "traffic", "memory MB", "s")
	err = s.feed(in, func() {
		fmt.Fprintf(out, "%14s %14s %10s %8.0f\n", thousands(s.given), s.now.Round(time.Second), memory(residentMemory(c.Process.Pid)), time.Since(begun).Seconds())
	})
	err = errors.Join(err, in.Close(), c.Wait())
	if peak, ok := peakMemory(c.ProcessState); ok {
		fmt.Fprintf(out, "\npeak %s MB\n", memory(peak))
	}
	return err
}

// load reads the captures.
func (s *soak) load() error {
	names, err := filepath.Glob(filepath.Join(s.captures, "*.pcap*"))
	if err != nil {
		return err
	}
	for _, name := range names {
		f, err := capture.Open(name)
		if err != nil {
			continue // some are damaged on purpose, and beside them lie texts
		}
		s.read(f)
		_ = f.Close() // only read: nothing can be lost
	}
	if len(s.frames) == 0 {
		return fmt.Errorf("%s has no captures with IP packets", s.captures)
	}
	return nil
}

// read takes the packets of a capture as far as it can be read.
func (s *soak) read(f *capture.File) {
	var p capture.Packet
	last := int64(0)
	wait := between
	for f.Next(&p) == nil {
		if last != 0 {
			wait += max(time.Duration(p.Time-last), 0)
		}
		last = p.Time
		frame := decode.Frame{Data: p.Data, Length: p.Length, Link: uint16(p.LinkType)}
		at, ok := decode.Locate(&frame)
		if !ok {
			continue
		}
		s.frames = append(s.frames, soakFrame{slices.Clone(p.Data[at.Network:]), max(p.Length, len(p.Data)) - at.Network, wait})
		wait = 0
	}
}

// feed writes packets until there are enough, and takes samples.
func (s *soak) feed(to io.Writer, sample func()) error {
	w := pcapgo.NewWriterNanos(to)
	if err := w.WriteFileHeader(snapLength, layers.LinkTypeRaw); err != nil {
		return err
	}
	begin := time.Date(2001, 5, 1, 12, 0, 0, 0, time.UTC)
	every := max(s.packets/soakSamples, 1)
	buf := make([]byte, snapLength)
	for round := uint32(0); ; round++ {
		for i := range s.frames {
			if s.given == s.packets {
				return nil
			}
			f := &s.frames[i]
			data := buf[:copy(buf, f.data)]
			rename(data, round)
			s.now += f.wait
			info := gopacket.CaptureInfo{Timestamp: begin.Add(s.now), CaptureLength: len(data), Length: max(f.length, len(data))}
			if err := w.WritePacket(info, data); err != nil {
				return err
			}
			if s.given++; s.given%every == 0 {
				sample()
			}
		}
	}
}

// rename gives both hosts of an IP packet other addresses in each round. Groups, which have no host,
// keep theirs.
func rename(ip []byte, round uint32) {
	const group = 224
	at, size := 12, 4
	if ip[0]>>4 == 6 {
		at, size = 8, 16
	}
	if len(ip) < at+2*size {
		return
	}
	for range 2 {
		if a := ip[at : at+size]; a[0] < group {
			a[size-1] ^= byte(round)
			a[size-2] ^= byte(round >> 8)
			a[size-3] ^= byte(round >> 16)
		}
		at += size
	}
}
