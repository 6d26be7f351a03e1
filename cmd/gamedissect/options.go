package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
)

// dissectOptions are what the command line asks for.
type dissectOptions struct {
	input      inputOptions
	decode     decodeOptions
	text       textOptions
	findings   findingOptions
	statistics statisticsOptions
	listen     string // where metrics are served; "": nowhere
	color      string
	profile    string // file for a CPU profile; "": none
	numeric    bool
	live       liveOptions
	write      writeOptions
}

func (o *dissectOptions) flags(c *cobra.Command) {
	f := c.Flags()
	o.input.flags(c)
	o.decode.flags(c)
	o.text.flags(c)
	o.findings.flags(c)
	o.statistics.flags(c)
	f.StringVar(&o.listen, "metrics", "", "serve metrics to Prometheus at `ADDRESS` while packets are read: "+
		"127.0.0.1:9744; :9744 is for everybody")
	colourFlag(c, &o.color)
	f.BoolVarP(&o.text.eager, "line-buffered", "l", false, "write after every packet")
	f.Var((*fileName)(&o.profile), "cpuprofile", "write a CPU profile to `FILE`, for go tool pprof")
	must(f.MarkHidden("cpuprofile"))
	f.BoolVarP(&o.numeric, "numeric", "n", false, "resolve no names; always the case, accepted for habit")
	completeWith(c, "metrics", "127.0.0.1:9744", "[::1]:9744", ":9744")
}

// check finds what makes no sense, before any packet is read.
func (o *dissectOptions) check() error {
	if o.write.name == "-" && (!o.text.settled("none") || len(o.statistics.tables) > 0 || o.statistics.file == "-") {
		return errors.New("-w -: standard output is taken, nothing else can be printed there")
	}
	if o.text.form != "" && !slices.Contains(forms, o.text.form) {
		return oneOf("-T", o.text.form, forms)
	}
	o.text.settle(o.write.name != "")
	if err := o.live.check(); err != nil {
		return err
	}
	o.decode.reading.memory.shared = o.live.shared()
	switch form := o.text.form; {
	case o.decode.mask && o.write.name != "":
		return errors.New("-w writes packets as they are, --mask-secrets hides nothing there; gamedissect anonymize writes " +
			"captures to be shared")
	case len(o.input.names) == 0 && !o.live.given():
		return errNothing
	case len(o.input.names) > 0 && o.live.given():
		return errors.New("-i and -r: packets come from an interface or from files, not from both")
	case o.text.times != "" && !slices.Contains(timeForms, o.text.times):
		return oneOf("-t", o.text.times, timeForms)
	case form == "none" && len(o.text.fields.names) > 0:
		return errors.New("-e: it says what is shown of messages, of which -q and -T none show none")
	case !o.text.columns() && len(o.text.fields.names) > 0:
		return errors.New("-e: name fields with -T fields or -T csv")
	case o.text.tables != "fields" && o.text.tables != "csv" && len(o.text.fields.options) > 0:
		return errors.New("-E: it says how -T fields and -T csv write values")
	case form == "fields" && len(o.text.fields.names) == 0:
		return errors.New("-T fields: name the fields with -e FIELD (gamedissect fields lists them)")
	case len(o.statistics.tables) > 0 && o.statistics.file == "-":
		return errors.New("-z: standard output is taken by --stats -; name a file")
	case o.statistics.file == "-" && o.text.forPrograms():
		return fmt.Errorf("--stats -: standard output is taken by -T %s; name a file", form)
	}
	for _, check := range []func() error{
		o.input.checkCount,
		o.write.check,
		o.statistics.check,
		func() error { return o.decode.packets.check(len(o.input.names) > 0) },
		func() error { return readOnce(o.input.names) },
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}
