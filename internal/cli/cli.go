// Package cli is the command line of gamedissect. Each file defines a command with its flags and its help. The packages
// below it do the work.
package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/help"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/outfile"
	"github.com/gamedissect/gamedissect/internal/cli/screen"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/tally"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/cli/tshark"
	"github.com/gamedissect/gamedissect/internal/cli/verdict"
)

// Main runs the program for the given protocols with the arguments of the process, and returns its exit code.
func Main(protocols []*wire.Protocol) int {
	option.SetProtocols(protocols)
	session.SaveMemory()
	signal.Ignore(syscall.SIGPIPE) // a write to a closed pipe fails with EPIPE instead; other outputs continue
	return execute(os.Args[1:], term.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
}

// execute runs the program and returns its exit code.
func execute(args []string, std term.Streams) int {
	option.Completing.Store(len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd))
	root := newRoot(std)
	root.SetArgs(args)
	printed := &checkedWriter{Writer: std.Out}
	root.SetOut(printed)
	err := root.Execute()
	if err == nil {
		err = printed.err
	}
	if err == errFindings || err == verdict.ErrExpectations {
		return term.ExitFindings
	}
	var trouble []error
	code := term.ExitDone
	for one := range term.Causes(err) {
		if ended, ok := errors.AsType[tshark.ExitError](one); ok {
			code = int(ended)
		} else if !errors.Is(one, syscall.EPIPE) { // not an error: the reader closed the pipe
			trouble = append(trouble, one)
		}
	}
	if len(trouble) == 0 {
		return code
	}
	term.Complain(std.Err, errors.Join(trouble...))
	return term.ExitTrouble
}

// A checkedWriter keeps the first error of a writer, because Cobra ignores write errors when it prints help.
type checkedWriter struct {
	io.Writer
	err error
}

func (w *checkedWriter) Write(b []byte) (int, error) {
	n, err := w.Writer.Write(b)
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("standard output: %w", err)
	}
	return n, err
}

// A noArgumentsError is the error for a command line without arguments.
type noArgumentsError struct{}

func (noArgumentsError) Error() string { return "nothing to read. Type:" }

// Excerpt returns the lines to show below the error: what to type for which purpose.
func (noArgumentsError) Excerpt() string {
	return `gamedissect FILE             to see what is in a capture, and what failed
gamedissect -r FILE          to read every message, with its fields
gamedissect view FILE        to look at a capture in the browser
gamedissect -i NAME -q       to watch an interface (-D lists them)
gamedissect help             to find commands and pages by question`
}

const rootLong = `gamedissect reads packets and decodes the messages of old multiplayer games. It prints
annotated trees and statistics, and reports where messages break the protocol.

It decodes the server query of Bloodmasters, the heartbeat of Iceball, the matchmaking of
Tribes 1.11, and BZFlag 1.07 and 2.4. It finds them on their usual ports and, by their content, on others. Captures
are pcap or pcapng, plain or compressed with gzip or zstd. Short options mean the same as in tshark.

gamedissect FILE shows what is in a capture and what failed, on one screen. gamedissect summary does the same.

With -r gamedissect prints each message as a line, followed by its fields, their bytes and the
findings, and prints totals at the end. On a terminal, lines are cut to its width, and messages go through a pager.
A pipe (| less -SR) gets whole lines.

The exit code is 1 if there are failures or findings that --fail-on names, 2 if something could not be read, written
or parsed, and otherwise 0. Packets before an error are still shown. NO_COLOR in the environment turns colours
off.`

const rootExample = `  gamedissect capture.pcap                        what is in it, on one screen
  gamedissect -r capture.pcap                     dissect a file
  gamedissect -r capture.pcap -T line             a line for each message
  gamedissect -r *.pcap.gz -q                     totals of several files
  gamedissect -r capture.pcap -T json | jq .      JSON for other programs
  tcpdump -w - port 6969 | gamedissect -r - -l    live, from tcpdump
  gamedissect -r x.pcap -d udp.port==7000,tribes  a server on an unusual port
  gamedissect -r capture.pcap -Y 'tribes.servers.ip == 10.0.0.0/8'    only messages that match
  gamedissect -r capture.pcap -T csv -e frame.time -e bzflag24.killed.killer
  gamedissect check -r capture.pcap join.yaml     compare with expected messages
  gamedissect diff good.pcap bad.pcap             what became worse
  gamedissect -r capture.pcap -q -z bzflag24,players    a table of players
  gamedissect capture.pcap --fail-on failure,warning    exit code 1 for failures and warnings
  tcpdump -w - udp | gamedissect -r - -q --metrics 127.0.0.1:9744    for Prometheus
  gamedissect world -r capture.pcap -o maps       the worlds that BZFlag clients downloaded`

