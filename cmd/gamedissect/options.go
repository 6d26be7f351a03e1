package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers"
)

// dissectOptions are what the command line asks for.
type dissectOptions struct {
	read     []string
	form     string
	quiet    bool
	all      bool
	bytes    bool
	flush    bool
	numeric  bool
	count    int64
	times    string
	color    string
	dialect  string
	mask     bool
	decodeAs []string
	rules    string
	severity string
	failOn   string
	tables   []string
	stats    string
	listen   string // where metrics are served; "": nowhere
	profile  string // file for a CPU profile; "": none
	filter   string
	fields   fieldOptions
	live     liveOptions
	write    writeOptions
	packets  packetOptions

	only   func(*wire.Place) bool // nil: everything
	raw    func(wire.Place, wire.Direction, []byte)
	silent bool // print no totals
	to     sink // instead of the form; may be nil

	metrics *metrics // nil: none
}

var forms = []string{"tree", "line", "json", "fields", "csv", "none"}

func (o *dissectOptions) flags(c *cobra.Command) {
	f := c.Flags()
	o.inputFlags(c)
	o.decodeFlags(c)
	f.StringVarP(&o.form, "type", "T", "", "`FORM` of the output: tree, line, json, fields, csv or none; tree unless -w is given")
	o.fields.flags(c)
	f.BoolVarP(&o.quiet, "quiet", "q", false, "totals only, the same as -T none")
	f.BoolVarP(&o.all, "verbose", "V", false, "fold nothing: every entry of every list, all bytes")
	f.BoolVarP(&o.bytes, "hex", "x", false, "show the bytes beside the tree")
	f.StringVarP(&o.times, "time", "t", "r", "`FORM` of times: a time of day, ad with date, d since the message before, e since 1970, r since the first packet, u UTC, ud with date")
	f.StringVar(&o.rules, "rules", "", "show only findings of the `RULES` that patterns name: 'tribes.*,-tribes.underfilled'")
	f.StringVar(&o.severity, "severity", "note", "show only findings of this `SEVERITY` or above: note, warning or error")
	f.StringVar(&o.failOn, "fail-on", "", "exit with 1 if a finding of this `SEVERITY` or above is shown")
	f.StringArrayVarP(&o.tables, "statistics", "z", nil, "show the statistics `TABLE` instead of totals; help lists them; may repeat")
	f.StringVar(&o.stats, "stats", "", "write all statistics as JSON to `FILE`; - is standard output, instead of totals")
	f.StringVar(&o.listen, "metrics", "", "serve metrics to Prometheus at `ADDRESS` while packets are read: 127.0.0.1:9744; :9744 is for everybody")
	f.StringVar(&o.color, "color", "auto", "`WHEN` to colour the output: auto, always or never; NO_COLOR is honoured")
	f.BoolVarP(&o.flush, "line-buffered", "l", false, "write after every packet")
	f.StringVar(&o.profile, "cpuprofile", "", "write a CPU profile to `FILE`, for go tool pprof")
	must(f.MarkHidden("cpuprofile"))
	f.BoolVarP(&o.numeric, "numeric", "n", false, "resolve no names; always the case, accepted for habit")
	complete := func(values ...string) cobra.CompletionFunc {
		return cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	}
	must(c.RegisterFlagCompletionFunc("type", complete(forms...)))
	must(c.RegisterFlagCompletionFunc("time", complete(timeForms...)))
	must(c.RegisterFlagCompletionFunc("color", complete("auto", "always", "never")))
	must(c.RegisterFlagCompletionFunc("severity", complete(severityNames...)))
	must(c.RegisterFlagCompletionFunc("fail-on", complete(severityNames...)))
	must(c.RegisterFlagCompletionFunc("statistics", complete(append(namedTables, "help")...)))
	must(c.RegisterFlagCompletionFunc("metrics", complete("127.0.0.1:9744", "[::1]:9744", ":9744")))
	must(c.MarkFlagFilename("stats", "json"))
}

// inputFlags are those of all commands that read packets.
func (o *dissectOptions) inputFlags(c *cobra.Command) {
	f := c.Flags()
	f.SortFlags = false
	f.StringArrayVarP(&o.read, "read", "r", nil, "read packets from `FILE`, - is standard input; several come in time order")
	f.Int64VarP(&o.count, "count", "c", 0, "stop after `N` packets")
	must(c.MarkFlagFilename("read", "pcap", "pcapng", "cap", "gz", "zst"))
	o.times, o.color, o.dialect, o.severity = "r", "auto", "wire", "note"
}

// decodeFlags are those of all commands that look at messages.
func (o *dissectOptions) decodeFlags(c *cobra.Command) {
	f := c.Flags()
	o.packets.flags(c)
	f.StringVarP(&o.filter, "display-filter", "Y", "", "look only at what the `FILTER` is true of, as in Wireshark: 'tribes && udp.port == 28000'")
	f.StringArrayVarP(&o.decodeAs, "decode-as", "d", nil, "`PORT,PROTOCOL`: take the traffic of a port for a protocol (udp.port==7000,tribes); may repeat")
	f.StringVar(&o.dialect, "dialect", "wire", "whose `READING` holds where the bytes cannot tell: wire (real programs) or document")
	f.BoolVar(&o.mask, "mask-secrets", false, "show asterisks for passwords and tokens, among the bytes as well")
	must(c.RegisterFlagCompletionFunc("display-filter", completeNames))
	must(c.RegisterFlagCompletionFunc("dialect", cobra.FixedCompletions([]string{"wire", "document"}, cobra.ShellCompDirectiveNoFileComp)))
}

