package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/expect"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/internal/print"
)

const checkLong = `check holds captures against expectations: sequences of messages with conditions, times and values
that have to come back, and bounds on findings, counts, rates and what was measured.

With -r every capture named is held against every file of expectations; both may be patterns such as
'*.pcap', and a folder stands for the files in it. Without -r a folder is searched for pairs: NAME.pcap (or
.pcapng, .gz, .zst) with NAME.yaml and NAME.ANYTHING.yaml.

Times are those of the packets, so the result does not depend on the machine. The exit code is 0 if all
expectations are fulfilled, 1 if one is not, 2 if something could not be read. A capture that an expectation is not
about, because it has no such message or conversation, is skipped and said so; --require makes a failure of it, and
pairs in a folder are always required.

Expectations are YAML, several in a file with --- between them:

  name: a server is listed
  protocol: iceball              # whose messages the steps name
  per: conversation              # or client (address and port), server, capture
  filter: udp.port == 27790      # only these messages count
  begins: iceball.announce       # only conversations count that begin with it,
  having: iceball.announce       # and only those that have it
  fulfilled: all                 # or some, or how many of them: 2, 1..3, 1..
  mode: loose                    # between steps comes nothing that fits one;
                                 # ordered: of that, only what comes at any time
                                 # (as chat); strict: nothing at all;
                                 # open: anything (the first that fits counts)
  sequence:
    - expect: Announce           # a message, or any
      from: client               # or server, peer
      id: announced              # for within, after and until of other steps
      where: players_max > 0     # a filter without protocol.message., or more
      save: [port]               # $port from now on; or {NAME: FIELD}
      repeat: 1..3               # or 3, 1..
    - expect: Accepted
      within: 2s                 # of the step before
      after: 1ms of announced    # of a named one
      save: [cookie]
      optional: true
    - any_order:                 # these, in any order; sequences in it may mix
        - expect: Handshake
          where: cookie == $cookie
        - one_of:                # one of these
            - expect: Announce
            - sequence: [{expect: BadVersion}, {expect: Announce}]
    - never: BadFormat           # from here on, to the end or until: STEP
    - rest: anything             # what follows is not looked at
  bounds:
    findings: warning            # none of this severity or above
    allow: [iceball.http-*]      # but of these rules
    hold:
      - count Announce in 1..10
      - rate Announce < 2        # a second
      - time to MSOK p99 < 100ms # of -z: p50, min, max, mean, total, count`

const checkExample = `  gamedissect check -r session.pcap join.yaml
  gamedissect check -r 'captures/*.pcap' expectations
  gamedissect check testdata --junit report.xml
  gamedissect record -r session.pcap -o join.yaml      write one from a capture`

// checkOptions are what the command line of check asks for.
type checkOptions struct {
	input  inputOptions
	decode decodeOptions
	form   string
	color  string
	junit  string
	sarif  string
	quiet  bool
	all    bool

	require bool // each expectation has to be about each capture
}

// newCheck makes the command that holds captures against expectations.
func newCheck(std streams) *cobra.Command {
	var o checkOptions
	c := &cobra.Command{
		Use:     "check [-r FILE]... EXPECTATIONS|FOLDER...",
		Short:   "hold captures against expected sequences of messages",
		Long:    checkLong,
		Example: checkExample,
		RunE: func(c *cobra.Command, args []string) error {
			if taken := slices.Contains([]string{o.junit, o.sarif}, "-"); taken && c.Flags().Changed("type") {
				return fmt.Errorf("-T %s: standard output is taken by --junit or --sarif; name a file there", o.form)
			}
			return o.run(std, args)
		},
	}
	o.input.flags(c)
	o.decode.flags(c)
	f := c.Flags()
	f.StringVarP(&o.form, "type", "T", "text", "`FORM` of the verdicts: text or json (an object for each capture and "+
		"expectation)")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "report only what is not fulfilled")
	f.BoolVarP(&o.all, "verbose", "V", false, "show every conversation, not the first few that fail")
	f.BoolVar(&o.require, "require", false, "fail where an expectation is not about a capture, rather than skip it")
	f.Var((*fileName)(&o.junit), "junit", "write a JUnit report to `FILE`; - is standard output, instead of the text")
	f.Var((*fileName)(&o.sarif), "sarif", "write a SARIF report to `FILE`; - is standard output, instead of the text")
	colourFlag(c, &o.color)
	completeWith(c, "type", verdictForms...)
	must(c.MarkFlagFilename("junit", "xml"))
	must(c.MarkFlagFilename("sarif", "sarif", "json"))
	return c
}

// errExpectations is the error of expectations that are not fulfilled. Which is shown already.
var errExpectations = errors.New("expectations are not fulfilled")

// outcome is how a capture stands to the expectations.
type outcome struct {
	capture string
	results []*expect.Result // of what could be read
	trouble []string         // what could not, and why
}

// newOutcome makes the outcome of a capture. err tells what could not be read, in one error or several.
func newOutcome(capture string, results []*expect.Result, err error) outcome {
	o := outcome{capture: capture, results: results}
	for one := range causes(err) {
		o.trouble = append(o.trouble, one.Error())
	}
	return o
}

// verdictForms are the values of check's -T.
var verdictForms = []string{"text", "json"}

