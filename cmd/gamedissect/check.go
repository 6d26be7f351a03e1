package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/expect"
	"github.com/gamedissect/gamedissect/decode/filter"
	"github.com/gamedissect/gamedissect/decode/wire"
)

const checkLong = `check holds captures against expectations: sequences of messages with conditions, times and values
that have to come back, and bounds on findings, counts, rates and what was measured.

With -r every capture named is held against every file of expectations; both may be patterns such as
'*.pcap', and a folder stands for the files in it. Without -r a folder is searched for pairs: NAME.pcap (or
.pcapng, .gz, .zst) with NAME.yaml and NAME.ANYTHING.yaml.

Times are those of the packets, so the result does not depend on the machine. The exit code is 0 if all
expectations are fulfilled, 1 if one is not, 2 if something could not be read.

Expectations are YAML, several in a file with --- between them:

  name: a server is listed
  protocol: iceball              # whose messages the steps name
  per: conversation              # or client (address and port), server, capture: each by itself
  filter: udp.port == 27790      # only these messages count
  having: iceball.announce       # only conversations with such a message count
  fulfilled: all                 # or some, or how many of them: 2, 1..3, 1..
  mode: loose                    # between the steps comes nothing that fits one of them;
                                 # strict: nothing at all; open: anything (the first that fits counts)
  sequence:
    - expect: Announce           # a message, or any
      from: client               # or server, peer
      id: announced              # for within, after and until of other steps
      where: players_max > 0     # a filter; names without protocol and message; or a list of them
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
      - time to MSOK p99 < 100ms # what -z PROTOCOL shows: p50, min, max, mean, total, count`

const checkExample = `  gamedissect check -r session.pcap join.yaml
  gamedissect check -r 'captures/*.pcap' expectations
  gamedissect check testdata --junit report.xml
  gamedissect record -r session.pcap -o join.yaml      write one from a capture`

// checkOptions are what the command line of check asks for.
type checkOptions struct {
	dissect dissectOptions
	junit   string
	sarif   string
	all     bool
}

// newCheck makes the command that holds captures against expectations.
func newCheck(std streams) *cobra.Command {
	var o checkOptions
	c := &cobra.Command{
		Use:     "check [-r FILE]... EXPECTATIONS|FOLDER...",
		Short:   "hold captures against expected sequences of messages",
		Long:    checkLong,
		Example: checkExample,
		RunE:    func(_ *cobra.Command, args []string) error { return o.run(std, args) },
	}
	o.dissect.inputFlags(c)
	o.dissect.decodeFlags(c)
	f := c.Flags()
	f.StringVarP(&o.dissect.form, "type", "T", "text", "`FORM` of the report: text or json (an object for each capture and expectation)")
	f.BoolVarP(&o.dissect.quiet, "quiet", "q", false, "report only what is not fulfilled")
	f.BoolVarP(&o.all, "verbose", "V", false, "show every conversation, not the first few that fail")
	f.StringVar(&o.junit, "junit", "", "write a JUnit report to `FILE`")
	f.StringVar(&o.sarif, "sarif", "", "write a SARIF report to `FILE`")
	f.StringVar(&o.dissect.color, "color", "auto", "`WHEN` to colour the output: auto, always or never; NO_COLOR is honoured")
	must(c.RegisterFlagCompletionFunc("type", cobra.FixedCompletions([]string{"text", "json"}, cobra.ShellCompDirectiveNoFileComp)))
	must(c.RegisterFlagCompletionFunc("color", cobra.FixedCompletions([]string{"auto", "always", "never"}, cobra.ShellCompDirectiveNoFileComp)))
	must(c.MarkFlagFilename("junit", "xml"))
	must(c.MarkFlagFilename("sarif", "sarif", "json"))
	return c
}

// errExpectations is the error of expectations that are not fulfilled. Which is shown already.
var errExpectations = errors.New("expectations are not fulfilled")

// A pair is a capture and the files of expectations that it is held against.
type pair struct {
	capture      string
	expectations []string
}

