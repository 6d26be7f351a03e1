package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// An input is a capture to measure on.
type input struct {
	name    string // of its file
	about   string
	version int // to be raised with every change of what generate writes
	// generate writes packets until the recorder is full, and those that end what is going on.
	generate func(*recorder) error
	pack     func(io.Writer) (io.WriteCloser, error) // compresses them; nil: they are as they are
}

// inputs lists the captures.
var inputs = []input{
	{"tribes.pcap", "a Tribes master: lists, queries, heartbeats, verifications", 1, generateTribes, nil},
	{"bzflag-50.pcap", "BZFlag 1.07 games, 50 connections at a time", 1, playBZFlag(50, false), nil},
	{"bzflag-500.pcap", "BZFlag 1.07 games, 500 connections at a time", 1, playBZFlag(500, false), nil},
	{
		"bzflag-50-lost.pcap", "the same as bzflag-50, one of 1000 data segments missing in the capture", 1,
		playBZFlag(50, true), nil,
	},
	{
		"servers-10000.pcap", "a Tribes master to which 10,000 servers announce themselves at once, again and again", 1,
		generateRegistry(10_000), nil,
	},
	{
		"servers-1000.pcap", "1,000 servers of BZFlag 1.07 at once, 10 players on each", 1,
		playLeague(1000, 10), nil,
	},
	{
		"games-66.pcap", "66 real games of BZFlag 2.4 side by side (bz24-ctf-capture.pcap), again and again", 1,
		sideBySide("bz24-ctf-capture.pcap", 66), nil,
	},
	{
		"games-300.pcap", "300 real games of BZFlag 2.4 side by side (bz24-ctf-capture.pcap)", 1,
		sideBySide("bz24-ctf-capture.pcap", 300), nil,
	},
	{
		"clients-750.pcap", "750 real Tribes clients side by side, each asks 40 servers (tribes-list-40.pcap), again and " +
			"again",
		1, sideBySide("tribes-list-40.pcap", 750), nil,
	},
	{
		"archive-1608.pcap", "1,608 copies of all real captures, which go on at the same time between hosts of their own", 1,
		playArchive(1608), nil,
	},
	{"tribes.pcap.gz", "tribes in gzip; the bare loop decompresses and does no more", 1, generateTribes, packGzip},
	{"tribes.pcap.zst", "tribes in zstd; the bare loop decompresses and does no more", 2, generateTribes, packZstd},
	{"one-packet.pcap", "a single packet of a Tribes master: what it takes to start", 1, generateOne, nil},
}

// chooseInputs gives the input with a name, with or without .pcap, or all of them.
func chooseInputs(name string) ([]input, error) {
	known := make([]string, 0, len(inputs))
	for i, in := range inputs {
		if in.name == name || in.name == name+".pcap" {
			return inputs[i : i+1], nil
		}
		known = append(known, in.name)
	}
	if name == "" {
		return inputs, nil
	}
	return nil, fmt.Errorf("--input %s: choose one of %s", name, strings.Join(known, ", "))
}

// A store is the folder that keeps generated captures from run to run.
type store struct {
	dir      string
	size     size   // wanted of each capture
	captures string // the folder with real ones
	progress *log.Logger
}

// A generated capture is described by a JSON file beside it. That file also tells captures
// of this program from those of others, which are never touched.
type generated struct {
	Version int   // of its generator
	Wanted  size  // bytes asked for
	Bytes   int64 // of the pcap data
	Stored  int64 `json:",omitempty"` // of the file, if they are compressed
	Packets int64

	about, file string
	captures    string // see store
}

// get gives a capture as wanted, from the run before if it is there.
func (s *store) get(ctx context.Context, in *input) (*generated, error) {
	if err := s.prepare(); err != nil {
		return nil, err
	}
	g := &generated{about: in.about, file: filepath.Join(s.dir, in.name), captures: s.captures}
	info, err := os.Stat(g.file)
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return nil, err
	case !g.load():
		return nil, fmt.Errorf("%s was not made by this program: move it away, or choose another folder with --dir", g.file)
	case g.Version == in.version && g.Wanted == s.size && cmp.Or(g.Stored, g.Bytes) == info.Size():
		return g, nil
	default:
		if err := os.Remove(g.file); err != nil {
			return nil, err
		}
	}
	if err := s.checkSpace(); err != nil {
		return nil, err
	}
	s.progress.Printf("generating %s, %s", g.file, formatSize(int64(s.size)))
	g.Version, g.Wanted = in.version, s.size
	return g, g.make(ctx, in)
}

