package live

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
	"github.com/gamedissect/gamedissect/internal/cli/message"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/outfile"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// WriteOptions are the options for where a run writes packets and when it stops.
type WriteOptions struct {
	Name     string
	Format   string
	ring     []string
	stop     []string
	Comments string

	limits capture.Limits
	Until  capture.Stop
}

// Flags adds the flags of the options.
func (o *WriteOptions) Flags(c *cobra.Command) {
	f := c.Flags()
	f.VarP((*option.FileName)(&o.Name), "write", "w", "write packets to `FILE`, with findings as comments; - is standard "+
		"output; with -Y only packets with messages that match")
	f.StringVarP(&o.Format, "file-type", "F", "", "`FORMAT` of that file: pcapng or pcap; the default depends on its name")
	f.StringVar(&o.Comments, "comments", "findings", "`CONTENT` of packet comments in that file: findings, or "+
		"messages, a line for each, with their findings")
	f.StringArrayVarP(&o.stop, "autostop", "a", nil,
		"stop at a `CONDITION`: duration:SECONDS, packets:N, filesize:KB or files:N of the output; may repeat")
	f.StringArrayVarP(&o.ring, "ring-buffer", "b", nil,
		"begin another file at a `CONDITION`: filesize:KB, duration:SECONDS, packets:N; files:N keeps the newest; may "+
			"repeat")
	option.CompleteWith(c, "file-type", "pcapng", "pcap")
	option.CompleteWith(c, "comments", commentForms...)
	for flag, words := range map[string][]string{"autostop": {"duration:", "packets:", "filesize:", "files:"},
		"ring-buffer": {"filesize:", "duration:", "packets:", "files:"}} {
		option.CompleteBy(c, flag, cobra.FixedCompletions(words,
			cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace))
	}
	option.Must(c.MarkFlagFilename("write", "pcapng", "pcap"))
}

var commentForms = []string{"findings", "messages"}

// Check parses the conditions and returns an error if the options are invalid.
func (o *WriteOptions) Check() (err error) {
	if o.limits, err = capture.ParseRing(o.ring); err != nil {
		return fmt.Errorf("-b: %w", err)
	}
	if o.Until, err = capture.ParseStop(o.stop); err != nil {
		return fmt.Errorf("-a: %w", err)
	}
	if o.Name == "" {
		switch {
		case o.Format != "":
			return errors.New("-F needs -w FILE")
		case o.Comments == "messages":
			return errors.New("--comments needs -w FILE")
		case len(o.ring) > 0:
			return errors.New("-b needs -w FILE")
		case o.Until.Bytes > 0 || o.Until.Files > 0:
			return errors.New("-a filesize: and files: need -w FILE")
		}
		return nil
	}
	if o.Format != "" && !slices.Contains([]string{"pcapng", "pcap"}, o.Format) {
		return option.OneOf("-F", o.Format, []string{"pcapng", "pcap"})
	}
	if o.Comments != "" && !slices.Contains(commentForms, o.Comments) { // "": not every command has the flag
		return option.OneOf("--comments", o.Comments, commentForms)
	}
	if o.Until.Files > 0 && len(o.ring) == 0 {
		return errors.New("-a files: needs -b")
	}
	return nil
}

// A Saver writes the packets of a run to a capture file.
type Saver struct {
	To       *capture.Writer
	output   *outfile.File // nil: numbered files
	begun    bool          // at least one packet has been written
	every    bool          // write all packets, not only those with selected messages
	kept     bool          // write the current packet
	comments message.PacketComments
	refused  error // first error for a packet that the format cannot store
}

// Output declares the file of -w. watched means that other programs may read the file while packets arrive. Output also
// declares numbered files (-b), but then returns nil.
func (o *WriteOptions) Output(outputs *outfile.Outputs, watched bool) *outfile.File {
	switch {
	case len(o.ring) > 0:
		outputs.Ring("-w", o.Name)
		return nil
	case watched:
		return outputs.Stream("-w", o.Name)
	}
	return outputs.File("-w", o.Name)
}

