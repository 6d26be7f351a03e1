package main

import (
	"cmp"
	"slices"
	"time"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode/ip"
)

// archived is a packet of a copy of a real capture.
type archived struct {
	at     time.Duration
	packet *capture.Packet
	copy   int
}

// playArchive makes the generator of so many real captures that go on at the same time, each between hosts of its own:
// those over Ethernet that are whole, again and again.
func playArchive(count int) func(*recorder) error {
	const apart = 5 * time.Millisecond // between their beginnings
	return func(r *recorder) error {
		captures, err := wholeCaptures(r.captures)
		if err != nil {
			return err
		}
		var all []archived
		for n := range count {
			list := captures[n%len(captures)]
			for i := range list {
				at := time.Duration(n)*apart + time.Duration(list[i].Time-list[0].Time)
				all = append(all, archived{at, &list[i], n})
			}
		}
		slices.SortStableFunc(all, func(a, b archived) int { return cmp.Compare(a.at, b.at) })
		for m := newMultiplier(count); !r.full(); {
			if err := r.archive(m, all); err != nil {
				return err
			}
		}
		return nil
	}
}

// archive writes copies of captures until the file is full.
func (r *recorder) archive(m *multiplier, all []archived) error {
	begin := r.now.Add(betweenCaptures)
	for _, p := range all {
		data, err := m.copyOf(p.packet.Data, p.packet.Length, p.packet.LinkType, p.copy)
		if err != nil {
			return err
		}
		if err := r.frameAt(begin.Add(p.at), data, p.packet.Length); err != nil || r.full() {
			return err
		}
	}
	return nil
}

// wholeCaptures reads the captures over Ethernet in a folder. Damaged ones are left out.
func wholeCaptures(dir string) (all [][]capture.Packet, err error) {
	files, err := findCaptures(dir)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		list, err := readAll(file)
		other := func(p capture.Packet) bool { return p.LinkType != ip.LinkEthernet }
		if err == nil && !slices.ContainsFunc(list, other) {
			all = append(all, list)
		}
	}
	return all, nil
}
