package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/google/gopacket/pcapgo"
)

// A row is a program that reads a capture.
type row struct {
	name    string
	inputs  []string // names of those it runs on unless it is asked for; nil: all
	command func(p programs, file string) []string
}

// rows lists what is measured. The first is the yardstick for all others.
var rows = []row{
	{"bare loop", nil, func(p programs, file string) []string { return []string{p.self, "--bare-loop", file} }},
	gamedissect("-q"),
	gamedissect("-T", "line").on("bzflag-50.pcap", "bzflag-500.pcap", "games-66.pcap", "clients-750.pcap"),
	gamedissect("-T", "json").on("tribes.pcap", "bzflag-50.pcap", "games-66.pcap", "clients-750.pcap"),
	gamedissect("-T", "tree").on("tribes.pcap", "games-66.pcap", "clients-750.pcap"),
}

// gamedissect is the row of the program with some arguments, on all inputs.
func gamedissect(args ...string) row {
	return row{
		name:    "gamedissect " + strings.Join(args, " "),
		command: func(p programs, file string) []string { return append([]string{p.gamedissect, "-r", file}, args...) },
	}
}

// on gives the row for some of the inputs.
func (r row) on(inputs ...string) row {
	r.inputs = inputs
	return r
}

// chooseRows gives the yardstick and the rows whose name matches a regular expression. Rows that
// are asked for by one run on all inputs.
func chooseRows(only string) ([]row, error) {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return nil, fmt.Errorf("--only: %w", err)
	}
	chosen := rows[:1:1]
	known := make([]string, 0, len(rows))
	for i, r := range rows {
		known = append(known, r.name)
		if i > 0 && pattern.MatchString(r.name) {
			if only != "" {
				r.inputs = nil
			}
			chosen = append(chosen, r)
		}
	}
	if len(chosen) == 1 && !pattern.MatchString(rows[0].name) {
		return nil, fmt.Errorf("--only %s matches none of the rows: %s", only, strings.Join(known, ", "))
	}
	return chosen, nil
}

// rowsFor gives the rows that run on an input.
func rowsFor(rows []row, input string) []row {
	return slices.DeleteFunc(slices.Clone(rows), func(r row) bool {
		return r.inputs != nil && !slices.Contains(r.inputs, input)
	})
}

// programs are the files that rows run.
type programs struct {
	self        string
	gamedissect string
}

// findPrograms builds gamedissect beside the captures, and finds this program itself.
func findPrograms(ctx context.Context, s *store) (p programs, err error) {
	if p.self, err = os.Executable(); err != nil {
		return p, fmt.Errorf("this program cannot find itself: %w", err)
	}
	if err := s.prepare(); err != nil {
		return p, err
	}
	p.gamedissect = filepath.Join(s.dir, "gamedissect")
	if runtime.GOOS == "windows" {
		p.gamedissect += ".exe"
	}
	s.progress.Print("building gamedissect")
	build := exec.CommandContext(ctx, "go", "build", "-o", p.gamedissect,
		"github.com/gamedissect/gamedissect/cmd/gamedissect")
	if text, err := build.CombinedOutput(); err != nil {
		return p, fmt.Errorf("gamedissect cannot be built (%w): %s", err, strings.TrimSpace(string(text)))
	}
	return p, nil
}

// bareLoop reads every packet with gopacket's reader, in the fastest way it has, and does
// nothing with them. Files that are compressed it only decompresses.
func bareLoop(file string, out io.Writer) error {
	if packed(file) {
		return unpack(file, out)
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read: nothing can be lost
	r, err := pcapgo.NewReader(bufio.NewReaderSize(f, 1<<20))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for packets := int64(0); ; packets++ {
		switch _, _, err := r.ZeroCopyReadPacketData(); err {
		case nil:
		case io.EOF:
			_, err := fmt.Fprintln(out, thousands(packets), "packets")
			return err
		default:
			return fmt.Errorf("%s: after %d packets: %w", file, packets, err)
		}
	}
}
