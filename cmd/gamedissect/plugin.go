package main

import (
	"bufio"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/internal/wireshark"
	"github.com/gamedissect/gamedissect/layers"
)

// newPlugin makes the command that the script in Wireshark's folder calls.
func newPlugin(std streams) *cobra.Command {
	var reading readingOptions
	var found string
	c := &cobra.Command{
		Use:   "plugin",
		Short: "answer Wireshark, which calls this",
		Long: "plugin prints the script that Wireshark runs, once gamedissect wireshark --install was run, and answers the " +
			"questions of that script.",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if found != "" {
				return answerQuestions(std, found, &reading)
			}
			return writePlugin(std.out)
		},
	}
	c.Flags().StringVar(&found, "answer", "", "answer questions about packets on standard input: add to `FILE` what is "+
		"found in them, and write to FILE.answers where")
	reading.flags(c)
	return c
}

// writePlugin writes the script that Wireshark runs for captures that it opens or takes by itself.
func writePlugin(w io.Writer) error {
	program, err := ownPath()
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, wireshark.Plugin(shellQuoted(program), layers.All()))
	return err
}

// answerQuestions answers until nobody asks any more.
func answerQuestions(std streams, found string, reading *readingOptions) error {
	to, err := os.OpenFile(found, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	defer to.Close()                                              // what it holds was answered
	answers, err := os.OpenFile(found+".answers", os.O_WRONLY, 0) // with this the script goes on
	if err != nil {
		return err
	}
	defer answers.Close()
	engine, err := reading.engine()
	if err != nil {
		return err
	}
	display, err := wiresharkDisplay()
	if err != nil {
		return err
	}
	s := &wiresharkSink{to: wireshark.NewAnswers(to, engine.Protocols), display: display}
	// Wireshark alone says when it is over: an interrupt is for that, which may have questions still.
	q := &questions{in: bufio.NewReaderSize(std.in, 1<<16), out: answers, to: s.to}
	err = s.run(engine).over(q, new(interrupt))
	if errors.Is(q.err, wireshark.ErrQuestion) {
		err = errors.Join(err, q.err)
	}
	return err
}

// questions is the source of a run over packets that Wireshark asks about.
type questions struct {
	in     io.Reader
	out    io.Writer
	to     *wireshark.Writer
	frame  decode.Frame // of the question
	buffer []byte
	err    error // of an answer or a question
}

// Next gives the packet of a question.
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

// tick answers.
func (q *questions) tick(bool) {
	b, err := q.to.Answer()
	if err == nil {
		_, err = q.out.Write(b)
	}
	q.err = err
}

func (*questions) halt() bool    { return false }
func (*questions) endless() bool { return false }
func (*questions) done()         {}
