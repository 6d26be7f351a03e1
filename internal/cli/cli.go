// Package cli is the command line: a file a command, with its flags and the wiring of the rooms below, which do the work.
package cli

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/help"
	"github.com/gamedissect/gamedissect/internal/cli/known"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/outfile"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/tally"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/cli/verdict"
	"github.com/gamedissect/gamedissect/internal/cli/wireshark"
)

// Main runs the program, which knows the given protocols, with the arguments of the process, and ends the process with its
// exit code.
func Main(protocols []*wire.Protocol) {
	known.Set(protocols)
	session.SaveMemory()
	signal.Ignore(syscall.SIGPIPE) // a write to a closed pipe then fails with EPIPE, and other outputs go on
	os.Exit(execute(os.Args[1:], term.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}

// execute runs the program and gives its exit code.
func execute(args []string, std term.Streams) int {
	option.Completing.Store(len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd))
	root := newRoot(std)
	root.SetArgs(args)
	err := root.Execute()
	if err == errFindings || err == verdict.ErrExpectations {
		return term.ExitFindings
	}
	var trouble []error
	code := term.ExitDone
	for one := range term.Causes(err) {
		if ended, ok := errors.AsType[wireshark.ExitError](one); ok {
			code = int(ended)
		} else if !errors.Is(one, syscall.EPIPE) { // whoever read the output has seen enough
			trouble = append(trouble, one)
		}
	}
	if len(trouble) == 0 {
		return code
	}
	term.Complain(std.Err, errors.Join(trouble...))
	return term.ExitTrouble
}

const rootLong = `gamedissect reads packets, finds the messages of old multiplayer games in them and shows
what was said: annotated trees, statistics, and where the traffic breaks the protocol.

It knows the server query of Bloodmasters, the heartbeat of Iceball, the matchmaking of Tribes
1.11, and BZFlag 1.07 and 2.4, on their usual ports and, by their content, on others. Captures are pcap or
pcapng, plain or inside gzip or zstd. Letters are those of tshark where both have them.

By default every message is a line and, below it, its fields with the bytes they stand in;
findings stand at their bytes. Totals follow at the end. On a terminal lines are cut to its
width; a pipe (| less -SR) keeps them whole.

The exit code is 0, 1 if --fail-on was given and found something, or 2 when something could not be
read, written or understood; whatever was read before that is shown. NO_COLOR in the environment turns colours off.`

const rootExample = `  gamedissect -r capture.pcap                     dissect a file
  gamedissect -r capture.pcap -T line             a line a message
  gamedissect -r *.pcap.gz -q                     totals of several files
  gamedissect -r capture.pcap -T json | jq .      for other programs
  tcpdump -w - port 6969 | gamedissect -r - -l    what comes in right now
  gamedissect -r x.pcap -d udp.port==7000,tribes  a server on an unusual port
  gamedissect -r capture.pcap -Y 'tribes.servers.ip == 10.0.0.0/8'    only what a filter is true of
  gamedissect -r capture.pcap -T csv -e frame.time -e bzflag24.killed.killer
  gamedissect check -r capture.pcap join.yaml     hold it against expected messages
  gamedissect -r capture.pcap -q -z bzflag24,players    what was measured
  gamedissect -r capture.pcap -q --fail-on warning      for scripts
  tcpdump -w - udp | gamedissect -r - -q --metrics 127.0.0.1:9744    for Prometheus
  gamedissect world -r capture.pcap -o maps       the worlds that BZFlag clients downloaded`

// newRoot makes the program's command.
func newRoot(std term.Streams) *cobra.Command {
	var o dissectOptions
	root := &cobra.Command{
		Use:                        "gamedissect -r FILE | -i INTERFACE",
		Short:                      "dissect the traffic of old multiplayer games",
		Long:                       rootLong,
		Example:                    rootExample,
		Version:                    term.FullVersion(),
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
		SilenceErrors:              true,
		Args:                       o.files,
		RunE: func(*cobra.Command, []string) error {
			return o.run(outfile.NewOutputs(std, o.input.Names...), session.Everywhere)
		},
	}
	root.SetIn(std.In)
	root.SetOut(std.Out)
	root.SetErr(std.Err)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if meant := session.Misspelt(c, c.Flags().Args()); meant != nil { // whose options they are
			return meant
		}
		return fmt.Errorf("%w (see %s --help)", session.OfOthers(c, option.BadValue(err)), c.CommandPath())
	})
	t, err := term.NewTerminal(std.Out, "never")
	option.Must(err)
	width := term.ProseWidth(t.Width)
	root.SetUsageTemplate(help.UsageTemplate(root, width))
	o.flags(root)
	o.live.Flags(root)
	o.write.Flags(root)
	root.AddCommand(newProtocols(std), newFields(std), newFollow(std), newWorld(std), newView(std), newReport(std),
		newCheck(std), newRecord(std), newAnonymize(std), newExport(std), newSamples(std), newRules(std),
		newExplain(std), newMan(std), newWireshark(std), newExtcap(std), newPlugin(std))
	root.SetHelpCommand(newHelp(std))
	root.InitDefaultHelpCmd()
	refuseUnknown(root)
	help.Fit(root, width)
	return root
}

// refuseUnknown makes an error of completion for a shell that there is not. Cobra shows help, as if all were well.
func refuseUnknown(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() } // with it, arguments are checked
		}
	}
}

// files takes words behind -r FILE for further files, as a shell writes them for -r *.pcap. Without
// -r they are a command misspelt, or a file.
func (o *dissectOptions) files(c *cobra.Command, args []string) error {
	meant := session.Misspelt(c, args)
	switch {
	case len(args) == 0:
		return nil
	case tally.TableHint(args[0]) != "" && !session.Exists(args[0]):
		return fmt.Errorf("unknown command %q (%s)", args[0], tally.TableHint(args[0]))
	case meant != nil:
		return meant
	case len(o.input.Names) > 0:
		o.input.Names = append(o.input.Names, args...)
		return nil
	}
	return fmt.Errorf("unknown command %q (to read a file: gamedissect -r %s; to see it in a browser: gamedissect view "+
		"%s)", args[0], args[0], args[0])
}