// must is for errors that only a mistake in this program can cause.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// check finds what makes no sense, before any packet is read.
func (o *dissectOptions) check() error {
	if err := o.settleForm(); err != nil {
		return err
	}
	if err := o.live.check(); err != nil {
		return err
	}
	switch {
	case o.mask && o.write.name != "":
		return errors.New("-w writes packets as they are, --mask-secrets hides nothing there; gamedissect anonymize writes captures to be shared")
	case len(o.read) == 0 && o.live.name == "":
		return errNothing
	case len(o.read) > 0 && o.live.name != "":
		return errors.New("-i and -r: packets come from an interface or from files, not from both")
	case !slices.Contains(forms, o.form):
		return oneOf("-T", o.form, forms)
	case !slices.Contains(timeForms, o.times):
		return oneOf("-t", o.times, timeForms)
	case o.form != "fields" && o.form != "csv" && len(o.fields.names) > 0:
		return errors.New("-e: name fields with -T fields or -T csv")
	case o.form == "fields" && len(o.fields.names) == 0:
		return errors.New("-T fields: name the fields with -e FIELD (gamedissect fields lists them)")
	case len(o.tables) > 0 && (o.stats == "-" || !slices.Contains([]string{"tree", "line", "none"}, o.form)):
		return errors.New("-z: tables go with -T tree and line, or alone with -q; --stats FILE writes all of them as JSON")
	case o.stats == "-" && !slices.Contains([]string{"tree", "line", "none"}, o.form):
		return fmt.Errorf("--stats -: standard output is taken by -T %s; name a file", o.form)
	case o.count < 0:
		return fmt.Errorf("-c %d: the number of packets cannot be negative", o.count)
	}
	if err := o.write.check(o.read); err != nil {
		return err
	}
	if err := capture.SameFile(o.stats, o.read); err != nil {
		return err
	}
	if err := o.packets.check(len(o.read) > 0); err != nil {
		return err
	}
	if err := checkStatistics(o.tables); err != nil {
		return err
	}
	if n := count(o.read, "-"); n > 1 {
		return fmt.Errorf("-r -: standard input can be read once, not %d times", n)
	}
	return nil
}

// settleForm finds the form of the output where none is named.
func (o *dissectOptions) settleForm() error {
	switch {
	case o.write.name == "-" && (o.form != "" && o.form != "none" || len(o.tables) > 0 || o.stats == "-"):
		return errors.New("-w -: standard output is taken, nothing else can be printed there")
	case o.quiet || o.form == "" && o.write.name != "":
		o.form = "none"
	case o.form == "":
		o.form = "tree"
	}
	o.silent = o.silent || o.write.name == "-"
	return nil
}

func oneOf(flag, got string, want []string) error {
	return fmt.Errorf("%s %s: choose one of %s", flag, got, strings.Join(want, ", "))
}

func count(list []string, what string) int {
	n := 0
	for _, s := range list {
		if s == what {
			n++
		}
	}
	return n
}

// engine gives the engine's share of the options.
func (o *dissectOptions) engine() (decode.Options, error) {
	e := decode.Options{Protocols: o.packets.chosen, MaskSecrets: o.mask}
	if e.Protocols == nil {
		e.Protocols = layers.All()
	}
	switch o.dialect {
	case "wire":
	case "document":
		e.Dialect = wire.Document
	default:
		return e, oneOf("--dialect", o.dialect, []string{"wire", "document"})
	}
	for _, s := range o.decodeAs {
		as, err := parseDecodeAs(s)
		if err != nil {
			return e, err
		}
		e.DecodeAs = append(e.DecodeAs, as)
	}
	return e, nil
}

// parseDecodeAs reads "udp.port==6970,bloodmasters".
func parseDecodeAs(s string) (decode.DecodeAs, error) {
	var as decode.DecodeAs
	where, name, ok := strings.Cut(s, ",")
	field, port, ok2 := strings.Cut(where, "==")
	if !ok || !ok2 || strings.TrimSpace(field) != "udp.port" {
		return as, fmt.Errorf("-d %s: the form is udp.port==PORT,PROTOCOL", s)
	}
	n, err := strconv.ParseUint(strings.TrimSpace(port), 10, 16)
	if err != nil || n == 0 {
		return as, fmt.Errorf("-d %s: %q is no port", s, port)
	}
	as.Port = uint16(n)
	as.Protocol = layers.ByName(strings.TrimSpace(name))
	if as.Protocol == nil {
		var known []string
		for _, p := range layers.All() {
			known = append(known, p.Name)
		}
		return as, oneOf("-d "+s+":", name, known)
	}
	return as, nil
}

// terminal describes where the output goes.
type terminal struct {
	is    bool
	width int // columns; 0: do not cut
	color bool
}

func (o *dissectOptions) terminal(std streams) (terminal, error) {
	var t terminal
	if f, ok := std.out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		t.is = true
		if w, _, err := term.GetSize(int(f.Fd())); err == nil {
			t.width = w
		}
	}
	switch o.color {
	case "auto":
		t.color = t.is && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	case "always":
		t.color = true
	case "never":
	default:
		return t, oneOf("--color", o.color, []string{"auto", "always", "never"})
	}
	return t, nil
}