// generateInProcess has a process of its own make a capture. Linux begins a child's
// peak of memory with that of its parent, so the parent of those measured has to stay small.
func generateInProcess(ctx context.Context, p programs, s *store, in *input) error {
	size := fmt.Sprintf("%dB", s.size)
	c := exec.CommandContext(ctx, p.self, "--generate", "--dir", s.dir, "--size", size, "--input", in.name,
		"--captures", s.captures)
	c.Stderr = os.Stderr
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) } // it removes what it has written
	c.WaitDelay = 5 * time.Second
	if err := c.Run(); err != nil {
		return fmt.Errorf("there is no capture to measure on: %w", err)
	}
	return nil
}

func (s *store) prepare() error {
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return fmt.Errorf("the folder for the captures cannot be made: %w", err)
	}
	return nil
}

// checkSpace refuses to fill the disk, where the system tells how much is free.
func (s *store) checkSpace() error {
	const reserve = 64 << 20 // for gamedissect itself, and for others
	if free, ok := freeSpace(s.dir); ok && free < int64(s.size)+reserve {
		return fmt.Errorf("a capture of %s does not fit into %s, which has %s free: "+
			"choose another folder with --dir, or a smaller --size",
			formatSize(int64(s.size)), s.dir, formatSize(free))
	}
	return nil
}

// note is the name of the description.
func (g *generated) note() string { return g.file + ".json" }

// load reads the description and reports whether there is one.
func (g *generated) load() bool {
	text, err := os.ReadFile(g.note())
	return err == nil && json.Unmarshal(text, g) == nil
}

// make generates the capture. Its name appears when it is whole; what was written of a failed
// one is removed.
func (g *generated) make(ctx context.Context, in *input) error {
	partial := g.file + ".partial"
	err := g.write(ctx, in, partial)
	if err == nil {
		err = g.save(partial)
	}
	if err != nil {
		_ = os.Remove(partial) // may not even be there; the first error is the one that counts
		return fmt.Errorf("%s cannot be made: %w", g.file, err)
	}
	return nil
}

// write makes a file of generated packets.
func (g *generated) write(ctx context.Context, in *input, name string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	err = g.record(&cancellable{ctx, f}, in)
	return errors.Join(err, f.Close())
}

// record generates the packets.
func (g *generated) record(w io.Writer, in *input) error {
	stored := &countingWriter{w: w}
	var to io.Writer = stored
	pack := io.WriteCloser(nil)
	if in.pack != nil {
		var err error
		if pack, err = in.pack(stored); err != nil {
			return err
		}
		to = pack
	}
	buf := bufio.NewWriterSize(to, 1<<20)
	r, err := newRecorder(buf, int64(g.Wanted))
	if err != nil {
		return err
	}
	r.captures = g.captures
	if err := in.generate(r); err != nil {
		return err
	}
	g.Bytes, g.Packets = r.bytes, r.packets
	if err := buf.Flush(); err != nil || pack == nil {
		return err
	}
	err = pack.Close()
	g.Stored = stored.bytes
	return err
}

// countingWriter counts what is written.
type countingWriter struct {
	w     io.Writer
	bytes int64
}

// Write implements io.Writer.
func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.bytes += int64(n)
	return n, err
}

// save puts the description down, then the capture under its name: should it stop in between,
// the next run finds a capture missing, not one that seems to be somebody else's.
func (g *generated) save(partial string) error {
	text, err := json.Marshal(g)
	if err != nil {
		return err
	}
	if err := os.WriteFile(g.note(), append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(partial, g.file)
}

// cancellable is a writer that fails once the context is done.
type cancellable struct {
	ctx context.Context
	w   io.Writer
}

// Write implements io.Writer.
func (c *cancellable) Write(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.w.Write(p)
}
