package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/internal/cli/live"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// newAnonymize makes the command that anonymizes captures so they can be shared.
func newAnonymize(std term.Streams) *cobra.Command {
	var o live.AnonymizeOptions
	c := &cobra.Command{
		Use:   "anonymize -r FILE -w FILE",
		Short: "write a capture that can be shared, with names and texts replaced",
		Long: `anonymize writes a capture in which names, chat, passwords, addresses and unknown bytes are
replaced. It dissects to the same messages and findings. Lengths, times and ports stay. Equal texts get equal
replacements, letters become letters, and addresses that share a prefix still share a prefix of that length. Loopback,
private and multicast addresses stay in their class. Correct checksums stay correct.

Packets without a game message are left out. Packets in tunnels and Wi-Fi frames are unwrapped, and their fragments
are joined, because the data around them has addresses in many places. The file is read twice, so it cannot be
standard input or a pipe. The replacements use three quarters of the memory that --memory leaves for the traffic: at
--memory 120, enough for 140,000 packets with something private in each.

With the same --key, several captures get the same replacements. Anyone with the key can find the originals; without
--key a random key is used and not stored. The length of names, the times and the style of play may still identify
players. The worlds that clients downloaded are not changed.`,
		Example: `  gamedissect anonymize -r session.pcap -w public.pcapng
  gamedissect anonymize -r session.pcap -w public.pcapng --key "$(cat key)"`,
		Args: o.Input.OptionsOnly,
		RunE: func(c *cobra.Command, _ []string) error {
			if o.Key == "" && c.Flags().Changed("key") {
				return errors.New("--key is empty, perhaps from a variable that is not set; without --key, a random key is used")
			}
			return o.Run(std)
		},
	}
	o.Input.Flags(c)
	f := c.Flags()
	f.VarP((*option.FileName)(&o.Write), "write", "w",
		"write the capture to `FILE`, as pcap if its name ends in .pcap, otherwise as pcapng; "+
			"- is standard output")
	f.StringVar(&o.Key, "key", "", "use the key `TEXT` for the replacements; the default is random")
	f.BoolVar(&o.Others, "keep-others", false, "also keep other packets, without their content")
	o.Reading.Flags(c)
	return c
}
