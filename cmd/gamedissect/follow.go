package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// followOptions say which conversation is followed, and how.
type followOptions struct {
	dissect   dissectOptions
	transport wire.Transport
	stream    int
	raw       string
	direction string
}

// newFollow makes the command that shows one conversation.
func newFollow(std streams) *cobra.Command {
	var o followOptions
	c := &cobra.Command{
		Use:   "follow tcp|udp,NUMBER -r FILE",
		Short: "show one conversation as it was said",
		Long: `follow shows the messages of one conversation, both directions, as trees. Its number is the
stream that -T json shows. With --raw it writes the bytes that one side sent to a file instead.`,
		Example: `  gamedissect follow tcp,3 -r capture.pcap
  gamedissect follow udp,0 -r capture.pcap -T line
  gamedissect follow tcp,3 -r capture.pcap --raw server.bin --from server`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.parse(args[0]); err != nil {
				return err
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

// parse reads "tcp,3".
func (o *followOptions) parse(s string) error {
	transport, number, ok := strings.Cut(s, ",")
	n, err := strconv.ParseUint(strings.TrimSpace(number), 10, 31)
	switch {
	case !ok || err != nil:
		return fmt.Errorf("%s: a conversation is named like tcp,3 or udp,0", s)
	case transport == "tcp":
		o.transport = wire.TCP
	case transport == "udp":
		o.transport = wire.UDP
	default:
		return oneOf(s+":", transport, []string{"tcp", "udp"})
	}
	if o.direction != "server" && o.direction != "client" {
		return oneOf("--from", o.direction, []string{"server", "client"})
	}
	o.stream = int(n)
	return nil
}

func (o *followOptions) here(p *wire.Place) bool {
	return p.Transport == o.transport && p.Conversation == o.stream
}

func (o *followOptions) run(std streams) error {
	if o.raw != "" && o.dissect.decode.mask {
		return errors.New("--raw writes the bytes as they were sent; --mask-secrets cannot hide anything in them")
	}
	outputs := newOutputs(std, o.dissect.input.names...)
	if o.raw == "" {
		seen := false
		err := o.dissect.run(outputs, func(p *wire.Place) bool {
			seen = seen || o.here(p)
			return o.here(p)
		})
		return o.found(err, seen)
	}
	w := rawWriter{o: o, output: outputs.file("--raw", o.raw)}
	return o.found(o.dissect.run(outputs, everywhere, &w), w.seen)
}

// found adds the error of a conversation that does not exist.
func (o *followOptions) found(err error, seen bool) error {
	if err == nil && !seen {
		return fmt.Errorf("no message of conversation %s,%d was found", o.transport, o.stream)
	}
	return err
}

// rawWriter is the sink that writes the bytes of one side.
type rawWriter struct {
	o      *followOptions
	output *outfile
	to     io.Writer // the same, once there was something
	seen   bool
	failed error
}

func (*rawWriter) message(*decode.Message)      {}
func (*rawWriter) finding(*wire.TrafficFinding) {}

func (w *rawWriter) raw(p wire.Place, way wire.Direction, b []byte) {
	if !w.o.here(&p) {
		return
	}
	if !w.seen {
		w.seen = true
		w.to, w.failed = w.output.begin()
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