func (o *checkOptions) run(std streams, args []string) error {
	if !slices.Contains(verdictForms, o.form) {
		return oneOf("-T", o.form, verdictForms)
	}
	t, err := newTerminal(std.out, o.color)
	if err != nil {
		return err
	}
	pairs, err := o.pairs(args, std.err)
	if err != nil {
		return err
	}
	schema := newSchema()
	loaded, err := loadAll(pairs, schema)
	if err != nil {
		return err
	}
	if _, err := newDisplay(schema, o.decode.filter); err != nil {
		return err
	}
	if err := o.decode.packets.check(true); err != nil {
		return err
	}
	outputs := newOutputs(std, inputsOf(pairs)...)
	toJUnit, toSARIF := outputs.file("--junit", o.junit), outputs.file("--sarif", o.sarif)
	if err := outputs.open(); err != nil {
		return err
	}
	defer outputs.abandon()
	out := newOutput(outputs, t.width)
	if o.junit == "-" || o.sarif == "-" {
		out.w = io.Discard
	}
	out.eager = true
	all := &verdicts{out: out, style: t.style, quiet: o.quiet, all: o.all, github: os.Getenv("GITHUB_ACTIONS") == "true"}
	trouble := o.holdAll(std, all, pairs, loaded, schema)
	trouble = errors.Join(trouble, all.end(o.form), writeResults(toJUnit, all.outcomes, junit),
		writeResults(toSARIF, all.outcomes, sarif), outputs.trouble())
	if trouble == nil && all.failed > 0 {
		return errExpectations
	}
	return trouble
}

// holdAll holds all captures against their expectations. Each is reported, also those that cannot be read, and those
// that nobody waits for any more.
func (o *checkOptions) holdAll(std streams, all *verdicts, pairs []pair, loaded map[string][]*expect.Expectation,
	schema *filter.Schema) (trouble error) {
	stop := onInterrupt()
	defer stop.release()
	width := all.out.width
	if o.form == "json" {
		width = 0
	}
	for _, p := range pairs {
		if stop.flag.Load() {
			err := errors.New(p.capture + ": interrupted before it was read")
			trouble = errors.Join(trouble, err)
			all.add(o.form, newOutcome(p.capture, nil, err))
			continue
		}
		var list []*expect.Expectation
		for _, name := range p.expectations {
			list = append(list, loaded[name]...)
		}
		results, err := o.hold(std, p.capture, list, schema, width, stop)
		if o.require || p.belong {
			for _, r := range results {
				r.Require()
			}
		}
		trouble = errors.Join(trouble, err)
		if all.add(o.form, newOutcome(p.capture, results, err)); all.out.err != nil {
			break
		}
	}
	return trouble
}

// inputsOf lists the files that are held against each other.
func inputsOf(pairs []pair) (names []string) {
	for _, p := range pairs {
		names = append(append(names, p.capture), p.expectations...)
	}
	return names
}

// loadAll reads the expectations that are named, each file once.
func loadAll(pairs []pair, schema *filter.Schema) (loaded map[string][]*expect.Expectation, trouble error) {
	loaded = make(map[string][]*expect.Expectation)
	for _, p := range pairs {
		for _, name := range p.expectations {
			if _, done := loaded[name]; done {
				continue
			}
			list, err := loadExpectations(name, schema)
			trouble = errors.Join(trouble, err)
			loaded[name] = list
		}
	}
	return loaded, trouble
}

// loadExpectations reads a file of expectations; - is not one, it would be the capture's.
func loadExpectations(name string, schema *filter.Schema) ([]*expect.Expectation, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, notOpened(name, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, expect.MaxFile+1))
	if err != nil {
		return nil, err
	}
	return expect.Load(name, text, schema)
}

// hold holds one capture against expectations. What could be read of one that is broken counts.
func (o *checkOptions) hold(std streams, name string, list []*expect.Expectation, schema *filter.Schema, width int,
	stop *interrupt) (results []*expect.Result, err error) {
	engine, err := o.decode.engine()
	if err != nil {
		return nil, err
	}
	engine.Memory -= o.decode.reading.memory.check()
	shows, err := newDisplay(schema, o.decode.filter)
	if err != nil {
		return nil, err
	}
	input := o.input
	input.names = []string{name}
	err = input.withFiles(std.in, stop, func(from *fileSource) error {
		r := newRun(engine, o.decode.gate(shows))
		r.count, r.wanted = o.input.count, o.decode.packets.wanted(func(err error) { complain(std.err, err) })
		r.forgotten = o.decode.reading.memory.trouble("what was checked of " + name + " may be wrong")
		s := &checker{shows, expect.NewCheck(list, expect.Options{
			Line: newLiner(r.clock, max(width-besideLines, 0)), Memory: o.decode.reading.memory.check(),
		})}
		r.add(s)
		err := r.over(from, stop)
		results = s.check.Close()
		return err
	})
	return results, err
}

// checker is the sink that holds a run against expectations.
type checker struct {
	display *display
	check   *expect.Check
}

func (c *checker) message(*decode.Message)      { c.check.Message(c.display.subject()) }
func (c *checker) finding(*wire.TrafficFinding) { c.check.Finding(c.display.subject()) }
func (c *checker) value(v *wire.Value)          { c.check.Value(v) }

// newLiner makes what writes a message in a line of a width, without colours.
func newLiner(c *clock, width int) func(*decode.Message) string {
	lines := newLineWriter(newOutput(io.Discard, width), c, nil, print.Style{})
	return func(m *decode.Message) string {
		lines.out.buf = lines.out.buf[:0]
		if lines.line(m, width == 0); width > 0 {
			lines.out.buf = lines.marksBelow(lines.out.buf, m)
		}
		return string(lines.out.buf)
	}
}
