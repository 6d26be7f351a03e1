package tshark

import (
	"errors"
	"io"
	"io/fs"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/wireshark"
)

// newSubjects returns subjects that have every field that Wireshark's users may name.
func newSubjects() (*session.Subjects, error) {
	schema := session.NewSchema()
	for _, name := range []string{"copy", "time_delta", "response_time"} {
		if _, err := schema.Resolve(name, nil); err != nil {
			return nil, err
		}
	}
	return session.NewSubjects(schema), nil
}

// A dissectionSink writes messages and findings to a dissection file. The script in Wireshark reads that file.
type dissectionSink struct {
	to       *wireshark.Writer
	subjects *session.Subjects
	whole    bool // the file is complete
}

func (s *dissectionSink) run(engine decode.Options) *session.Run {
	r := session.NewRun(engine, session.Selection{Subjects: s.subjects})
	r.Options.Packet = s.to.Carried
	r.Add(session.Sink{
		Packet: s.packet, Message: func(m *decode.Message) { s.to.Message(m, s.subjects.Current()) }, Finding: s.to.Finding,
		End: s.end,
	})
	return r
}

// overNumbered runs over a source. It also writes the packets to a file, and assigns them the numbers that they have in
// that file.
func (s *dissectionSink) overNumbered(engine decode.Options, from *session.FileSource, stop *session.Interrupt,
	name string) error {
	to, err := capture.Create(name, capture.WriterOptions{Application: "gamedissect " + term.Version()})
	if err != nil {
		return err
	}
	n := &numbered{FileSource: from, to: to}
	return errors.Join(s.run(engine).Over(n, stop), to.Close())
}

func (s *dissectionSink) packet(p *capture.Packet) {
	f := session.FrameOf(p)
	s.to.Packet(&f)
}

func (s *dissectionSink) end(decode.Counters) error {
	err := s.to.Close()
	s.whole = err == nil
	return err
}

// numbered is a source that writes its packets to a file, and assigns them the numbers that they have in that file.
type numbered struct {
	*session.FileSource
	to    *capture.Writer
	count int
}

// Next skips packets that pcapng cannot store. After a failed write it returns no more packets, and closing the file
// returns the error.
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
