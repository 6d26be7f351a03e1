package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	protocols "github.com/gamedissect/gamedissect/layers"
)

// checkCopies compares N copies of each capture in a folder and its subfolders with the capture itself. It prints the
// kinds of results that do not occur N times in the copies, and returns an error if there are any.
func checkCopies(ctx context.Context, o *options, args []string) error {
	copies, dir, err := o.numberAndFolder(args)
	if err != nil {
		return err
	}
	files, err := findCaptures(dir)
	if err != nil {
		return err
	}
	differ := 0
	for _, file := range files {
		packets, list, err := compareCopies(ctx, copies, file)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		name, _ := filepath.Rel(dir, file)
		text := fmt.Appendf(nil, "%9d packets  %s\n", packets, name)
		for _, difference := range list {
			text = fmt.Appendf(text, "%19s %s\n", "", difference)
		}
		differ += min(len(list), 1)
		if _, err := o.out.Write(text); err != nil {
			return err
		}
	}
	if differ > 0 {
		return fmt.Errorf("%d of %d captures have copies that differ", differ, len(files))
	}
	_, err = fmt.Fprintf(o.out, "\nthe copies of all %d captures are equal\n", len(files))
	return err
}

// compareCopies compares simultaneous copies of a capture with the capture. It returns the kinds of results that do not
// occur once per copy.
func compareCopies(ctx context.Context, copies int, file string) (packets int64, list []string, err error) {
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

// sumUp passes copies of a capture to an engine, and counts the results. It reads a damaged capture as far as possible.
func sumUp(ctx context.Context, copies int, file string) (*sums, int64, error) {
	in, err := capture.Open(file)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = in.Close() }() // harmless: the file was only read
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