// outcome is how a capture stands to the expectations.
type outcome struct {
	capture string
	results []*expect.Result
}

func (o *checkOptions) run(std streams, args []string) error {
	if !slices.Contains([]string{"text", "json"}, o.dissect.form) {
		return oneOf("-T", o.dissect.form, []string{"text", "json"})
	}
	t, err := o.dissect.terminal(std)
	if err != nil {
		return err
	}
	pairs, trouble := o.pairs(args, std.err)
	if trouble != nil {
		return trouble
	}
	schema := newSchema()
	loaded := make(map[string][]*expect.Expectation)
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
	if trouble != nil {
		return trouble
	}
	if err := o.spares(pairs); err != nil {
		return err
	}
	if _, err := newDisplay(schema, o.dissect.filter); err != nil {
		return err
	}
	if err := o.dissect.packets.check(true); err != nil {
		return err
	}
	stop := onInterrupt()
	defer stop.release()
	out := newOutput(std.out, t.width)
	out.eager = true
	rep := &report{out: out, style: styleFor(t), quiet: o.dissect.quiet, all: o.all, github: os.Getenv("GITHUB_ACTIONS") == "true"}
	for _, p := range pairs {
		var list []*expect.Expectation
		for _, name := range p.expectations {
			list = append(list, loaded[name]...)
		}
		results, err := o.capture(std, p.capture, list, schema, stop)
		trouble = errors.Join(trouble, err)
		if results != nil {
			rep.add(o.dissect.form, outcome{p.capture, results})
		}
		if out.err != nil || stop.flag.Load() {
			break
		}
	}
	trouble = errors.Join(trouble, rep.end(o.dissect.form), writeReport(o.junit, rep.outcomes, junit), writeReport(o.sarif, rep.outcomes, sarif))
	if trouble == nil && rep.failed > 0 {
		return errExpectations
	}
	return trouble
}

// loadExpectations reads a file of expectations; - is not one, it would be the capture's.
func loadExpectations(name string, schema *filter.Schema) ([]*expect.Expectation, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, expect.MaxFile+1))
	if err != nil {
		return nil, err
	}
	return expect.Load(name, text, schema)
}

// capture holds one capture against expectations. What could be read of one that is broken counts.
func (o *checkOptions) capture(std streams, name string, list []*expect.Expectation, schema *filter.Schema, stop *interrupt) ([]*expect.Result, error) {
	engine, err := o.dissect.engine()
	if err != nil {
		return nil, err
	}
	files, trouble := open([]string{name}, std.in, stop)
	if len(files) == 0 {
		return nil, trouble
	}
	defer closeAll(files)
	shows, err := newDisplay(schema, o.dissect.filter)
	if err != nil {
		return nil, err
	}
	c := &clock{form: "r"}
	check := expect.NewCheck(list, expect.Options{Line: newLiner(c)})
	engine.Message = func(m *decode.Message) {
		show := shows.message(m)
		shows.release(m, show, check.Value)
		if show {
			check.Message(shows.now)
		}
	}
	engine.Finding = func(f *wire.TrafficFinding) {
		if shows.finding(f) {
			check.Finding(shows.now)
		}
	}
	engine.Value = func(v *wire.Value) { shows.value(v, check.Value) }
	e := decode.New(engine)
	p := &pump{from: capture.Merge(files...), engine: e, stop: stop, count: o.dissect.count, start: func(packet *capture.Packet) {
		c.start(packet.Time)
		shows.packet(packet.Time)
	}}
	p.wanted = o.dissect.packets.wanted(func(err error) { complain(std.err, err) })
	err = p.run()
	shows.release(nil, false, check.Value)
	return check.Close(), errors.Join(err, unreadLinks(e.Counters()))
}

// newLiner makes what writes a message in a line, without colours.
func newLiner(c *clock) func(*decode.Message) string {
	lines := &lineWriter{out: newOutput(io.Discard, 0), clock: c, columns: narrowest}
	return func(m *decode.Message) string {
		lines.out.buf = lines.out.buf[:0]
		lines.line(m, true)
		return string(lines.out.buf)
	}
}

