package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	protocols "github.com/gamedissect/gamedissect/layers"
)

// checkCopies compares so many copies of each capture in a folder, and in those below it, with the capture itself
// and prints what the copies do not have as many times. If there is any such thing, that is an error.
func checkCopies(ctx context.Context, copies int, dir string, out io.Writer) error {
	files, err := findCaptures(dir)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(out, "%d copies side by side, compared with one\n\n%9s %7s  %s\n", copies, "packets", "s",
		"capture"); err != nil {
		return err
	}
	differ := 0
	for _, file := range files {
		begun := time.Now()
		packets, list, err := compareCopies(ctx, copies, file)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		name, _ := filepath.Rel(dir, file)
		text := fmt.Appendf(nil, "%9s %7.1f  %-45s ", thousands(packets), time.Since(begun).Seconds(), name)
		if len(list) == 0 {
			text = append(text, "equal\n"...)
		} else {
			differ++
			text = appendDifferences(append(text, "differ\n"...), copies, list)
		}
		if _, err := out.Write(text); err != nil {
			return err
		}
	}
	if differ > 0 {
		return fmt.Errorf("%d of %d captures have copies that differ", differ, len(files))
	}
	_, err = fmt.Fprintf(out, "\nthe copies of all %d captures are equal\n", len(files))
	return err
}

// findCaptures lists the captures in a folder and those below it.
func findCaptures(dir string) (files []string, err error) {
	err = filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && isCapture(file) {
			files = append(files, file)
		}
		return err
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s has no captures", dir)
	}
	return files, err
}

// isCapture reports whether a file is named as captures are.
func isCapture(file string) bool {
	return slices.ContainsFunc([]string{".pcap", ".pcapng", ".pcap.gz", ".pcapng.gz", ".pcap.zst"}, func(end string) bool {
		return strings.HasSuffix(file, end)
	})
}

// compareCopies gives what copies of a capture, side by side, do not have as many times as one has it.
func compareCopies(ctx context.Context, copies int, file string) (packets int64, list []difference, err error) {
	one, packets, err := sumUp(ctx, 1, file)
	if err != nil {
		return 0, nil, err
	}
	many, _, err := sumUp(ctx, copies, file)
	if err != nil {
		return 0, nil, err
	}
	return packets, compare(one, many), nil
}

// sumUp gives copies of a capture to an engine. Of a damaged capture it takes what can be read.
func sumUp(ctx context.Context, copies int, file string) (*sums, int64, error) {
	in, err := capture.Open(file)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = in.Close() }() // only read: nothing can be lost
	m := newMultiplier(copies)
	s := newSums(m)
	e := decode.New(s.options(decode.Options{Protocols: protocols.All()}))
	packets := int64(0)
	err = m.each(in, func(p *capture.Packet, _ int) error {
		packets++
		e.Frame(&decode.Frame{Data: p.Data, Length: p.Length, Time: p.Time, Link: uint16(p.LinkType), Number: p.Number})
		return ctx.Err()
	})
	e.Close()
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return s, packets, err
}

// appendDifferences appends a line for each difference.
func appendDifferences(b []byte, copies int, list []difference) []byte {
	for i := range list {
		b = fmt.Appendf(b, "%19s %s\n", "", list[i].text(copies))
	}
	return b
}

// text tells a difference in a line.
func (d *difference) text(copies int) string {
	n := int64(copies)
	if d.copy {
		n = 1
	}
	words := []string{d.protocol, d.kind, d.table, d.name, d.unit}
	words = slices.DeleteFunc(words, func(s string) bool { return s == "" })
	text := fmt.Sprintf("%s: %s, want %s", strings.Join(words, " "), thousands(d.many.count), thousands(d.one.count*n))
	switch {
	case d.one.bytes*n != d.many.bytes:
		text += fmt.Sprintf("; bytes %s, want %s", thousands(d.many.bytes), thousands(d.one.bytes*n))
	case d.one.count*n == d.many.count:
		text += "; others"
	}
	if d.copy {
		return text + " of one copy"
	}
	if d.example != "" {
		text += fmt.Sprintf(" (%s)", d.example)
	}
	return text
}
