package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode/ip"
)

// sideBySide makes the generator of a real capture so many times at once, packet by packet, again and again, each
// time between hosts that were not there before.
func sideBySide(name string, copies int) func(*recorder) error {
	return func(r *recorder) error {
		list, err := readAll(filepath.Join(r.captures, name))
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(list, func(p capture.Packet) bool { return p.LinkType != ip.LinkEthernet }); i >= 0 {
			return fmt.Errorf("%s: packet %d is of another link than Ethernet", name, i+1)
		}
		size := int64(0)
		for i := range list {
			size += recordHeader + int64(len(list[i].Data))
		}
		rounds := int(r.limit/size)/copies + 1
		m := newMultiplier(copies * rounds)
		for round := range rounds {
			begin := r.now.Add(betweenCaptures)
			for i := range list {
				at := begin.Add(time.Duration(list[i].Time - list[0].Time))
				if err := r.copies(m, &list[i], at, round*copies, copies); err != nil {
					return err
				}
				if r.full() {
					return nil
				}
			}
		}
		return nil
	}
}

// copies writes some of the copies of a packet.
func (r *recorder) copies(m *multiplier, p *capture.Packet, at time.Time, first, n int) error {
	for i := range n {
		data, err := m.copyOf(p.Data, p.Length, p.LinkType, first+i)
		if err != nil {
			return err
		}
		if err := r.frameAt(at, data, p.Length); err != nil {
			return err
		}
	}
	return nil
}

// readAll reads the packets of a capture that is not empty.
func readAll(file string) (list []capture.Packet, err error) {
	in, err := capture.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // only read: nothing can be lost
	for {
		var p capture.Packet
		if err := in.Next(&p); errors.Is(err, io.EOF) && len(list) > 0 {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		p.Data = slices.Clone(p.Data)
		list = append(list, p)
	}
}