// NewSaver begins to write the file that Output declared. It must be the last step before the first packet, because it
// may replace a file, and an earlier error must leave that file unchanged. If each is set, every packet is flushed. If
// every is set, all packets are written, not only those with selected messages.
func (o *WriteOptions) NewSaver(to *outfile.File, each, every bool) (*Saver, error) {
	options := capture.WriterOptions{
		Format: o.Format, Limits: o.limits, Each: each,
		Application: "gamedissect " + term.Version(), OS: runtime.GOOS, Hardware: runtime.GOARCH,
	}
	w, err := newCaptureWriter(to, o.Name, options)
	if err != nil {
		return nil, err
	}
	comments := message.PacketComments{Messages: o.Comments == "messages"}
	return &Saver{To: w, output: to, every: every, comments: comments}, nil
}

// newCaptureWriter begins a capture in the file to. If to is nil, it writes numbered files.
func newCaptureWriter(to *outfile.File, name string, o capture.WriterOptions) (*capture.Writer, error) {
	if to == nil {
		return capture.Create(name, o)
	}
	out, err := to.Begin()
	if err != nil {
		return nil, err
	}
	return capture.NewWriter(out, name, o)
}

// Sink returns the sink that writes packets.
func (s *Saver) Sink() session.Sink {
	return session.Sink{
		Packet: s.packet, Message: s.message, Finding: s.comments.Finding, WritePacket: s.writePacket, End: s.end,
	}
}

func (s *Saver) packet(p *capture.Packet) {
	s.kept = s.every
	s.comments.Begin(p)
}

// message records that the packet of a selected message must be written.
func (s *Saver) message(m *decode.Message) {
	s.kept = true
	s.comments.Message(m)
}

func (s *Saver) writePacket(p *capture.Packet) error {
	comments := s.comments.End(p, s.kept)
	if !s.kept {
		return nil
	}
	err := s.To.Write(p, comments...)
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

// first publishes a streamed file after its first packet. From then on, a crash of this program loses no packets.
// Windows cannot rename open files, so on Windows end publishes the file.
func (s *Saver) first() error {
	if s.output == nil || !s.output.Streamed || runtime.GOOS == "windows" {
		return nil
	}
	if err := s.To.Flush(); err != nil {
		return err
	}
	return s.output.Publish()
}

// refuse keeps the first error that does not end the run.
func (s *Saver) refuse(err error) {
	if s.refused == nil {
		s.refused = err
	}
}

// end closes and publishes the file.
func (s *Saver) end(decode.Counters) error {
	err := s.To.Close()
	if s.output != nil {
		if err == nil {
			err = s.output.Commit()
		} else {
			err = errors.Join(err, s.output.Unpublished())
		}
	}
	return errors.Join(s.refused, err)
}

// Written returns how much has been written, for session.Autostop.
func (s *Saver) Written(now int64) (bytes int64, files int) { return s.To.Size(), s.To.Full(now) }

// InterfaceSaver is a Saver for a live capture. It also writes descriptions of the interfaces and their statistics.
type InterfaceSaver struct {
	Saver
	from    *capture.Lives
	begun   time.Time
	indices []int // numbers that the interfaces have in the file
}

// NewInterfaceSaver writes descriptions of a live capture's interfaces to the file of s. filter is the capture filter.
func NewInterfaceSaver(s *Saver, from *capture.Lives, filter string, begun time.Time) *InterfaceSaver {
	l := &InterfaceSaver{Saver: *s, from: from, begun: begun}
	for _, now := range from.Statistics() {
		l.indices = append(l.indices, s.To.Interface(capture.Interface{
			Name: now.Interface, LinkType: now.LinkType, SnapLength: now.Snap, Filter: filter, OS: runtime.GOOS,
		}))
	}
	return l
}

// Sink returns the sink that writes packets.
func (s *InterfaceSaver) Sink() session.Sink {
	to := s.Saver.Sink()
	to.WritePacket, to.End = s.writePacket, s.end
	return to
}

// writePacket writes the current packet with the number that its interface has in the file.
func (s *InterfaceSaver) writePacket(p *capture.Packet) error {
	p.Interface = s.indices[p.Interface]
	return s.Saver.writePacket(p)
}

// end writes the kernel's counts and the findings that came after the last packet, and closes the file.
func (s *InterfaceSaver) end(c decode.Counters) error {
	for i, now := range s.from.Statistics() {
		err := s.To.Statistics(s.indices[i], capture.InterfaceStatistics{
			Start: s.begun.UnixNano(), End: time.Now().UnixNano(),
			Received: -1, Accepted: now.Received, OSDropped: now.Dropped, Dropped: -1, Delivered: now.Captured,
			Comments: s.comments.Rest(now.Interface),
		})
		if err != nil {
			s.refuse(err)
		}
	}
	return s.Saver.end(c)
}
