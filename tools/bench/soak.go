package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode/ip"
)

// A soak repeats the traffic of real captures. Each round has new hosts.
type soak struct {
	packets int
	frames  []soakFrame
}

// A soakFrame is an IP packet of a capture.
type soakFrame struct {
	data   []byte
	length int
	wait   time.Duration // time since the previous frame
}

// soakSamples is the number of memory samples that a soak prints.
const soakSamples = 25

// soakProgram sends packets to the program's standard input, and prints the program's memory meanwhile.
func soakProgram(ctx context.Context, o *options, args []string) error {
	n, dir, err := o.numberAndFolder(args)
	if err != nil {
		return err
	}
	s := &soak{packets: n}
	if err := s.load(dir); err != nil {
		return err
	}
	p, err := o.build(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(p.dir) }() // error ignored: only the result counts
	flags := []string{"-r", "-", "-q"}
	if o.memory > 0 {
		flags = append(flags, "--memory", strconv.Itoa(o.memory))
	}
	c := exec.CommandContext(ctx, p.gamedissect, flags...)
	in, err := c.StdinPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	w := pcapgo.NewWriterNanos(in)
	err = w.WriteFileHeader(snapLength, layers.LinkTypeRaw)
	begun, every, count := time.Now(), max(n/soakSamples, 1), 0
	if err == nil {
		_, _ = fmt.Fprintf(o.out, "%14s %22s %10s %8s\n", "packets", "time in the capture", "memory MB", "s")
		err = s.feed(func(data []byte, length int, at time.Time) error {
			if count++; count%every == 0 {
				_, _ = fmt.Fprintf(o.out, "%14d %22s %10s %8.0f\n", count, at.Format(time.DateTime),
					megabytes(residentMemory(c.Process.Pid)), time.Since(begun).Seconds())
			}
			return w.WritePacket(gopacket.CaptureInfo{Timestamp: at, CaptureLength: len(data), Length: length}, data)
		})
	}
	err = errors.Join(err, in.Close(), c.Wait())
	_, _ = fmt.Fprintf(o.out, "\npeak %s MB\n", megabytes(peakMemory(c.ProcessState)))
	return err
}

// load reads the captures in a folder, each as far as possible.
func (s *soak) load(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*.pcap*"))
	if err != nil {
		return err
	}
	for _, name := range names {
		f, err := capture.Open(name)
		if err != nil {
			continue // error ignored: some are damaged on purpose, others are text
		}
		s.read(f)
		_ = f.Close() // harmless: the file was only read
	}
	if len(s.frames) == 0 {
		return fmt.Errorf("%s has no captures with IP packets", dir)
	}
	return nil
}

func (s *soak) read(f *capture.File) {
	var p capture.Packet
	last := int64(0)
	wait := betweenCaptures
	for f.Next(&p) == nil {
		if last != 0 {
			wait += max(time.Duration(p.Time-last), 0)
		}
		last = p.Time
		at, ok := ip.Locate(uint16(p.LinkType), p.Data, p.Length)
		if !ok {
			continue
		}
		length := max(p.Length, len(p.Data)) - at.Network
		s.frames = append(s.frames, soakFrame{slices.Clone(p.Data[at.Network:]), length, wait})
		wait = 0
	}
}

// feed passes each packet to the function use, which must not keep the bytes.
func (s *soak) feed(use func(data []byte, length int, at time.Time) error) error {
	m := newMultiplier(s.packets/len(s.frames) + 1)
	now := firstPacket
	for i := range s.packets {
		f := &s.frames[i%len(s.frames)]
		data, err := m.copyOf(f.data, f.length, ip.LinkRaw, i/len(s.frames))
		if err != nil {
			return err
		}
		now = now.Add(f.wait)
		if err := use(data, max(f.length, len(data)), now); err != nil {
			return err
		}
	}
	return nil
}
