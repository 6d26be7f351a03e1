package wireshark

import (
	"errors"
	"io"
	"io/fs"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/wireshark"
)

// wiresharkDisplay knows of messages all that Wireshark may be asked for.
func wiresharkDisplay() (*session.Display, error) {
	schema := session.NewSchema()
	display, err := session.NewDisplay(schema, "")
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"copy", "time_delta", "response_time"} {
		if _, err := schema.Resolve(name, nil); err != nil {
			return nil, err
		}
	}
	return display, nil
}

// wiresharkSink gives what a run finds to Wireshark's dissection file.
type wiresharkSink struct {
	to      *wireshark.Writer
	display *session.Display
	whole   bool // all is written
}

// run makes a run that has this sink.
func (s *wiresharkSink) run(engine decode.Options) *session.Run {
	r := session.NewRun(engine, session.NewSelection(s.display))
	r.Options.Packet = s.to.Carried
	r.Add(s)
	return r
}

// overNumbered runs over packets that are written to a file as well.
func (s *wiresharkSink) overNumbered(engine decode.Options, from *session.FileSource, stop *session.Interrupt, name string) error {
	to, err := capture.Create(name, capture.WriterOptions{Application: "gamedissect " + term.Version()})
	if err != nil {
		return err
	}
	n := &numbered{FileSource: from, to: to}
	return errors.Join(s.run(engine).Over(n, stop), to.Close())
}

func (s *wiresharkSink) Packet(p *capture.Packet) {
	f := session.FrameOf(p)
	s.to.Packet(&f)
}

func (s *wiresharkSink) Message(m *decode.Message) { s.to.Message(m, s.display.Subject()) }

func (s *wiresharkSink) Finding(f *wire.TrafficFinding) { s.to.Finding(f) }

func (s *wiresharkSink) End(decode.Counters) error {
	err := s.to.Close()
	s.whole = err == nil
	return err
}

// numbered is a source whose packets are written to a file, and are numbered as they stand there.
type numbered struct {
	*session.FileSource
	to    *capture.Writer
	count int
}

// Next implements source. Packets that no file of the format takes are left out. They end where the file does, which
// its Close tells.
func (n *numbered) Next(p *capture.Packet) error {
	for {
		if err := n.FileSource.Next(p); err != nil {
			return err
		}
		err := n.to.Write(p)
		if errors.Is(err, fs.ErrInvalid) {
			continue
		}
		if err != nil {
			return io.EOF
		}
		n.count++
		p.Number, p.File = n.count, ""
		return nil
	}
}
