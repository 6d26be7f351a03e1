package tshark

import (
	"bufio"
	"errors"
	"io"
	"os"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/wireshark"
)

// AnswerQuestions answers our script's questions about packets. It reads the questions from standard input until
// standard input ends. found is the name of the file to which it writes the dissected packets. It writes the positions
// of the answers in that file to found.answers.
func AnswerQuestions(std term.Streams, found string, reading *session.ReadingOptions) error {
	to, err := os.OpenFile(found, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	defer to.Close()                                              // Answer writes and reports errors
	answers, err := os.OpenFile(found+".answers", os.O_WRONLY, 0) // the script waits until this file is open
	if err != nil {
		return err
	}
	defer answers.Close()
	engine, err := reading.Engine()
	if err != nil {
		return err
	}
	subjects, err := newSubjects()
	if err != nil {
		return err
	}
	s := &dissectionSink{to: wireshark.NewAnswers(to, engine.Protocols), subjects: subjects}
	// An interrupt must not end this program, because the interrupt is meant for Wireshark, which may still ask
	// questions.
	q := &questions{in: bufio.NewReaderSize(std.In, 1<<16), out: answers, to: s.to}
	err = s.run(engine).Over(q, new(session.Interrupt))
	if errors.Is(q.err, wireshark.ErrQuestion) {
		err = errors.Join(err, q.err)
	}
	return err
}

// questions is the source of a run. Its packets are those that Wireshark asks about.
type questions struct {
	in     io.Reader
	out    io.Writer
	to     *wireshark.Writer
	frame  decode.Frame // packet of the current question
	buffer []byte
	err    error // error of an answer or a question
}

// Next reads a question and returns the packet in it.
func (q *questions) Next(p *capture.Packet) (err error) {
	if q.err != nil {
		return io.EOF
	}
	f := &q.frame
	if q.buffer, err = wireshark.ReadQuestion(q.in, f, q.buffer); err != nil {
		q.err = err
		return io.EOF
	}
	*p = capture.Packet{Data: f.Data, Length: f.Length, Time: f.Time, LinkType: capture.LinkType(f.Link), Number: f.Number}
	return nil
}

// Tick answers the question.
func (q *questions) Tick(bool) {
	b, err := q.to.Answer()
	if err == nil {
		_, err = q.out.Write(b)
	}
	q.err = err
}

func (*questions) Halt() bool { return false }

func (*questions) Endless() bool { return false }

func (*questions) Done() {}

// WritePlugin writes the script that Wireshark runs for the captures that it opens or records.
func WritePlugin(w io.Writer) error {
	program, err := term.OwnPath()
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, wireshark.Plugin(term.ShellQuoted(program), option.Protocols()))
	return err
}
