package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire"
	protocols "github.com/gamedissect/gamedissect/layers"
)

// A soak gives the program the traffic of real captures again and again, each time between new hosts, and
// measures its memory.
type soak struct {
	packets  int64 // to give
	captures string
	memory   int // megabytes that may be remembered; 0: as without a word of it

	frames []soakFrame
	given  int64
}

// A soakFrame is an IP packet of a capture.
type soakFrame struct {
	data   []byte
	length int
	wait   time.Duration // since the one before
}

const (
	soakSamples     = 25
	betweenCaptures = time.Second // two captures
)

// program gives the traffic to a process, statistics and all, and prints its memory.
func (s *soak) program(ctx context.Context, p programs, out io.Writer) error {
	args := []string{"-r", "-", "-q"}
	if s.memory > 0 {
		args = append(args, "--memory", strconv.Itoa(s.memory))
	}
	c := exec.CommandContext(ctx, p.gamedissect, args...)
	in, err := c.StdinPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	w := pcapgo.NewWriterNanos(in)
	err = w.WriteFileHeader(snapLength, layers.LinkTypeRaw)
	if err == nil {
		err = s.feed(out, func(data []byte, length int, at time.Time) error {
			return w.WritePacket(gopacket.CaptureInfo{Timestamp: at, CaptureLength: len(data), Length: length}, data)
		}, func() int64 { return residentMemory(c.Process.Pid) })
	}
	err = errors.Join(err, in.Close(), c.Wait())
	if peak, ok := peakMemory(c.ProcessState); ok {
		_, _ = fmt.Fprintf(out, "\npeak %s MB\n", memory(peak)) // as good as the table that came out
	}
	return err
}

// engine gives the traffic to an engine and its trackers alone, and prints the memory in use.
func (s *soak) engine(out io.Writer) error {
	findings, values := int64(0), int64(0)
	e := decode.New(decode.Options{
		Protocols: protocols.All(),
		Memory:    s.memory << 20,
		Message:   func(m *decode.Message) { findings += int64(len(m.Findings)) },
		Finding:   func(*wire.TrafficFinding) { findings++ },
		Value:     func(*wire.Value) { values++ },
	})
	err := s.feed(out, func(data []byte, length int, at time.Time) error {
		e.Frame(&decode.Frame{Data: data, Length: length, Time: at.UnixNano(), Link: ip.LinkRaw, Number: int(s.given) + 1})
		return nil
	}, func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	})
	e.Close()
	_, _ = fmt.Fprintf(out, "\n%s messages, %s findings, %s values\n", thousands(e.Counters().Messages),
		thousands(findings), thousands(values))
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
	wait := betweenCaptures
	for f.Next(&p) == nil {
		if last != 0 {
			wait += max(time.Duration(p.Time-last), 0)
		}
		last = p.Time
		frame := decode.Frame{Data: p.Data, Length: p.Length, Link: uint16(p.LinkType)}
		at, ok := ip.Locate(frame.Link, frame.Data, frame.Length)
		if !ok {
			continue
		}
		length := max(p.Length, len(p.Data)) - at.Network
		s.frames = append(s.frames, soakFrame{slices.Clone(p.Data[at.Network:]), length, wait})
		wait = 0
	}
}

// feed gives packets until there are enough, and prints the memory after each part of them.
func (s *soak) feed(out io.Writer, give func(data []byte, length int, at time.Time) error, used func() int64) error {
	if err := s.load(); err != nil {
		return err
	}
	text := fmt.Sprintf("\n%d packets of the captures in %s, over and over, from new hosts each time\n\n", len(s.frames),
		s.captures)
	text += fmt.Sprintf("%14s %14s %10s %8s\n", "packets", "traffic", "memory MB", "s")
	if _, err := io.WriteString(out, text); err != nil {
		return err
	}
	begun, begin := time.Now(), time.Date(2001, 5, 1, 12, 0, 0, 0, time.UTC)
	every := max(s.packets/soakSamples, 1)
	m := newMultiplier(int(s.packets/int64(len(s.frames))) + 1)
	now := time.Duration(0) // since the beginning of the traffic
	for round := 0; ; round++ {
		for i := range s.frames {
			if s.given == s.packets {
				return nil
			}
			f := &s.frames[i]
			data, err := m.copyOf(f.data, f.length, ip.LinkRaw, round)
			if err != nil {
				return err
			}
			now += f.wait
			if err := give(data, max(f.length, len(data)), begin.Add(now)); err != nil {
				return err
			}
			if s.given++; s.given%every == 0 {
				_, err := fmt.Fprintf(out, "%14s %14s %10s %8.0f\n", thousands(s.given), now.Round(time.Second), memory(used()),
					time.Since(begun).Seconds())
				if err != nil {
					return err
				}
			}
		}
	}
}
