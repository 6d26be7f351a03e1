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
	name     string
	format   string
	ring     []string
	stop     []string
	comments string

	limits capture.Limits
	until  capture.Stop
}

func (o *writeOptions) flags(c *cobra.Command) {
	f := c.Flags()
	f.VarP((*fileName)(&o.name), "write", "w", "write packets to `FILE`, with findings as comments; - is standard "+
		"output; with -Y those that the filter is true of")
	f.StringVarP(&o.format, "file-type", "F", "", "`FORMAT` of that file: pcapng or pcap; without, by its name")
	f.StringVar(&o.comments, "comments", "findings", "what the packets' comments of that file `TELL`: findings, or "+
		"messages, a line for each, with their findings")
	f.StringArrayVarP(&o.stop, "autostop", "a", nil,
		"stop at a `CONDITION`: duration:SECONDS, packets:N, and of what is written filesize:KB, files:N; may repeat")
	f.StringArrayVarP(&o.ring, "ring-buffer", "b", nil,
		"go on to another file at a `CONDITION`: filesize:KB, duration:SECONDS, packets:N; files:N keeps the newest; may "+
			"repeat")
	completeWith(c, "file-type", "pcapng", "pcap")
	completeWith(c, "comments", commentForms...)
	for flag, words := range map[string][]string{"autostop": {"duration:", "packets:", "filesize:", "files:"},
		"ring-buffer": {"filesize:", "duration:", "packets:", "files:"}} {
		completeBy(c, flag, cobra.FixedCompletions(words,
			cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace))
	}
	must(c.MarkFlagFilename("write", "pcapng", "pcap"))
}

// commentForms are those of --comments.
var commentForms = []string{"findings", "messages"}

// check reads the conditions and finds what makes no sense.
func (o *writeOptions) check() (err error) {
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
		case o.comments == "messages":
			return errors.New("--comments is about -w FILE, which is missing")
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
	if o.comments != "" && !slices.Contains(commentForms, o.comments) { // not every command has the flag
		return oneOf("--comments", o.comments, commentForms)
	}
	if o.until.Files > 0 && len(o.ring) == 0 {
		return errors.New("-a files: counts the files of -b, which is missing")
	}
	return nil
}

// saver is the sink that writes packets.
type saver struct {
	to       *capture.Writer
	output   *outfile // nil: numbered files
	begun    bool     // with a packet
	every    bool     // no filter chooses
	kept     bool     // the packet at hand
	comments packetComments
	refused  error // the first packet that the format cannot hold
}

// output names what is written. Others may look at it while packets come if they are watched.
func (o *writeOptions) output(outputs *outputs, watched bool) *outfile {
	switch {
	case len(o.ring) > 0:
		outputs.ring("-w", o.name)
		return nil
	case watched:
		return outputs.stream("-w", o.name)
	}
	return outputs.file("-w", o.name)
}

// newSaver begins to write, which is to be the last thing before packets come: what is wrong elsewhere must
// not cost a file.
func (o *writeOptions) newSaver(to *outfile, each, every bool) (*saver, error) {
	options := capture.WriterOptions{
		Format: o.format, Limits: o.limits, Each: each,
		Application: "gamedissect " + version(), OS: runtime.GOOS, Hardware: runtime.GOARCH,
	}
	w, err := newCaptureWriter(to, o.name, options)
	if err != nil {
		return nil, err
	}
	return &saver{to: w, output: to, every: every, comments: packetComments{messages: o.comments == "messages"}}, nil
}

// newCaptureWriter begins a capture file, or numbered ones where there is no output.
func newCaptureWriter(to *outfile, name string, o capture.WriterOptions) (*capture.Writer, error) {
	if to == nil {
		return capture.Create(name, o)
	}
	out, err := to.begin()
	if err != nil {
		return nil, err
	}
	return capture.NewWriter(out, name, o)
}

// packet begins with a packet.
func (s *saver) packet(p *capture.Packet) {
	s.kept = s.every
	s.comments.begin(p)
}

func (s *saver) message(m *decode.Message) {
	s.kept = true
	s.comments.message(m)
}

