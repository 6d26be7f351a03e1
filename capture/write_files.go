package capture

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	formatPcap   = "pcap"
	formatPcapng = "pcapng"
)

var packedEndings = []string{".gz", ".zst", ".xz", ".bz2", ".lz4"}

// formatOf returns the requested format. If there is none, it returns the format that the name implies.
func formatOf(name, wanted string) (string, error) {
	ending := strings.ToLower(filepath.Ext(name))
	if slices.Contains(packedEndings, ending) {
		return "", fmt.Errorf("compressed captures are not written, because one that is cut short loses more than a "+
			"packet; write it without %s and compress it afterwards", ending)
	}
	switch {
	case wanted == formatPcap, wanted == formatPcapng:
		return wanted, nil
	case wanted != "":
		return "", fmt.Errorf("cannot be written as %q; the formats are pcapng and pcap", wanted)
	case ending == ".pcap":
		return formatPcap, nil
	}
	return formatPcapng, nil
}

// outputName returns the name of a file for error messages.
func outputName(name string) string {
	if name == "-" {
		return "standard output"
	}
	return name
}

// files is the sequence of output files of a Writer.
type files struct {
	file     *os.File // the open file; nil: none, or the caller's
	current  string   // the open file's name
	existing []string // files written, the oldest first
	stem     string   // part of a numbered name before the number and the time
	ending   string   // part of a numbered name after them
	begun    int      // number of numbered files created
	filled   int      // number of numbered files that are full
	earliest int64    // earliest time of a packet in the current file
}

// number prepares names with numbers and times, in tshark's form. It creates a trial file to find errors now, because
// the first real file may be created hours later.
func (f *files) number(name string) error {
	f.ending = filepath.Ext(name)
	f.stem = strings.TrimSuffix(name, f.ending)
	trial, err := os.CreateTemp(filepath.Dir(name), ".gamedissect-*")
	if err != nil {
		return cannotCreate(name, err)
	}
	return errors.Join(trial.Close(), os.Remove(trial.Name()))
}

func cannotCreate(name string, err error) error {
	return &Error{File: name, Reason: "cannot be created: " + cause(err), Err: err}
}

// create opens a file for writing. flag is O_TRUNC, to replace an existing file, or O_EXCL, to fail if it exists.
func (f *files) create(name string, flag int) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|flag, 0o666)
	if err != nil {
		return cannotCreate(name, err)
	}
	f.file, f.current = file, name
	f.existing = append(f.existing, name)
	return nil
}

// next opens the file with the next number, for packets from time t on. If keep is not 0, next first removes all
// earlier files except the last keep-1. It never replaces an existing file, since that file may be an input.
func (f *files) next(t int64, keep int) error {
	for keep > 0 && len(f.existing) >= keep {
		oldest := f.existing[0]
		if err := os.Remove(oldest); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return &Error{File: oldest, Reason: "cannot be removed to make room for the next file: " + cause(err), Err: err}
		}
		f.existing = slices.Delete(f.existing, 0, 1)
	}
	f.begun++
	f.earliest = t
	stamp := time.Unix(0, t).Format("20060102150405")
	return f.create(fmt.Sprintf("%s_%05d_%s%s", f.stem, f.begun, stamp, f.ending), os.O_EXCL)
}

func (f *files) close() error {
	if f.file == nil {
		return nil
	}
	err := f.file.Close()
	f.file = nil
	if err != nil {
		return &Error{File: f.current, Reason: "closing failed: " + cause(err), Err: err}
	}
	return nil
}

// prepareFile opens the file for a packet with time t, if it is not yet open.
func (w *Writer) prepareFile(t int64) error {
	if w.out.w != nil {
		if !w.isFull(t) {
			w.files.earliest = min(w.files.earliest, t)
			return nil
		}
		if w.finish(); w.err != nil {
			return w.err
		}
		w.files.filled++
	}
	if err := w.files.next(t, w.options.Limits.Files); err != nil {
		w.err = err
		return err
	}
	return w.begin(w.files.file)
}

// isFull reports whether the current file is full, if the next packet has time t.
func (w *Writer) isFull(t int64) bool {
	l := w.options.Limits
	age := time.Duration(t - w.files.earliest)
	return w.out.packets > 0 && reached(l.Packets, l.Bytes, l.Duration, int64(w.out.packets), w.Size(), age)
}

// Full returns the number of full files for [Stop.After]. time is the time of the next packet. Without limits, Full
// returns 0.
func (w *Writer) Full(time int64) int {
	n := w.files.filled
	if w.out.w != nil && w.isFull(time) {
		n++
	}
	return n
}
