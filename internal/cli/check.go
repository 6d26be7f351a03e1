package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/internal/cli/compare"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/cli/verdict"
	"github.com/gamedissect/gamedissect/internal/diff"
)

const checkLong = `check compares captures with expectations: sequences of messages with conditions, times and values
that must be echoed, and limits on findings, counts, rates, measurements and outcomes of attempts.

With -r it compares every capture with every file of expectations; both may be patterns such as
'*.pcap', and a folder stands for the files in it. Without -r it searches folders for pairs: NAME.pcap (or
.pcapng, .gz, .zst) with NAME.yaml and NAME.ANYTHING.yaml.

All times come from the packets, so the result does not depend on the machine. The exit code is 0 if all
expectations are fulfilled, 1 if one is not, 2 if something could not be read. If a capture has no message or
conversation that an expectation is about, check reports that it skips the expectation; --require makes this a
failure. For pairs in a folder, it is always a failure.

Expectations are YAML, several in a file with --- between them:

  name: a server is listed
  protocol: iceball              # whose messages the steps name
  per: conversation              # or client (address and port), server, capture
  filter: udp.port == 27790      # only these messages count
  begins: iceball.announce       # only conversations that begin with it count,
  having: iceball.announce       # and only those that have it
  fulfilled: all                 # or some, or how many of them: 2, 1..3, 1..
  mode: loose                    # between steps, any message that fits no step;
                                 # ordered: of these, only messages that come
                                 # at any time, such as chat; strict: none;
                                 # open: any (the first that fits a step counts)
  sequence:
    - expect: Announce           # a message, or any
      from: client               # or server, peer
      id: announced              # for within, after and until of other steps
      where: players_max > 0     # a filter without protocol.message., or more
      save: [port]               # $port from now on; or {NAME: FIELD}
      repeat: 1..3               # or 3, 1..
    - expect: Accepted
      within: 2s                 # of the previous step
      after: 1ms of announced    # at least this long after a named step
      save: [cookie]
      optional: true
    - any_order:                 # in any order; sequences in it may interleave
        - expect: Handshake
          where: cookie == $cookie
        - one_of:                # one of these
            - expect: Announce
            - sequence: [{expect: BadVersion}, {expect: Announce}]
    - never: BadFormat           # from here on, to the end or until: STEP
    - rest: anything             # ignore what follows
  bounds:
    findings: warning            # none of this severity or above
    allow: [iceball.http-*]      # except of these rules
    hold:
      - count Announce in 1..10
      - rate Announce < 2        # per second
      - time to MSOK p99 < 100ms # a measurement of -z; p99, or p50,
                                 # min, max, mean, total, count
      - attempts listing failed == 0   # with per: capture; or an outcome: done,
                                 # refused, removed, unanswered, unreachable,
                                 # closed, abandoned, expired, absent, left`

const checkExample = `  gamedissect check -r session.pcap join.yaml
  gamedissect check -r 'captures/*.pcap' expectations
  gamedissect check testdata --junit report.xml
  gamedissect record -r session.pcap -o join.yaml      write expectations from a capture`

func newCheck(std term.Streams) *cobra.Command {
	var o verdict.CheckOptions
	c := &cobra.Command{
		Use:     "check [-r FILE]... EXPECTATIONS|FOLDER...",
		Short:   "compare captures with expected sequences of messages",
		Long:    checkLong,
		Example: checkExample,
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkForm(c, o.Form, o.Junit, o.Sarif); err != nil {
				return err
			}
			return o.Run(std, args)
		},
	}
	o.Input.Flags(c)
	o.Decode.Flags(c)
	f := c.Flags()
	f.StringVarP(&o.Form, "type", "T", "text", "`FORM` of the verdicts: text or json (an object for each capture and "+
		"expectation)")
	f.BoolVarP(&o.Quiet, "quiet", "q", false, "report only expectations that are not fulfilled")
	f.BoolVarP(&o.All, "verbose", "V", false, "show every conversation, not only the first few that fail")
	f.BoolVar(&o.Require, "require", false, "treat a skipped expectation as a failure")
	reportFlags(c, &o.Junit, &o.Sarif)
	term.ColourFlag(c, &o.Color)
	option.CompleteWith(c, "type", verdict.Forms...)
	return c
}

