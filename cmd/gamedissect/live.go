package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/capture"
)

// liveOptions say how packets are taken from an interface.
type liveOptions struct {
	names     []string
	name      string // the only one of them
	list      bool
	snap      int
	buffer    int64 // MiB
	noPromisc bool
	user      string
}

func (o *liveOptions) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringArrayVarP(&o.names, "interface", "i", nil, "capture from `INTERFACE`, any is all; -D lists them")
	f.BoolVarP(&o.list, "list-interfaces", "D", false, "list the interfaces")
	f.IntVarP(&o.snap, "snapshot-length", "s", 0, "capture `BYTES` of each packet; 0 is all")
	f.Int64VarP(&o.buffer, "buffer-size", "B", defaultBuffer, "let the kernel keep `MIB` until packets are read")
	f.BoolVarP(&o.noPromisc, "no-promiscuous-mode", "p", false, "leave the interface in its mode")
	f.StringVarP(&o.user, "relinquish-privileges", "Z", "", "become `USER` when the socket is open; without, whoever called sudo")
	must(c.RegisterFlagCompletionFunc("interface", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		names := []string{capture.AnyInterface}
		devices, err := capture.Devices()
		if err == nil {
			for _, d := range devices {
				names = append(names, d.Name)
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}))
}

const defaultBuffer = 32 // MiB

// check finds what makes no sense.
func (o *liveOptions) check() error {
	if len(o.names) > 1 {
		return errors.New("-i: one interface at a time; any is all of them")
	}
	if len(o.names) == 1 {
		o.name = o.names[0]
	}
	switch {
	case o.name == "" && (o.snap != 0 || o.noPromisc || o.user != "" || o.buffer != defaultBuffer && o.buffer != 0):
		return errors.New("-s, -B, -p and -Z are about -i INTERFACE, which is missing")
	case o.name == "":
		return nil
	case o.snap < 0:
		return fmt.Errorf("-s %d: the snapshot length cannot be negative", o.snap)
	case o.buffer < 1 || o.buffer > 2047:
		return fmt.Errorf("-B %d: 1 to 2047 MiB can be kept", o.buffer)
	}
	return nil
}

// open begins to capture.
func (o *liveOptions) open(filter func(capture.LinkType, int) (capture.Filter, error)) (*capture.Live, error) {
	fd, err := liveSocket(o.user)
	if err != nil {
		return nil, err
	}
	return capture.OpenLive(o.name, capture.LiveOptions{Snap: o.snap, Buffer: o.buffer << 20, NoPromisc: o.noPromisc, Filter: filter, Descriptor: fd})
}

// listInterfaces prints them.
func listInterfaces(std streams) error {
	devices, err := capture.Devices()
	if err != nil {
		return err
	}
	t := table{heading: []string{"", "interface", "state", "addresses"}, right: []bool{true}}
	for _, d := range devices {
		var addresses []string
		for _, a := range d.Addresses {
			addresses = append(addresses, a.String())
		}
		t.rows = append(t.rows, []string{fmt.Sprint(d.Number), d.Name, d.State, strings.Join(addresses, " ")})
	}
	t.rows = append(t.rows, []string{"", capture.AnyInterface, "", "all of them"})
	out := newOutput(std.out, 0)
	out.buf = t.append(out.buf)
	return out.flush()
}

// lateness is how old a packet may be when it is read: the kernel gives packets away in blocks.
const lateness = time.Second

// live follows a capture that goes on: what happens by the clock, what the user asks for, what he sees.
type live struct {
	d     *dissection
	from  *capture.Live
	next  time.Time // when the kernel is asked again
	drops int64
}

// pause is called after each packet and when there is none for a moment.
func (l *live) pause(quiet bool) bool {
	d := l.d
	if quiet {
		d.engine.Time(time.Now().Add(-lateness).UnixNano())
		_ = d.out.flush() // kept in err
	} else {
		d.out.packet()
	}
	l.ask()
	if d.asked.CompareAndSwap(true, false) {
		d.printSoFar(l.from.Statistics().Dropped)
	}
	d.status.update(d.engine.Counters(), d.total.FindingCount, l.drops)
	return d.out.err == nil && !d.ender.over()
}

// askEvery is how often the kernel is asked what it dropped.
const askEvery = time.Second

// ask asks the kernel for its counts, from time to time, and says when packets begin to be lost.
func (l *live) ask() {
	now := time.Now()
	if now.Before(l.next) {
		return
	}
	l.next = now.Add(askEvery)
	_ = l.d.out.flush() // for who reads a pipe; kept in err
	s := l.from.Statistics()
	before := l.drops
	l.drops = s.Dropped
	l.d.o.metrics.drops(l.drops - before)
	if before == 0 && l.drops > 0 {
		l.d.say(fmt.Errorf("%s: the kernel drops packets: they are not read in time (a larger -B, a filter with -f or -q help)", s.Interface))
	}
}

// end tells what the kernel counted.
func (l *live) end() error {
	s := l.from.Statistics()
	text := fmt.Sprintf("%s: %s captured, %s dropped by the kernel", s.Interface, counted(s.Captured, "packet"), thousands(s.Dropped))
	_, err := fmt.Fprintf(l.d.err, "gamedissect: %s\n", text)
	return err
}

// errNothing is the error of a command line that names no packets.
var errNothing = errors.New("nothing to read: give a capture file with -r FILE or an interface with -i NAME (see gamedissect --help)")
