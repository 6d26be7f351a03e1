package cli

import (
	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/sample"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// newSamples makes the command that writes messages for tests.
func newSamples(std term.Streams) *cobra.Command {
	var o sample.Options
	c := &cobra.Command{
		Use:   "samples -r FILE [-o DIR]",
		Short: "write messages as .hex files, to test a protocol with",
		Long: `samples writes messages of a capture as .hex files, one each, in the form that the tests in
testdata/PROTOCOL read: what it is and where it comes from, endpoints and direction, and the bytes. A file is
named by the message and its frame. Messages with the same bytes are written once, and of each kind the first
few; -Y chooses which. The rules that a message breaks are to be stated by hand, "breaks: RULE SEVERITY BYTES".

For a protocol that is not known yet, --udp-port and --tcp-port write what is sent from and to a port instead:
each datagram, and of connections what each segment carries. Who receives on that port is taken for the server.

No file is written over. Captures hold names and addresses: gamedissect anonymize changes them before.`,
		Example: `  gamedissect samples -r session.pcap -Y bzflag24.killed -o testdata/bzflag24
  gamedissect samples -r session.pcap --protocol tribes --limit 0 -o all
  gamedissect samples -r unknown.pcap --udp-port 27960 -o testdata/quake3`,
		Args: o.Input.NoWords,
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
	f.StringVarP(&o.Dir, "output", "o", ".", "write to the folder `DIR`, which is made if need be")
	f.IntVar(&o.Limit, "limit", 3, "write at most `N` samples of each kind of message and direction; 0 is all")
	f.Uint16Var(&o.UDP, "udp-port", 0, "write the datagrams from and to the UDP port `N`, whatever they are")
	f.Uint16Var(&o.TCP, "tcp-port", 0, "write what is sent over TCP from and to the port `N`, whatever it is")
	option.Must(c.MarkFlagDirname("output"))
	return c
}
