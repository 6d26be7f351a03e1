package cli

import (
	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/internal/cli/extract"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

func newSamples(std term.Streams) *cobra.Command {
	var o extract.SampleOptions
	c := &cobra.Command{
		Use:   "samples -r FILE [-o DIR]",
		Short: "write messages as .hex files, for tests of a protocol",
		Long: `samples writes each message of a capture as a .hex file, in the format of the samples in
testdata/PROTOCOL: a comment that names the message and the capture; then the endpoints, the direction and the bytes.
Each file is named after its message and frame number. samples writes only the first few messages of each kind, and
messages with the same bytes only once; -Y selects messages. If a message breaks a rule, add a line by hand:
"breaks: RULE SEVERITY BYTES".

For an unknown protocol, --udp-port and --tcp-port write all traffic of a port
instead: each datagram, or the payload of each TCP segment. The endpoint with that port counts as the server.

samples never overwrites a file. Captures contain names and addresses; gamedissect anonymize replaces
them.`,
		Example: `  gamedissect samples -r session.pcap -Y bzflag24.killed -o testdata/bzflag24
  gamedissect samples -r session.pcap --protocol tribes --limit 0 -o all
  gamedissect samples -r unknown.pcap --udp-port 27960 -o testdata/quake3`,
		Args: o.Input.OptionsOnly,
		RunE: func(c *cobra.Command, _ []string) error {
			ports := 0
			for _, flag := range []string{"udp-port", "tcp-port"} {
				if c.Flags().Changed(flag) {
					ports++
				}
			}
			return o.Run(std, ports)
		},
	}
	o.Input.Flags(c)
	o.Decode.Flags(c)
	f := c.Flags()
	f.StringVarP(&o.Dir, "output", "o", ".", "write to the folder `DIR`, which is created if it does not exist")
	f.IntVar(&o.Limit, "limit", 3, "write at most `N` samples of each kind of message and direction; 0 is all")
	f.Uint16Var(&o.UDP, "udp-port", 0, "write all datagrams from and to the UDP port `N`")
	f.Uint16Var(&o.TCP, "tcp-port", 0, "write all TCP segments from and to the port `N`")
	option.Must(c.MarkFlagDirname("output"))
	return c
}