// reportFlags defines the flags for JUnit and SARIF reports.
func reportFlags(c *cobra.Command, junit, sarif *string) {
	f := c.Flags()
	f.Var((*option.FileName)(junit), "junit", "write a JUnit report to `FILE`; - is standard output, instead of the text")
	f.Var((*option.FileName)(sarif), "sarif", "write a SARIF report to `FILE`; - is standard output, instead of the text")
	option.Must(c.MarkFlagFilename("junit", "xml"))
	option.Must(c.MarkFlagFilename("sarif", "sarif", "json"))
}

// checkForm returns an error if -T is given together with a report on standard output.
func checkForm(c *cobra.Command, form string, reports ...string) error {
	if slices.Contains(reports, "-") && c.Flags().Changed("type") {
		return fmt.Errorf("-T %s: --junit or --sarif already writes to standard output; name a file for it", form)
	}
	return nil
}

const diffLong = `diff compares a capture with good ones and shows one screen: the verdict, then the differences,
most important first.

The verdict is worse, different (nothing is worse), same, or not comparable. A capture is not comparable if it has a
flaw that no good capture has: it is cut, begins in the middle of connections, or has gaps. It can still be worse, but
only by differences that gaps cannot explain.

! marks what makes a capture worse. --worse chooses the kinds of differences that count; by default
these count:

  rules      a rule that no good capture breaks, or that is broken twice as
             often; bytes outside of messages
  attempts   attempts to join, to be listed or to get an answer, if the share
             that fails is 10 percentage points higher; a server that is no
             longer listed
  questions  more repeated questions, more incomplete lists
  times      the 95th percentile of an answer time or lag: twice as long, and
             at least 10 ms longer
  loss       missing bytes, fragments or updates

Other kinds are shown, but count only if --worse names them: notes, messages, sizes, values, players, sequences.

Several good captures, each of them a session, define a range. Values within the range are not a difference, and a time
is already worse if it is a quarter longer. A folder stands for the captures in it; if NOW is a folder, each of its
captures is compared.

The exit code is 1 if a capture is worse, 2 if one is not comparable or could not be read to its end, and otherwise 0.`

const diffExample = `  gamedissect diff good.pcap bad.pcap
  gamedissect diff monday.pcap tuesday.pcap friday.pcap bad.pcap
  gamedissect diff healthy tonight --junit report.xml      two folders
  gamedissect diff good.pcap bad.pcap --worse rules,loss
  gamedissect diff good.pcap bad.pcap --rules '-tribes.underfilled'
  gamedissect diff good.pcap bad.pcap -T json | jq '.differences[] | select(.worse)'`

// newDiff makes the command that compares a capture with good captures.
func newDiff(std term.Streams) *cobra.Command {
	var o compare.Options
	c := &cobra.Command{
		Use:               "diff GOOD... NOW",
		Short:             "show what is worse in a capture than in good ones",
		Long:              diffLong,
		Example:           diffExample,
		ValidArgsFunction: completeFiles,
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkForm(c, o.Form, o.Junit, o.Sarif); err != nil {
				return err
			}
			err := o.Run(std, args)
			if errors.Is(err, compare.ErrWorse) {
				return errFindings
			}
			return err
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&o.Form, "type", "T", "text", "show it in the `FORM`: text or json (an object for each capture)")
	f.StringSliceVar(&o.Worse, "worse", compare.KindNames()[:len(diff.Judging)],
		"`KINDS` of differences that make a capture worse")
	reportFlags(c, &o.Junit, &o.Sarif)
	o.Findings.SelectFlags(c)
	o.Reading.Flags(c)
	term.ColourFlag(c, &o.Color)
	option.CompleteWith(c, "type", compare.Forms...)
	option.CompleteWith(c, "worse", compare.KindNames()...)
	return c
}
