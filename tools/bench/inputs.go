package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode/ip"
)

// An input is a capture for measurements. It consists of simultaneous copies of real captures, each with its own hosts,
// repeated until the file has the requested size.
type input struct {
	name, about string
	from        string        // name of a real capture; "" for all complete Ethernet captures
	copies      int           // number of simultaneous copies
	apart       time.Duration // time between the beginnings of two copies
	lost        int           // drop one packet in this many; 0 drops none
	alone       bool          // only the first packet
}

var inputs = []input{
	{name: "games-66", about: "66 games of BZFlag 2.4 at the same time", from: "bz24-ctf-capture.pcap", copies: 66},
	{name: "games-300", about: "300 games of BZFlag 2.4 at the same time", from: "bz24-ctf-capture.pcap", copies: 300},
	{
		name: "games-66-lost", about: "games-66, one of 1,000 packets is missing", from: "bz24-ctf-capture.pcap",
		copies: 66, lost: 1000,
	},
	{name: "games17-50", about: "50 games of BZFlag 1.07 at the same time", from: "bz17-c-scorelimit.pcap", copies: 50},
	{name: "clients-750", about: "750 Tribes clients, each asks 40 servers", from: "tribes-list-40.pcap", copies: 750},
	{name: "archive-1608", about: "1,608 copies of all real captures", copies: 1608, apart: 5 * time.Millisecond},
	{name: "start", about: "a single packet: what it takes to start", from: "tribes-list-40.pcap", copies: 1, alone: true},
}

// chooseInputs returns the inputs with the given names, or all inputs if there are no names.
func chooseInputs(names ...string) ([]input, error) {
	if len(names) == 0 {
		return inputs, nil
	}
	var chosen []input
	for _, name := range names {
		i := slices.IndexFunc(inputs, func(in input) bool { return in.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no input %q (see --help)", name)
		}
		chosen = append(chosen, inputs[i])
	}
	return chosen, nil
}

// makeInput writes an input to a file.
func makeInput(ctx context.Context, o *options, args []string) error {
	chosen, err := chooseInputs(args[0])
	if err != nil {
		return err
	}
	f, err := os.Create(args[1])
	if err != nil {
		return err
	}
	packets, bytes, err := chosen[0].write(ctx, f, o.captures(), o.size)
	if err := errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(args[1]) // error ignored: the first error counts
		return fmt.Errorf("%s: %w", args[1], err)
	}
	_, err = fmt.Fprintln(o.out, packets, bytes)
	return err
}

// write writes an input until it has at least size bytes. It returns the numbers of packets and bytes.
func (in *input) write(ctx context.Context, to io.Writer, captures string, size int64) (packets, n int64, err error) {
	buffer := bufio.NewWriterSize(to, 1<<20)
	r := &recorder{pcap: pcapgo.NewWriter(buffer), limit: size, lost: int64(in.lost)}
	if in.alone {
		r.limit = 1
	}
	if err := r.pcap.WriteFileHeader(snapLength, layers.LinkTypeEthernet); err != nil {
		return 0, 0, err
	}
	err = in.record(ctx, r, captures)
	return r.packets, r.bytes, errors.Join(err, buffer.Flush())
}

// A recorder writes a pcap file of Ethernet frames.
type recorder struct {
	pcap           *pcapgo.Writer
	now            time.Time // time of the last frame
	packets, bytes int64
	limit, lost    int64
	seen           int64 // number of packets, including those that were dropped
}

const (
	recordHeader    = 16
	snapLength      = 65535
	betweenCaptures = time.Second // time between the end of a round and the beginning of the next
)

// firstPacket is fixed so that all runs make the same file.
var firstPacket = time.Date(2001, 5, 1, 12, 0, 0, 0, time.UTC)

func (r *recorder) frame(now time.Time, data []byte, length int) error {
	r.now = now
	if r.seen++; r.lost > 0 && r.seen%r.lost == 0 {
		return nil
	}
	r.packets++
	r.bytes += recordHeader + int64(len(data))
	return r.pcap.WritePacket(gopacket.CaptureInfo{Timestamp: now, CaptureLength: len(data), Length: length}, data)
}

// A scheduled packet is a packet of one copy of a capture.
type scheduled struct {
	at     time.Duration // time since the beginning of the round
	packet *capture.Packet
	copy   int
}

// record writes rounds of all copies until the recorder's limit is reached.
func (in *input) record(ctx context.Context, r *recorder, dir string) error {
	lists, err := in.captures(dir)
	if err != nil {
		return err
	}
	var all []scheduled
	for n := range in.copies {
		list := lists[n%len(lists)]
		for i := range list {
			at := time.Duration(n)*in.apart + time.Duration(list[i].Time-list[0].Time)
			all = append(all, scheduled{at, &list[i], n})
		}
	}
	slices.SortStableFunc(all, func(a, b scheduled) int { return cmp.Compare(a.at, b.at) })
	rounds := 1 // each round has its own hosts
	if in.from != "" {
		rounds += int(r.limit / int64(recordHeader*len(all)))
	}
	m := newMultiplier(in.copies * rounds)
	r.now = firstPacket
	for round := 0; ; round++ {
		begin := r.now.Add(betweenCaptures)
		for i := range all {
			p := &all[i]
			data, err := m.copyOf(p.packet.Data, p.packet.Length, p.packet.LinkType, round%rounds*in.copies+p.copy)
			if err == nil {
				err = r.frame(begin.Add(p.at), data, p.packet.Length)
			}
			if err := cmp.Or(err, ctx.Err()); err != nil || r.bytes >= r.limit {
				return err
			}
		}
	}
}

// captures reads the captures of the input.
func (in *input) captures(dir string) (lists [][]capture.Packet, err error) {
	other := func(p capture.Packet) bool { return p.LinkType != ip.LinkEthernet }
	if in.from != "" {
		list, err := readAll(filepath.Join(dir, in.from))
		if err == nil && slices.ContainsFunc(list, other) {
			err = fmt.Errorf("%s has packets with a link type other than Ethernet", in.from)
		}
		return [][]capture.Packet{list}, err
	}
	files, err := findCaptures(dir)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if list, err := readAll(file); err == nil && !slices.ContainsFunc(list, other) {
			lists = append(lists, list)
		}
	}
	return lists, nil
}

// readAll reads the packets of a capture that must not be empty.
func readAll(file string) (list []capture.Packet, err error) {
	in, err := capture.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // harmless: the file was only read
	for {
		var p capture.Packet
		if err := in.Next(&p); errors.Is(err, io.EOF) && len(list) > 0 {
			return list, nil
		} else if err != nil {
			return list, fmt.Errorf("%s: %w", file, err)
		}
		p.Data = slices.Clone(p.Data)
		list = append(list, p)
	}
}

// findCaptures lists the captures in a folder and its subfolders.
func findCaptures(dir string) (files []string, err error) {
	ends := []string{".pcap", ".pcapng", ".pcap.gz", ".pcapng.gz", ".pcap.zst"}
	err = filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		named := slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(file, end) })
		if err == nil && d.Type().IsRegular() && named {
			files = append(files, file)
		}
		return err
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s has no captures", dir)
	}
	return files, err
}
