package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/message"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/outfile"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

type followOptions struct {
	dissect   dissectOptions
	followed  message.Conversation
	raw       string
	direction string
}

func newFollow(std term.Streams) *cobra.Command {
	var o followOptions
	c := &cobra.Command{
		Use:   "follow tcp|udp,NUMBER | ADDRESS[:PORT] [ADDRESS[:PORT]] -r FILE",
		Short: "show one conversation",
		Long: `follow shows the messages of one conversation, in both directions, as trees. Name the
conversation by its number, such as tcp,3, which lines and trees show. Or name an endpoint or a host to see everything
that it sends and receives, or two of them to see what they send to each other. --raw writes the bytes of one side to a
file instead.`,
		Example: `  gamedissect follow tcp,3 -r capture.pcap
  gamedissect follow 127.0.0.1:5154 -r capture.pcap -T line
  gamedissect follow 10.0.0.7 10.0.0.1:5154 -r capture.pcap
  gamedissect follow tcp,3 -r capture.pcap --raw server.bin --from server`,
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if o.followed, err = message.ParseConversation(args); err != nil {
				return err
			}
			if sides := []string{"server", "client"}; !slices.Contains(sides, o.direction) {
				return option.OneOf("--from", o.direction, sides)
			}
			if o.raw == "" && c.Flags().Changed("from") {
				return errors.New("--from needs --raw FILE")
			}
			return o.run(std)
		},
	}
	o.dissect.flags(c)
	c.Flags().Var((*option.FileName)(&o.raw), "raw", "write the bytes of one side to `FILE`; - is standard output")
	c.Flags().StringVar(&o.direction, "from", "server", "whose bytes --raw writes: `SIDE` is server or client")
	option.CompleteWith(c, "from", "server", "client")
	return c
}

func (o *followOptions) run(std term.Streams) error {
	if o.raw != "" && o.dissect.decode.Mask {
		return errors.New("--raw writes the bytes as they were sent; --mask-secrets cannot hide anything in them")
	}
	outputs := outfile.NewOutputs(std, o.dissect.input.Names...)
	if o.raw == "" {
		seen := false
		err := o.dissect.run(outputs, func(p *wire.Place) bool {
			contains := o.followed.Contains(p)
			seen = seen || contains
			return contains
		})
		return o.found(err, seen)
	}
	w := message.RawWriter{
		Conversation: o.followed, FromServer: o.direction == "server", File: outputs.File("--raw", o.raw),
	}
	return o.found(o.dissect.run(outputs, nil, w.Sink()), w.Seen())
}

// found returns an error if the conversation is not in the capture.
func (o *followOptions) found(err error, seen bool) error {
	if err == nil && !seen {
		return fmt.Errorf("no message of %s was found", o.followed)
	}
	return err
}
