package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/cli/tshark"
)

func newWireshark(std term.Streams) *cobra.Command {
	var o tshark.Options
	c := &cobra.Command{
		Use:   "wireshark [--tshark] FILE [ARGUMENT...]",
		Short: "open a capture in Wireshark or tshark, dissected",
		Long: `wireshark opens a capture in Wireshark or tshark, with the messages in the packet tree and in the
columns, findings as expert information, and every field that "gamedissect fields" lists for display
filters, columns and statistics. It does not change Wireshark's configuration. Put options of this command
before the file; arguments after the file are passed to Wireshark or tshark unchanged.`,
		Example: `  gamedissect wireshark capture.pcap
  gamedissect wireshark capture.pcap -Y 'bzflag24.killed.reason == 3'
  gamedissect wireshark --tshark capture.pcap -T fields -e frame.number -e tribes.servers.ip
  gamedissect wireshark --tshark -d udp.port==7000,tribes capture.pcap -V
  gamedissect wireshark --tshark -r one.pcap -r two.pcap -- -q -z io,stat,10   (arguments for tshark follow --)
  gamedissect wireshark --install`,
		RunE: func(c *cobra.Command, args []string) error {
			if o.Install || o.Uninstall {
				if len(args) > 0 || len(o.Input.Names) > 0 || o.Install && o.Uninstall {
					return errors.New("--install and --uninstall cannot be combined with anything else")
				}
				return tshark.ChangeFolders(std, o.Uninstall)
			}
			if err := o.SetArgs(args); err != nil {
				return err
			}
			if err := tshark.CheckPassed(c.Flags(), o.Passed); err != nil {
				return err
			}
			return o.Run(std)
		},
	}
	f := c.Flags()
	f.SetInterspersed(false)
	o.Input.Flags(c)
	f.BoolVar(&o.Tshark, "tshark", false, "start tshark instead of Wireshark")
	o.Reading.Flags(c)
	f.BoolVar(&o.Install, "install", false, "put a script and interfaces into Wireshark's personal folders, for captures "+
		"that Wireshark opens or records itself")
	f.BoolVar(&o.Uninstall, "uninstall", false, "remove what --install installed")
	return c
}

// newPlugin makes the hidden command for the script in Wireshark's plugin folder.
func newPlugin(std term.Streams) *cobra.Command {
	var reading session.ReadingOptions
	var file string
	c := &cobra.Command{
		Use:   "plugin",
		Short: "answer requests of Wireshark, which calls this command",
		Long: "plugin prints the script that Wireshark runs after gamedissect wireshark --install, and answers the " +
			"questions of that script.",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if file != "" {
				return tshark.AnswerQuestions(std, file, &reading)
			}
			return tshark.WritePlugin(std.Out)
		},
	}
	c.Flags().StringVar(&file, "answer", "", "answer questions about packets from standard input: add the dissected "+
		"packets to `FILE`, and their positions in it to FILE.answers")
	reading.Flags(c)
	return c
}
