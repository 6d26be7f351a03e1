package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/tcp"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/stats"
	protocols "github.com/gamedissect/gamedissect/layers"
)

// concernNames are the steps of -q in one process. Each step includes the work of the earlier ones.
var concernNames = []string{
	"reader, headers", "+ conversations, streams", "+ recognition, Walk", "+ trackers, rules", "+ statistics",
}

// These are the indexes of concernNames.
const (
	headersOnly = iota
	conversationsOnly
	messagesOnly
	trackersOnly
	withStatistics
)

// engineMemory is approximately the memory that the program allows its engine.
const engineMemory = 44_000_000

// measureConcerns prints a table for each input, with the cost of each step of -q.
func measureConcerns(ctx context.Context, o *options, names []string) error {
	if len(names) == 0 {
		names = []string{"games-66", "clients-750"}
	}
	return o.withInputs(ctx, names, func(in *input, p *programs, file string, packets, bytes int64) error {
		rows := []row{{name: "bare loop", command: []string{p.self, "read", file}}}
		for i, name := range concernNames {
			rows = append(rows, row{name: name, command: []string{p.self, "concern", strconv.Itoa(i), file}})
		}
		whole := []string{p.gamedissect, "-r", file, "-q"}
		rows = append(rows, row{name: "whole, one processor", command: whole, env: "GOMAXPROCS=1"},
			row{name: "whole, as it runs", command: whole})
		if err := o.print(ctx, in, rows, packets, bytes); err != nil {
			return err
		}
		for i, name := range concernNames[conversationsOnly:] {
			step := strconv.Itoa(conversationsOnly + i)
			heap := row{command: []string{p.self, "concern", step, file, "heap"}}
			if err := o.printHeap(ctx, name, heap); err != nil {
				return err
			}
		}
		return nil
	})
}

// printHeap prints the memory that a step uses per conversation.
func (o *options) printHeap(ctx context.Context, name string, r row) error {
	var text bytes.Buffer
	if _, err := r.run(ctx, &text); err != nil {
		return err
	}
	_, err := fmt.Fprintf(o.out, "%-25s %s", name, text.Bytes())
	return err
}

// runConcern runs a step on a file. With a third argument, it prints the memory that the step uses per conversation.
func runConcern(_ context.Context, o *options, args []string) error {
	step, err := strconv.Atoi(args[0])
	if err != nil || step < 0 || step >= len(concernNames) {
		return fmt.Errorf("%q is not a step", args[0])
	}
	in, err := capture.Open(args[1])
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // harmless: the file was only read
	if step == headersOnly {
		return readHeaders(in)
	}
	if len(args) > 2 {
		return printKept(o.out, concernOptions(step), in)
	}
	e := decode.New(concernOptions(step))
	err = feed(e, in)
	e.Close()
	return err
}

// feed passes all packets of a capture to an engine.
func feed(e *decode.Engine, in capture.Source) (err error) {
	var p capture.Packet
	var f decode.Frame
	for err = in.Next(&p); err == nil; err = in.Next(&p) {
		f = decode.Frame{Data: p.Data, Length: p.Length, Time: p.Time, Link: uint16(p.LinkType), Number: p.Number}
		e.Frame(&f)
	}
	return ended(err)
}

// printKept prints the memory that an engine uses per conversation of a capture if it drops nothing.
func printKept(out io.Writer, options decode.Options, in capture.Source) error {
	options.Memory = 1 << 30
	conversations, last := 0, [2]int{-1, -1} // indexed by transport
	options.Packet = func(i *decode.PacketInfo) {
		if i.Conversation > last[i.Transport] {
			last[i.Transport] = i.Conversation
			conversations++
		}
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	e := decode.New(options)
	if err := feed(e, in); err != nil {
		return err
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	e.Close()
	each := func(after, before uint64) string {
		return decimals(float64(int64(after-before))/float64(conversations), 1)
	}
	_, err := fmt.Fprintf(out, "%s bytes and %s objects for each of %d conversations\n",
		each(after.HeapAlloc, before.HeapAlloc), each(after.HeapObjects, before.HeapObjects), conversations)
	return err
}

// ended returns the error that ended a source, or nil for io.EOF.
func ended(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// readHeaders reads each packet with the program's reader and finds the packet's UDP or TCP header.
func readHeaders(in capture.Source) (err error) {
	var p capture.Packet
	var found ip.Packet
	var segment tcp.Segment
	var datagram wire.Datagram
	for err = in.Next(&p); err == nil; err = in.Next(&p) {
		if ip.Find(uint16(p.LinkType), p.Data, p.Length, &found) == ip.Found && !decode.ReadDatagram(&found, &datagram) {
			segment.Parse(found.Payload, found.Missing)
		}
	}
	return ended(err)
}

// concernOptions returns options for an engine that does only the work of a step.
func concernOptions(step int) decode.Options {
	o := decode.Options{Memory: engineMemory}
	if step >= messagesOnly {
		o.Protocols = slices.Clone(protocols.All())
	}
	if step == messagesOnly {
		for i, p := range o.Protocols {
			silent := *p
			silent.NewTracker = nil
			o.Protocols[i] = &silent
		}
	}
	if step >= withStatistics {
		s := &stats.Stats{Brief: true}
		o.Message, o.Finding = s.Message, s.Finding // no values, since -q shows no tables
	}
	return o
}
