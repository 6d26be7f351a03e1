// Command bench tests gamedissect with large captures and with broken ones. It makes both from captures of real
// programs. It must run in the folder tools:
//
//	go run ./bench measure games-66
//
// Measurements of single functions are Go benchmarks in the packages. bench/benchstat.sh compares them between two
// commits.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/spf13/pflag"
)

const usage = `bench loads gamedissect with large and with broken captures.

Usage:
  bench measure [INPUT ...]       run the program on inputs and print time and memory
  bench peers [INPUT ...]         compare -q with gopacket, capinfos, tcpdump, and tshark
  bench concerns [INPUT ...]      print the time and memory of each step of -q
  bench make INPUT FILE           write an input to a pcap file
  bench profile FILE              write a CPU profile of all inputs, for the compiler
  bench copies N FROM TO          write N simultaneous copies of a capture, each with its own hosts
  bench check N [FOLDER]          compare N copies of each capture with the capture itself
  bench mutants N [FOLDER]        run every command of the program on N broken captures
  bench soak N [FOLDER]           pass N packets to the program and print its memory use

FOLDER has captures; the default is testdata/pcap.

Inputs:
`

// options are the options of all commands.
type options struct {
	root   string // root folder of the repository
	size   int64  // size of an input in bytes
	rounds int
	memory int // megabytes, for soak
	out    io.Writer
	log    *log.Logger
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, log.New(os.Stderr, "", 0))
	stop()
	if err != nil && !errors.Is(err, pflag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
}

// commands lists the commands, with the number of arguments of each.
var commands = map[string]struct {
	min, max int
	run      func(context.Context, *options, []string) error
}{
	"measure": {0, len(inputs), measure},
	"make":    {2, 2, makeInput},
	"profile": {1, 1, profile},
	"copies":  {3, 3, writeCopies},
	"check":   {1, 2, checkCopies},
	"mutants": {1, 2, testMutants},
	"soak":    {1, 2, soakProgram},
	"read":    {1, 1, readOnly},

	"peers":   {0, len(inputs), measurePeers},
	"parser":  {1, 1, runParser},
	"packets": {1, 1, runPackets},

	"concerns": {0, len(inputs), measureConcerns},
	"concern":  {2, 3, runConcern},
}

// run runs the command that the arguments name.
func run(ctx context.Context, args []string, out io.Writer, progress *log.Logger) error {
	o := &options{out: out, log: progress}
	f := pflag.NewFlagSet("bench", pflag.ContinueOnError)
	f.Usage = func() {
		text := []byte(usage)
		for _, in := range inputs {
			text = fmt.Appendf(text, "  %-16s %s\n", in.name, in.about)
		}
		_, _ = fmt.Fprintf(out, "%s\nFlags:\n%s", text, f.FlagUsages())
	}
	megabytes := f.Int64("size", 200, "size of each input in `MB`")
	f.IntVar(&o.rounds, "rounds", 5, "run everything `N` times, after one round that is not timed")
	f.IntVar(&o.memory, "memory", 0, "with soak: pass --memory `MB` to the program")
	f.StringVar(&o.root, "root", "..", "`FOLDER` of the repository")
	if err := f.Parse(args); err != nil {
		return err
	}
	o.size = *megabytes * 1e6
	c, ok := commands[f.Arg(0)]
	if !ok || f.NArg()-1 < c.min || f.NArg()-1 > c.max {
		return fmt.Errorf("%q is not a command with its arguments (see --help)", f.Args())
	}
	if o.size < 1 || o.rounds < 1 || o.memory < 0 {
		return errors.New("--size, --rounds and --memory must be positive numbers")
	}
	return c.run(ctx, o, f.Args()[1:])
}

// captures is the folder with the captures for the program's tests.
func (o *options) captures() string { return filepath.Join(o.root, "testdata", "pcap") }

// numberAndFolder reads the arguments N [FOLDER].
func (o *options) numberAndFolder(args []string) (n int, dir string, err error) {
	if n, err = strconv.Atoi(args[0]); err != nil || n < 1 {
		return 0, "", fmt.Errorf("%q is not a number above 0", args[0])
	}
	if len(args) > 1 {
		return n, args[1], nil
	}
	return n, o.captures(), nil
}
