package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// A report is the result of a run. It is written last, so if it exists, all other files are complete.
type report struct {
	Files      int       `json:"files"` // files that were read
	Packets    int64     `json:"packets"`
	Messages   int64     `json:"messages"`
	Shards     int       `json:"shards"`
	Repeated   int64     `json:"packets_repeated"` // packets in several files, counted once
	Statistics []string  `json:"statistics"`
	Trouble    []trouble `json:"trouble"`   // files that could not be read to the end
	Copies     []copied  `json:"copies"`    // files left out because another file has the same packets
	Forgotten  []string  `json:"forgotten"` // what engines dropped because memory ran out
}

type trouble struct {
	File    string `json:"file"`
	Reason  string `json:"reason"`
	Packets int64  `json:"packets_before"`
}

type copied struct {
	File string `json:"file"`
	Of   string `json:"same_packets_as"`
}

// String formats the report in a few lines.
func (r *report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d files, %d packets, %d messages, %d shards", r.Files, r.Packets, r.Messages, r.Shards)
	if r.Repeated > 0 {
		fmt.Fprintf(&b, "; %d packets are in several files, and count once", r.Repeated)
	}
	for _, c := range r.Copies {
		fmt.Fprintf(&b, "\n%q has the same packets as %q, and was left out", c.File, c.Of)
	}
	for _, text := range r.Forgotten {
		fmt.Fprintf(&b, "\nforgotten for lack of memory: %s", text)
	}
	for _, t := range r.Trouble {
		fmt.Fprintf(&b, "\n%q: %s (after %d packets)", t.File, t.Reason, t.Packets)
	}
	return b.String()
}

func reportPath(output string) string { return output + "/report.json" }

func statisticsPath(output, name string) string { return output + "/statistics/" + name }

// readReport reads the report. If there is none, it returns os.ErrNotExist.
func readReport(ctx context.Context, output string) (*report, error) {
	fs, err := filesystem.New(ctx, output)
	if err != nil {
		return nil, err
	}
	defer func() { _ = fs.Close() }() // harmless: only reads
	there, err := fs.List(ctx, reportPath(output))
	if err != nil {
		return nil, err
	}
	if len(there) == 0 {
		return nil, os.ErrNotExist
	}
	text, err := filesystem.Read(ctx, fs, there[0])
	if err != nil {
		return nil, err
	}
	r := new(report)
	return r, json.Unmarshal(text, r)
}

// finishFn ends the run. It removes tables of other runs, and writes the report.
type finishFn struct {
	Output string
}

// ProcessElement writes the report. Beam calls it once, after all other functions.
func (f *finishFn) ProcessElement(
	ctx context.Context, _ []byte, files, copies func(*File) bool, results func(*Result) bool,
	statistics func(*string) bool,
) error {
	fs, err := filesystem.New(ctx, f.Output)
	if err != nil {
		return err
	}
	defer func() { _ = fs.Close() }() // harmless: writeFile has closed the file
	r := report{Statistics: []string{}, Trouble: []trouble{}, Copies: []copied{}, Forgotten: []string{}}
	for file := (File{}); files(&file); file = (File{}) {
		r.Files++
		if file.Trouble != "" {
			r.Trouble = append(r.Trouble, trouble{file.Path, file.Trouble, file.Packets})
		}
	}
	for file := (File{}); copies(&file); file = (File{}) {
		r.Copies = append(r.Copies, copied{file.Path, file.SameAs})
	}
	ours := make(map[string]bool)
	for result := (Result{}); results(&result); result = (Result{}) {
		r.Shards++
		r.Packets, r.Messages = r.Packets+result.Packets, r.Messages+result.Messages
		r.Repeated += result.Repeated
		r.Forgotten = append(r.Forgotten, result.Forgotten...)
		for _, table := range result.Tables {
			ours[table] = true
		}
	}
	for path := ""; statistics(&path); {
		r.Statistics = append(r.Statistics, path)
	}
	slices.SortFunc(r.Trouble, func(a, b trouble) int { return strings.Compare(a.File, b.File) })
	slices.SortFunc(r.Copies, func(a, b copied) int { return strings.Compare(a.File, b.File) })
	slices.Sort(r.Forgotten)
	slices.Sort(r.Statistics)
	if err := sweep(ctx, fs, f.Output, ours); err != nil {
		return err
	}
	text, err := json.MarshalIndent(&r, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(ctx, fs, reportPath(f.Output), append(text, '\n'))
}
