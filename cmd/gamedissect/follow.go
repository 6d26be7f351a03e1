package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// followOptions say what is followed, and how.
type followOptions struct {
	dissect   dissectOptions
	talk      talk
	raw       string
	direction string
}

// newFollow makes the command that shows one conversation.
func newFollow(std streams) *cobra.Command {
	var o followOptions
	c := &cobra.Command{
		Use:   "follow tcp|udp,NUMBER | ADDRESS[:PORT] [ADDRESS[:PORT]] -r FILE",
		Short: "show one conversation as it was said",
		Long: `follow shows the messages of one conversation, both directions, as trees. It is named as lines
and trees name it, tcp,3, or by who talks: all that one endpoint or host sends and is sent, or what two of
them say to each other. With --raw it writes the bytes that one side sent to a file instead.`,
		Example: `  gamedissect follow tcp,3 -r capture.pcap
  gamedissect follow 127.0.0.1:5154 -r capture.pcap -T line
  gamedissect follow 10.0.0.7 10.0.0.1:5154 -r capture.pcap
  gamedissect follow tcp,3 -r capture.pcap --raw server.bin --from server`,
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if o.talk, err = parseTalk(args); err != nil {
				return err
			}
			if sides := []string{"server", "client"}; !slices.Contains(sides, o.direction) {
				return oneOf("--from", o.direction, sides)
			}
			if o.raw == "" && c.Flags().Changed("from") {
				return errors.New("--from says whose bytes --raw writes, which is missing")
			}
			return o.run(std)
		},
	}
	o.dissect.flags(c)
	c.Flags().Var((*fileName)(&o.raw), "raw", "write the bytes that one side sent to `FILE`; - is standard output")
	c.Flags().StringVar(&o.direction, "from", "server", "whose bytes --raw writes: `SIDE` is server or client")
	completeWith(c, "from", "server", "client")
	return c
}

func (o *followOptions) run(std streams) error {
	if o.raw != "" && o.dissect.decode.mask {
		return errors.New("--raw writes the bytes as they were sent; --mask-secrets cannot hide anything in them")
	}
	outputs := newOutputs(std, o.dissect.input.names...)
	if o.raw == "" {
		seen := false
		err := o.dissect.run(outputs, func(p *wire.Place) bool {
			here := o.talk.here(p)
			seen = seen || here
			return here
		})
		return o.found(err, seen)
	}
	w := rawWriter{o: o, output: outputs.file("--raw", o.raw)}
	return o.found(o.dissect.run(outputs, everywhere, &w), w.seen)
}

// found adds the error of a conversation that does not exist.
func (o *followOptions) found(err error, seen bool) error {
	if err == nil && !seen {
		return fmt.Errorf("no message of %s was found", o.talk)
	}
	return err
}

// rawWriter is the sink that writes the bytes of one side.
type rawWriter struct {
	o      *followOptions
	output *outfile
	to     io.Writer // the same, once there was something
	seen   bool
	first  wire.ConversationID // that was seen
	failed error
}

func (*rawWriter) message(*decode.Message)      {}
func (*rawWriter) finding(*wire.TrafficFinding) {}

func (w *rawWriter) raw(p wire.Place, way wire.Direction, b []byte) {
	if !w.o.talk.here(&p) || w.failed != nil {
		return
	}
	id := p.ConversationID()
	switch {
	case !w.seen:
		w.seen, w.first = true, id
		w.to, w.failed = w.output.begin()
	case id != w.first:
		w.failed = fmt.Errorf("--raw writes one conversation, and %s and %s are both of %s: follow one of them",
			appendConversation(nil, w.first), appendConversation(nil, id), w.o.talk)
	}
	if w.failed == nil && (way == wire.FromServer) == (w.o.direction == "server") {
		_, err := w.to.Write(b)
		w.failed = w.output.failed(err)
	}
}

// end ends the file, if there is such a conversation.
func (w *rawWriter) end(decode.Counters) error {
	if w.failed != nil || !w.seen {
		return w.failed
	}
	return w.output.commit()
}