func newRoot(std term.Streams) *cobra.Command {
	var o dissectOptions
	root := &cobra.Command{
		Use:                        "gamedissect FILE | -r FILE | -i INTERFACE",
		Short:                      "dissect the traffic of old multiplayer games",
		Long:                       rootLong,
		Example:                    rootExample,
		Version:                    term.FullVersion(),
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
		SilenceErrors:              true,
		Args:                       o.files,
		ValidArgsFunction:          completeFiles,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 && c.Flags().NFlag() == 0 {
				return noArgumentsError{}
			}
			if len(o.summarized) > 0 {
				return o.summary(c, std)
			}
			return o.run(outfile.NewOutputs(std, o.input.Names...), nil)
		},
	}
	root.SetIn(std.In)
	root.SetOut(std.Out)
	root.SetErr(std.Err)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		// The options may be meant for a misspelt command.
		if meant := session.MisspeltCommand(c, c.Flags().Args()); meant != nil {
			return meant
		}
		return fmt.Errorf("%w (see %s --help)", session.ExplainUnknownOption(c, option.BadValue(err)), c.CommandPath())
	})
	t, err := term.NewTerminal(std.Out, "never")
	option.Must(err)
	width := term.ProseWidth(t.Width)
	o.flags(root)
	o.live.Flags(root)
	o.write.Flags(root)
	root.SetUsageTemplate(help.UsageTemplate(root, width))
	addCommands(root, std)
	root.InitDefaultHelpCmd()
	refuseUnknown(root)
	show := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		help.Fit(c, width)
		show(c, args)
	})
	return root
}

// addCommands adds the commands, in the groups that the help shows.
func addCommands(root *cobra.Command, std term.Streams) {
	const about = "What does the program know?"
	for _, g := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"What is in a capture?", []*cobra.Command{newSummary(std), newView(std), newReport(std), newFollow(std),
			newWorld(std), newWireshark(std)}},
		{"Is it as it should be?", []*cobra.Command{newDiff(std), newCheck(std), newRecord(std)}},
		{"For other programs and other people", []*cobra.Command{newExport(std), newAnonymize(std), newSamples(std)}},
		{about, []*cobra.Command{newProtocols(std), newFields(std), newRules(std), newExplain(std), newMan(std)}},
	} {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	root.SetCompletionCommandGroupID(about)
	show := newHelp(std)
	show.GroupID = about
	root.SetHelpCommand(show)
	root.AddCommand(newExtcap(std), newPlugin(std)) // hidden commands
}

// completeFiles adds file names to the completion of commands.
func completeFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

// refuseUnknown makes completion for an unknown shell an error. By default, Cobra would show help and succeed.
func refuseUnknown(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			// Cobra checks arguments only for commands with a RunE.
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
		}
	}
}

// files treats arguments after -r FILE as further input files, because a shell expands -r *.pcap to several arguments.
// Without -r, arguments that name files are files to summarize.
func (o *dissectOptions) files(c *cobra.Command, args []string) error {
	meant := session.MisspeltCommand(c, args)
	switch {
	case len(args) == 0:
		return nil
	case args[0] == "":
		return errors.New("the name of a file is empty")
	case tally.TableHint(o.statistics.Protocols, args[0]) != "" && !session.Exists(args[0]):
		return fmt.Errorf("unknown command %q (%s)", args[0], tally.TableHint(o.statistics.Protocols, args[0]))
	case meant != nil:
		return meant
	case len(o.input.Names) > 0:
		o.input.Names = append(o.input.Names, args...)
		return nil
	case args[0] == "-" || session.Exists(args[0]) || strings.ContainsAny(args[0], "*?[") || session.IsCapture(args[0]):
		o.summarized = args
		return nil
	}
	text := ""
	if c.Flags().Lookup(args[0]) != nil {
		text = " (did you mean --" + args[0] + "?)"
	}
	return fmt.Errorf("unknown command %q, and there is no such file%s", args[0], text)
}

// summaryTakes are the options that also apply to a summary of files given without -r.
var summaryTakes = []string{"type", "count", "unpack-all", "rules", "severity", "fail-on", "decode-as", "dialect",
	"memory", "color"}

// summary shows the summary of files given without -r. Options for messages are errors here, because they need -r.
func (o *dissectOptions) summary(c *cobra.Command, std term.Streams) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(summaryTakes, f.Name) && err == nil {
			err = fmt.Errorf("%s: %s is not for a summary, but for messages and tables: gamedissect -r %[1]s",
				o.summarized[0], option.FlagName(f))
		}
	})
	if err != nil {
		return err
	}
	s := screen.Options{
		Input: o.input, Reading: o.decode.Reading, Findings: o.findings, Form: o.text.Form, Color: o.color,
	}
	s.Input.Names = o.summarized
	if s.Form != "" && !slices.Contains(screen.Forms, s.Form) {
		return fmt.Errorf("-T %s is not for a summary, but for messages: gamedissect -r %s -T %[1]s", s.Form, o.summarized[0])
	}
	return summarize(&s, std)
}
