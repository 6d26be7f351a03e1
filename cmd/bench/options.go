package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

const usage = `bench measures gamedissect on generated captures.

Every row of the table is a whole process. The rows take turns, round after round, so that
whatever disturbs the machine disturbs all of them. Compare the ratios: seconds mean nothing
on another machine.

Usage:
  go run ./cmd/bench [flags]

Examples:
  go run ./cmd/bench                          the usual rows on all captures, 200 MB each
  go run ./cmd/bench --size 1GB --rounds 9    takes longer and is less noisy
  go run ./cmd/bench --only 'tree|json'       the bare loop and two rows, also where they are not usual
  go run ./cmd/bench --input bzflag-500       one of the captures
  go run ./cmd/bench --generate --dir /tmp/x  only make the captures, for other tools
  go run ./cmd/bench --soak 50000000          does memory stay the same, whoever comes?
  go run ./cmd/bench --copies 100 --read a.pcap --write b.pcap
                                              a hundred times the same traffic, side by side
  go run ./cmd/bench --check-copies 250       have 250 copies 250 times the messages, findings and values?
  go run ./cmd/bench --mutants 20000          does anything that is broken on purpose break the program?
  go run ./cmd/bench --fill cmd/bench/RESULTS.md
                                              measure all that the results show again

Flags:
`

// options are what the command line asks for.
type options struct {
	size     size
	rounds   int
	dir      string
	only     string
	input    string
	generate bool
	bareLoop string
	profile  string
	soak     int64
	captures string
	engine   bool
	copies   int
	read     string
	write    string
	equal    int
	memory   int
	mutants  int
	fill     string
}

// parse reads the arguments.
func parse(args []string, help io.Writer) (*options, error) {
	o := &options{size: 200e6}
	f := pflag.NewFlagSet("bench", pflag.ContinueOnError)
	f.SortFlags = false
	f.Usage = func() { _, _ = io.WriteString(help, usage+f.FlagUsages()) }
	f.Var(&o.size, "size", "`SIZE` of each capture, such as 50MB or 1GB")
	f.IntVar(&o.rounds, "rounds", 5, "run every row `N` times, after one round that is not timed")
	f.StringVar(&o.dir, "dir", "", "`FOLDER` for the captures, which are kept (default: gamedissect-bench in the user's "+
		"cache)")
	f.StringVar(&o.only, "only", "", "run only the rows whose name matches `REGEX`, besides the bare loop")
	f.StringVar(&o.input, "input", "", "run only on the capture `NAME`")
	f.BoolVar(&o.generate, "generate", false, "make the captures and stop")
	f.StringVar(&o.profile, "profile", "", "write a CPU profile of all rows to `FILE`, for the compiler, and stop")
	f.Int64Var(&o.soak, "soak", 0, "give the program `N` packets of real captures, and print its memory meanwhile")
	f.IntVar(&o.memory, "memory", 0, "with --soak: remember no more than `N` megabytes of the traffic (default: the "+
		"program's own)")
	f.BoolVar(&o.engine, "engine", false, "with --soak: an engine and its trackers alone, which keep no statistics")
	f.IntVar(&o.equal, "check-copies", 0, "compare `N` copies of each capture, side by side, with the capture, and stop")
	f.IntVar(&o.mutants, "mutants", 0, "give `N` mutants of the captures to every form of the program, and print what it "+
		"needed at most")
	f.StringVar(&o.captures, "captures", "testdata/pcap", "`FOLDER` of real captures, for --check-copies, --mutants, "+
		"--soak and some of the inputs")
	f.IntVar(&o.copies, "copies", 0, "write `N` copies of a capture side by side, each between hosts of its own, and stop")
	f.StringVar(&o.read, "read", "", "with --copies: the capture `FILE`, pcap or pcapng; - is standard input")
	f.StringVar(&o.write, "write", "", "with --copies: the pcap `FILE` to write; - is standard output")
	f.StringVar(&o.fill, "fill", "", "run the commands that the page `FILE` names, or those that --only matches, and "+
		"write "+
		"there what they print")
	f.StringVar(&o.bareLoop, "bare-loop", "", "be the bare loop on `FILE`")
	_ = f.MarkHidden("bare-loop") // fails only for a flag that is not there
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	return o, o.check(f.Args())
}

// check finds what makes no sense, and chooses the folder if nobody did.
func (o *options) check(rest []string) error {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("%q: only flags belong here (see --help)", rest[0])
	case o.soak < 0:
		return fmt.Errorf("--soak %d: the number of packets cannot be negative", o.soak)
	case o.copies < 0:
		return fmt.Errorf("--copies %d: the number of copies cannot be negative", o.copies)
	case o.memory < 0:
		return fmt.Errorf("--memory %d: the number of megabytes cannot be negative", o.memory)
	case o.mutants < 0:
		return fmt.Errorf("--mutants %d: the number of mutants cannot be negative", o.mutants)
	case o.equal < 0:
		return fmt.Errorf("--check-copies %d: the number of copies cannot be negative", o.equal)
	case (o.copies > 0) != (o.read != "") || (o.copies > 0) != (o.write != ""):
		return errors.New("--copies, --read and --write belong together")
	case o.rounds < 1:
		return fmt.Errorf("--rounds %d: one round is the least", o.rounds)
	case o.dir != "":
		return nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return fmt.Errorf("the user has no cache folder (%w): name one with --dir", err)
	}
	o.dir = filepath.Join(cache, "gamedissect-bench")
	return nil
}

// size is a number of bytes, written with a unit on the command line.
type size int64

var units = []struct {
	name  string
	bytes float64
}{{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1}}

const (
	minSize = 100e3 // less is all start-up
	maxSize = 1e12
)

// String implements pflag.Value.
func (s *size) String() string { return strings.ReplaceAll(formatSize(int64(*s)), " ", "") }

// Type implements pflag.Value.
func (*size) Type() string { return "size" }

// Set implements pflag.Value.
func (s *size) Set(text string) error {
	for _, u := range units {
		number, ok := strings.CutSuffix(strings.ToUpper(text), strings.ToUpper(u.name))
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil {
			return fmt.Errorf("%q is no number", number)
		}
		if n *= u.bytes; !(n >= minSize && n <= maxSize) { // not a number is neither
			return fmt.Errorf("choose from %s to %s", formatSize(minSize), formatSize(maxSize))
		}
		*s = size(n)
		return nil
	}
	return fmt.Errorf("write it with a unit: kB, MB or GB")
}

// formatSize writes a number of bytes with at most one decimal.
func formatSize(n int64) string {
	for _, u := range units {
		if float64(n) >= u.bytes {
			text := strconv.FormatFloat(float64(n)/u.bytes, 'f', 1, 64)
			return strings.TrimSuffix(text, ".0") + " " + u.name
		}
	}
	return "0 B"
}
