// Command gamedissect-beam dissects archives of captures with Apache Beam, on one machine or on a cluster that runs
// Beam's pipelines.
//
//	gamedissect-beam --input 'archive/*' --output out
//
// Its output is that of gamedissect export for the same files, but with several files for each table. docs/beam.md
// explains how to run it.
//
// The command is a separate module, so gamedissect does not depend on Beam. It must not interpret packets, messages or
// tables, because that is the task of the engine and its packages.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
)

// list is a flag that may be given several times.
type list []string

func (l *list) String() string { return strings.Join(*l, " ") }

func (l *list) Set(text string) error {
	*l = append(*l, text)
	return nil
}

// define defines the flags of the command line that are not Beam's.
func define(o *options) {
	flag.Var((*list)(&o.Inputs), "input",
		"read the capture files that match a `PATTERN`, such as gs://bucket/2026/*.pcap.zst; may be given several times")
	flag.StringVar(&o.Output, "output", "", "write to the folder `DIR`")
	flag.StringVar(&o.Sensor, "sensor", "", "a `REGEXP` that finds the name of a file's sensor in its path: the first "+
		"group or, without groups, the whole match; none: all files are from one sensor")
	flag.StringVar(&o.Partition, "partition", "none", "if this is day, make a folder for each day, in UTC")
	flag.Int64Var(&o.ShardPackets, "shard-packets", 400_000,
		"maximum number of packets per engine, unless more packets belong together")
	flag.IntVar(&o.Memory, "memory", 192, "approximate memory of each engine, with its tables and statistics, in `MB`")
	flag.BoolVar(&o.MaskSecrets, "mask-secrets", false, "replace passwords and tokens with asterisks")
	flag.BoolVar(&o.Overwrite, "overwrite", false, "replace the results of an earlier run in the folder")
}

func main() {
	var o options
	define(&o)
	flag.Parse()
	ctx := context.Background()
	if err := becomeWorker(ctx); err != nil {
		fail(err)
	}
	beam.Init() // a worker of a cluster does not return from Init
	if err := o.check(flag.Args()); err != nil {
		fail(err)
	}
	if err := chooseWorkerBinary(); err != nil {
		fail(err)
	}
	if err := o.begin(ctx); err != nil {
		fail(err)
	}
	p, s := beam.NewPipelineWithRoot()
	dissect(s, o)
	if err := beamx.Run(ctx, p); err != nil {
		fail(cause(err))
	}
	summary, err := readReport(ctx, o.Output)
	switch {
	case errors.Is(err, os.ErrNotExist): // no report: a runner may only submit the job
		return
	case err != nil:
		fail(err)
	}
	fmt.Fprintln(os.Stderr, summary)
	if len(summary.Trouble) > 0 {
		os.Exit(2)
	}
}

// cause returns the end of a Beam error, which says what went wrong. Before it, the error has the plan of a stage,
// which Beam also logs.
func cause(err error) error {
	text := err.Error()
	for _, before := range [...]string{"\tcaused by:\n", "] failed:\n"} {
		if at := strings.LastIndex(text, before); at >= 0 {
			text = text[at+len(before):]
		}
	}
	return errors.New(text)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "gamedissect-beam:", err)
	os.Exit(2)
}