// finding takes note of a finding that no message carries.
func (s *saver) finding(f *wire.TrafficFinding) { s.comments.finding(f) }

// writePacket writes the packet at hand, if it is to be kept.
func (s *saver) writePacket(p *capture.Packet) error {
	comments := s.comments.end(p, s.kept)
	if !s.kept {
		return nil
	}
	err := s.to.Write(p, comments...)
	if errors.Is(err, fs.ErrInvalid) {
		s.refuse(err)
		return nil
	}
	if err == nil && !s.begun {
		s.begun = true
		err = s.first()
	}
	return err
}

// first puts a file at which others look in its place as soon as it holds a packet: what was there before is no
// loss then, and what comes is safe from a crash of this program. Windows renames nothing that is open: there the file
// takes its place when it is whole.
func (s *saver) first() error {
	if s.output == nil || !s.output.streamed || runtime.GOOS == "windows" {
		return nil
	}
	if err := s.to.Flush(); err != nil {
		return err
	}
	return s.output.place()
}

// refuse keeps the first error that does not end the run.
func (s *saver) refuse(err error) {
	if s.refused == nil {
		s.refused = err
	}
}

// end ends the file.
func (s *saver) end(decode.Counters) error {
	err := s.to.Close()
	if s.output != nil {
		if err == nil {
			err = s.output.commit()
		} else {
			err = errors.Join(err, s.output.unplaced())
		}
	}
	return errors.Join(s.refused, err)
}

// written is how much was, for autostop.
func (s *saver) written(now int64) (bytes int64, files int) { return s.to.Size(), s.to.Full(now) }

// liveSaver writes packets of interfaces, and tells the file of those.
type liveSaver struct {
	saver
	from    *capture.Lives
	begun   time.Time
	indices []int // of the interfaces in the file
}

func newLiveSaver(s *saver, from *capture.Lives, filter string, begun time.Time) *liveSaver {
	l := &liveSaver{saver: *s, from: from, begun: begun}
	for _, now := range from.Statistics() {
		l.indices = append(l.indices, s.to.Interface(capture.Interface{
			Name: now.Interface, LinkType: now.LinkType, SnapLength: now.Snap, Filter: filter, OS: runtime.GOOS,
		}))
	}
	return l
}

func (s *liveSaver) writePacket(p *capture.Packet) error {
	p.Interface = s.indices[p.Interface]
	return s.saver.writePacket(p)
}

// end writes what the kernel counted, with the findings that came when no packet was to come any more, and ends the
// file.
func (s *liveSaver) end(c decode.Counters) error {
	for i, now := range s.from.Statistics() {
		err := s.to.Statistics(s.indices[i], capture.InterfaceStatistics{
			Start: s.begun.UnixNano(), End: time.Now().UnixNano(),
			Received: -1, Accepted: now.Received, OSDropped: now.Dropped, Dropped: -1, Delivered: now.Captured,
			Comments: s.comments.rest(now.Interface),
		})
		if err != nil {
			s.refuse(err)
		}
	}
	return s.saver.end(c)
}

// autostop ends a run at a condition: -a. The zero autostop never does.
type autostop struct {
	at      capture.Stop
	written func(now int64) (bytes int64, files int) // nil: nothing is written
	begun   time.Time                                // of a live capture; zero: times are those of packets
	first   int64                                    // time of the first packet
	last    int64
	count   int64
}

// packet counts a packet that was taken.
func (a *autostop) packet(time int64) {
	if a.count++; a.count == 1 {
		a.first = time
	}
	a.last = time
}

// full reports whether enough was taken.
func (a *autostop) full() bool {
	if a.at == (capture.Stop{}) {
		return false
	}
	elapsed := time.Duration(0)
	if a.begun.IsZero() {
		elapsed = time.Duration(a.last - a.first)
	}
	bytes, files := int64(0), 0
	if a.written != nil {
		bytes, files = a.written(a.last)
	}
	return a.at.After(a.count, bytes, elapsed, files)
}

// late reports whether the time of a live capture is over. What came before it is taken still.
func (a *autostop) late() bool {
	return !a.begun.IsZero() && a.at.Duration > 0 && time.Since(a.begun) >= a.at.Duration
}
