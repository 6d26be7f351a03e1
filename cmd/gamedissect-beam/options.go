package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"regexp"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// An object store may be unavailable for a while. By default, its client tries a request three times, within about
// three seconds. Twelve attempts take a minute or two.
func init() {
	if os.Getenv("AWS_MAX_ATTEMPTS") == "" {
		_ = os.Setenv("AWS_MAX_ATTEMPTS", "12") // never fails for a valid name and value
	}
}

// options are the command's options. Workers get them as part of the functions that they run.
type options struct {
	Inputs       []string
	Output       string
	Sensor       string
	Partition    string
	ShardPackets int64
	Memory       int // in megabytes
	MaskSecrets  bool
	Overwrite    bool
}

// check returns an error if the options are invalid, before any file is read. words are the arguments after the flags.
// There are such arguments if the shell expands an unquoted pattern, because --input takes only the first file.
func (o *options) check(words []string) error {
	_, err := regexp.Compile(o.Sensor)
	switch {
	case len(words) > 0:
		return fmt.Errorf("%s: unexpected argument; quote the pattern, as in --input 'archive/*'", words[0])
	case len(o.Inputs) == 0:
		return errors.New("nothing to read: name capture files with --input PATTERN")
	case o.Output == "":
		return errors.New("nowhere to write: name a folder with --output DIR")
	case err != nil:
		return fmt.Errorf("--sensor %q: %w", o.Sensor, err)
	case o.Partition != "none" && o.Partition != "day":
		return fmt.Errorf("--partition %s: choose none or day", o.Partition)
	case o.ShardPackets < 1:
		return fmt.Errorf("--shard-packets %d: choose a number above 0", o.ShardPackets)
	case o.Memory < 16:
		return fmt.Errorf("--memory %d: choose a number from 16", o.Memory)
	}
	folder := strings.TrimRight(o.Output, "/")
	if folder == "" || strings.HasSuffix(folder, ":") {
		return fmt.Errorf("--output %s: name a folder in it", o.Output)
	}
	if strings.ContainsAny(folder, "*?[") { // the folder becomes part of patterns
		return fmt.Errorf("--output %s: name a folder without * ? [", o.Output)
	}
	o.Output = folder
	return nil
}

// lists returns how many bytes the lists of statistics may take.
func (o *options) lists() int { return o.Memory << 20 / 4 }

// begin returns an error if there is nothing to read, or if the folder has results of another run and --overwrite is
// not given. With --overwrite it removes the report and the statistics of that run. finishFn removes the tables later.
func (o *options) begin(ctx context.Context) error {
	if err := o.seek(ctx); err != nil {
		return err
	}
	earlier, err := readReport(ctx, o.Output)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !o.Overwrite:
		return fmt.Errorf("--output %s: the folder has the results of another run; name another folder, or use --overwrite",
			o.Output)
	}
	fs, err := filesystem.New(ctx, o.Output)
	if err != nil {
		return err
	}
	defer func() { _ = fs.Close() }() // harmless: only lists and removes
	if err := remove(ctx, fs, reportPath(o.Output)); err != nil {
		return err
	}
	for _, place := range earlier.Statistics { // including sensors that this run may not have
		there, err := fs.List(ctx, statisticsPath(o.Output, path.Base(place)))
		if err != nil {
			return err
		}
		for _, place := range there {
			if err := remove(ctx, fs, place); err != nil {
				return err
			}
		}
	}
	return nil
}

// seek returns an error if no file matches any pattern. If only some patterns match no file, the report names them.
func (o *options) seek(ctx context.Context) error {
	found := false
	for _, pattern := range o.Inputs {
		paths, err := match(ctx, pattern)
		if err != nil {
			return fmt.Errorf("--input %s: %w", pattern, err)
		}
		found = found || len(paths) > 0
	}
	if !found {
		return fmt.Errorf("--input %s: there are no such files", strings.Join(o.Inputs, " "))
	}
	return nil
}

// remove removes a file, if the filesystem supports that.
func remove(ctx context.Context, fs filesystem.Interface, path string) error {
	remover, ok := fs.(filesystem.Remover)
	if !ok {
		return fmt.Errorf("%s: this filesystem cannot remove files", path)
	}
	return remover.Remove(ctx, path)
}
