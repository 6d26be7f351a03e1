package main

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// writeOptions say where packets are written, and when to stop.
type writeOptions struct {
	name   string
	format string
	ring   []string
	stop   []string

	limits capture.Limits
	until  capture.Stop
}

func (o *writeOptions) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVarP(&o.name, "write", "w", "", "write packets to `FILE`, with findings as comments; - is standard output; with -Y those that the filter is true of")
	f.StringVarP(&o.format, "file-type", "F", "", "`FORMAT` of that file: pcapng or pcap; without, by its name")
	f.StringArrayVarP(&o.stop, "autostop", "a", nil, "stop at a `CONDITION`: duration:SECONDS, packets:N, and of what is written filesize:KB, files:N; may repeat")
	f.StringArrayVarP(&o.ring, "ring-buffer", "b", nil, "go on to another file at a `CONDITION`: filesize:KB, duration:SECONDS, packets:N; files:N keeps the newest; may repeat")
	must(c.RegisterFlagCompletionFunc("file-type", cobra.FixedCompletions([]string{"pcapng", "pcap"}, cobra.ShellCompDirectiveNoFileComp)))
	for flag, words := range map[string][]string{"autostop": {"duration:", "packets:", "filesize:", "files:"}, "ring-buffer": {"filesize:", "duration:", "packets:", "files:"}} {
		must(c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)))
	}
	must(c.MarkFlagFilename("write", "pcapng", "pcap"))
}

// check reads the conditions and finds what makes no sense.
func (o *writeOptions) check(inputs []string) (err error) {
	if o.limits, err = capture.ParseRing(o.ring); err != nil {
		return fmt.Errorf("-b: %w", err)
	}
	if o.until, err = capture.ParseStop(o.stop); err != nil {
		return fmt.Errorf("-a: %w", err)
	}
	if o.name == "" {
		switch {
		case o.format != "":
			return errors.New("-F says how -w FILE is written, which is missing")
		case len(o.ring) > 0:
			return errors.New("-b is about -w FILE, which is missing")
		case o.until.Bytes > 0 || o.until.Files > 0:
			return errors.New("-a filesize: and files: are about -w FILE, which is missing")
		}
		return nil
	}
	if o.format != "" && !slices.Contains([]string{"pcapng", "pcap"}, o.format) {
		return oneOf("-F", o.format, []string{"pcapng", "pcap"})
	}
	if o.until.Files > 0 && len(o.ring) == 0 {
		return errors.New("-a files: counts the files of -b, which is missing")
	}
	return capture.SameFile(o.name, inputs)
}

// saver writes packets. The nil pointer writes nothing.
type saver struct {
	to       *capture.Writer
	every    bool // no filter chooses
	frame    int  // of the packet at hand
	file     string
	kept     bool
	comments []string
	refused  error // the first packet that the format cannot hold
	index    int   // of the interface; -1: of files
}

// newSaver creates the file.
func (o *writeOptions) newSaver(each, every bool) (*saver, error) {
	if o.name == "" {
		return nil, nil //nolint:nilnil // nothing is written
	}
	w, err := capture.Create(o.name, capture.WriterOptions{
		Format: o.format, Limits: o.limits, Each: each, Application: "gamedissect " + version(), OS: runtime.GOOS, Hardware: runtime.GOARCH,
	})
	if err != nil {
		return nil, err
	}
	return &saver{to: w, every: every, index: -1}, nil
}

// begin forgets the packet before.
func (s *saver) begin(number int, file string) {
	if s != nil {
		s.frame, s.file, s.kept, s.comments = number, file, s.every, s.comments[:0]
	}
}

// message takes note of a message that is shown.
func (s *saver) message(m *decode.Message) {
	if s == nil {
		return
	}
	s.kept = true
	for i := range m.Findings {
		s.comment(m.Findings[i].Rule, m.Findings[i].Text)
	}
}

// finding takes note of a finding that is shown and that no message carries. It may be about an earlier
// packet, which is written already.
func (s *saver) finding(f *wire.TrafficFinding) {
	if s == nil {
		return
	}
	text := f.Text
	if f.Frame != s.frame || f.File != s.file {
		text += fmt.Sprintf(" (about packet %d)", f.Frame)
	}
	s.comment(f.Rule, text)
}

func (s *saver) comment(r *wire.Rule, text string) {
	s.comments = append(s.comments, fmt.Sprintf("%s %s: %s", r.ID, r.Severity, text))
}

// packet writes the packet at hand, if it is to be kept.
func (s *saver) packet(p *capture.Packet) error {
	if !s.kept {
		return nil
	}
	if s.index >= 0 {
		p.Interface = s.index
	}
	err := s.to.Write(p, s.comments...)
	if errors.Is(err, fs.ErrInvalid) {
		if s.refused == nil {
			s.refused = err
		}
		return nil
	}
	return err
}

// close ends the file.
func (s *saver) close() error {
	if s == nil {
		return nil
	}
	return errors.Join(s.refused, s.to.Close())
}

// ender says when to stop.
type ender struct {
	until capture.Stop
	saver *saver
	begun time.Time // of a live capture
	first int64     // time of the first packet
	last  int64
	count int64
}

// over reports whether it is time to stop.
func (e *ender) over() bool {
	if e.until == (capture.Stop{}) {
		return false
	}
	elapsed := time.Duration(e.last - e.first)
	if !e.begun.IsZero() {
		elapsed = time.Since(e.begun)
	}
	bytes, files := int64(0), 0
	if e.saver != nil {
		bytes, files = e.saver.to.Size(), e.saver.to.Full(e.last)
	}
	return e.until.After(e.count, bytes, elapsed, files)
}

// packet counts a packet that was taken.
func (e *ender) packet(time int64) {
	if e.count++; e.count == 1 {
		e.first = time
	}
	e.last = time
}

// announce tells the file of the interface that packets come from.
func (s *saver) announce(from *capture.Live, filter string) {
	if s == nil {
		return
	}
	now := from.Statistics()
	s.index = s.to.Interface(capture.Interface{Name: now.Interface, LinkType: now.LinkType, SnapLength: now.Snap, Filter: filter, OS: runtime.GOOS})
}

// statistics tells the file what the kernel counted.
func (s *saver) statistics(c capture.LiveStatistics, begun time.Time) {
	if s == nil {
		return
	}
	err := s.to.Statistics(s.index, capture.InterfaceStatistics{
		Start: begun.UnixNano(), End: time.Now().UnixNano(), Received: -1, Accepted: c.Received, OSDropped: c.Dropped, Dropped: -1, Delivered: c.Captured,
	})
	if err != nil && s.refused == nil {
		s.refused = err
	}
}
