package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/recording"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// newAnonymize makes the command that changes captures so that they can be shared.
func newAnonymize(std term.Streams) *cobra.Command {
	var o recording.AnonymizeOptions
	c := &cobra.Command{
		Use:   "anonymize -r FILE -w FILE",
		Short: "write a capture that can be shared, with other names and texts",
		Long: `anonymize writes a capture in which names, chat, passwords, addresses and what is not known are replaced,
and which dissects to the same messages and findings. Lengths, times and ports stay. The same text becomes the same
everywhere, letters become letters, and addresses with a common prefix keep one of that length; loopback,
private and multicast addresses stay so. Checksums that were right are right.

Packets that belong to no message of the games are left out, and those in tunnels and in Wi-Fi frames. The file is
read twice, so standard input cannot be anonymized. Three quarters of what --memory leaves for the traffic hold what
is to be replaced: at 120 that of 140,000 packets with something private in each.

The same --key replaces alike in several captures. Who knows it can find out what was replaced; without it a random
one is used and forgotten. What people tell by the way they play, by the length of their names or by the time is
still there, and so are the worlds that clients downloaded.`,
		Example: `  gamedissect anonymize -r session.pcap -w public.pcapng
  gamedissect anonymize -r session.pcap -w public.pcapng --key "$(cat key)"`,
		Args: o.Input.OptionsOnly,
		RunE: func(c *cobra.Command, _ []string) error {
			if o.Key == "" && c.Flags().Changed("key") {
				return errors.New("--key: it is empty, as of a variable that is not set; without --key a random one is used")
			}
			return o.Run(std)
		},
	}
	o.Input.Flags(c)
	f := c.Flags()
	f.VarP((*option.FileName)(&o.Write), "write", "w", "write the capture to `FILE`: pcap where the name ends so, else pcapng; "+
		"- is standard output")
	f.StringVar(&o.Key, "key", "", "replace by this `TEXT`, the same each time; a random one if not given")
	f.BoolVar(&o.Others, "keep-others", false, "keep the other packets as well, without their content")
	o.Reading.Flags(c)
	return c
}