// pairs finds what is to be held against what.
func (o *checkOptions) pairs(args []string, warn io.Writer) ([]pair, error) {
	if len(args) == 0 {
		return nil, errors.New("nothing to expect: name files of expectations, or a folder (see gamedissect check --help)")
	}
	if len(o.dissect.read) == 0 {
		return folderPairs(args, warn)
	}
	captures, err := expand(o.dissect.read, isCapture)
	if err != nil {
		return nil, err
	}
	if n := count(captures, "-"); n > 1 {
		return nil, fmt.Errorf("-r -: standard input can be read once, not %d times", n)
	}
	expectations, err := expand(args, isExpectation)
	if err != nil {
		return nil, err
	}
	var list []pair
	for _, c := range captures {
		list = append(list, pair{c, expectations})
	}
	return list, nil
}

func isExpectation(name string) bool {
	ext := filepath.Ext(name)
	return ext == ".yaml" || ext == ".yml"
}

// stem is a capture's name without what says that it is one; ok is false for other files.
func stem(name string) (s string, ok bool) {
	s = strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
	for _, ext := range []string{".pcap", ".pcapng", ".cap"} {
		if s, ok := strings.CutSuffix(s, ext); ok {
			return s, true
		}
	}
	return "", false
}

func isCapture(name string) bool {
	_, ok := stem(name)
	return ok
}

// expand turns patterns into the files they fit, and folders into the files in them that are wanted.
func expand(names []string, wanted func(string) bool) ([]string, error) {
	var list []string
	for _, name := range names {
		info, err := os.Stat(name)
		switch {
		case name == "-" || err == nil && !info.IsDir():
			list = append(list, name)
			continue
		case err == nil:
			found, err := inFolder(name, wanted)
			if err != nil {
				return nil, err
			}
			list = append(list, found...)
			continue
		}
		found, bad := filepath.Glob(name)
		switch {
		case bad != nil || len(found) == 0 && strings.ContainsAny(name, "*?["):
			return nil, fmt.Errorf("%s: no file fits this pattern", name)
		case len(found) == 0:
			found = []string{name} // whoever opens it will say what is wrong
		}
		list = append(list, found...)
	}
	return list, nil
}

func inFolder(folder string, wanted func(string) bool) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, e := range entries {
		if !e.IsDir() && wanted(e.Name()) {
			list = append(list, filepath.Join(folder, e.Name()))
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: there is nothing to use in this folder", folder)
	}
	return list, nil
}

// folderPairs finds captures and expectations of the same name.
func folderPairs(folders []string, warn io.Writer) ([]pair, error) {
	var list []pair
	for _, folder := range folders {
		if info, err := os.Stat(folder); err != nil {
			return nil, err
		} else if !info.IsDir() {
			return nil, fmt.Errorf("%s is no folder: name the capture with -r FILE", folder)
		}
		captures, err := inFolder(folder, isCapture)
		if err != nil {
			return nil, err
		}
		expectations, err := inFolder(folder, isExpectation)
		if err != nil {
			return nil, err
		}
		used := make(map[string]bool)
		for _, c := range captures {
			p := pair{capture: c}
			base, _ := stem(c)
			for _, e := range expectations {
				if name := strings.TrimSuffix(e, filepath.Ext(e)); name == base || strings.HasPrefix(name, base+".") {
					p.expectations = append(p.expectations, e)
					used[e] = true
				}
			}
			if p.expectations == nil {
				fmt.Fprintf(warn, "gamedissect: %s has no expectations, and is left out\n", appendPlain(nil, c))
				continue
			}
			list = append(list, p)
		}
		for _, e := range expectations {
			if !used[e] {
				return nil, fmt.Errorf("%s: there is no capture of this name, so nothing would be held against it", e)
			}
		}
	}
	return list, nil
}
