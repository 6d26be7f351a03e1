package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
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
	f.StringVarP(&o.user, "relinquish-privileges", "Z", "",
		"become `USER` when the socket is open; without, whoever called sudo")
	must(c.RegisterFlagCompletionFunc("interface",
		func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
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

// shared is how much memory of --memory the kernel keeps packets in, in MB. Who wants more of it wants it on top.
func (o *liveOptions) shared() int64 {
	if o.name == "" {
		return 0
	}
	return min(o.buffer, defaultBuffer)
}

// open begins to capture. What is no error, people are told.
func (o *liveOptions) open(filter func(capture.LinkType, int) (capture.Filter, error), say io.Writer) (*capture.Live,
	error) {
	fd, err := liveSocket(o.user)
	if err != nil {
		return nil, err
	}
	l, err := capture.OpenLive(o.name, capture.LiveOptions{Snap: o.snap, Buffer: o.buffer << 20, NoPromisc: o.noPromisc,
		Filter: filter, Descriptor: fd})
	if err == nil && o.user == "" && isRoot() {
		complain(say, errors.New("started as root, and not by sudo: it stays root, though without root's rights (-Z USER "+
			"has it become another user)"))
	}
	return l, err
}

// listInterfaces prints them.
func listInterfaces(std streams) error {
	devices, err := capture.Devices()
	if err != nil {
		return err
	}
	t := table{columns: []column{{right: true}, {name: "interface"}, {name: "state"}, {name: "addresses", wraps: true}}}
	for _, d := range devices {
		var addresses []string
		for _, a := range d.Addresses {
			addresses = append(addresses, a.String())
		}
		t.rows = append(t.rows, []cell{numberCell(int64(d.Number)), plainCell(d.Name), wordCell(d.State),
			wordCell(strings.Join(addresses, " "))})
	}
	t.rows = append(t.rows, []cell{none, wordCell(capture.AnyInterface), none, wordCell("all of them")})
	screen, err := newTerminal(std.out, "never")
	out := newOutput(std.out, screen.width)
	out.buf = t.appendText(out.buf, screen.width)
	return errors.Join(err, out.flush())
}

// lateness is how old a packet may be when it is read: the kernel gives packets away in blocks.
const lateness = time.Second

// live is the source of a run over a capture that goes on: what happens by the clock, what the user asks for and
// sees.
type live struct {
	from   *capture.Live
	run    *run
	totals *totals
	out    *output
	err    io.Writer    // messages for people
	asked  *atomic.Bool // for the statistics so far
	status status
	drops  func(int64) // told how many more the kernel dropped
	saver  *liveSaver  // nil: packets are not written
	next   time.Time   // when the kernel is asked again
	lost   int64
	left   int64 // packets that nobody looked at
	ended  bool
}

// Next gives a packet. After an interface went down there may be more.
func (l *live) Next(p *capture.Packet) error {
	if l.ended {
		return io.EOF
	}
	err := l.from.Next(p)
	if errors.Is(err, capture.ErrDown) {
		l.say(err)
		return capture.ErrQuiet
	}
	l.ended = err != nil && err != capture.ErrQuiet
	return err
}

func (*live) endless() bool { return true }

func (l *live) tick(quiet bool) {
	if quiet {
		l.run.engine.Time(time.Now().Add(-lateness).UnixNano())
		_ = l.out.flush() // kept in err
	}
	l.ask()
	if l.asked.CompareAndSwap(true, false) {
		l.printSoFar()
	}
	l.status.update(l.run.engine.Counters(), l.totals.findingCount, l.lost)
}

// halt has what waits in the kernel given still.
func (l *live) halt() bool {
	l.from.Stop()
	return true
}

// done counts what waits when the run ends before the packets do, so that none is missing from the counts.
func (l *live) done() {
	l.status.done()
	l.from.Stop()
	before := l.from.Statistics().Captured
	var p capture.Packet
	for err := error(nil); err == nil || err == capture.ErrQuiet; {
		err = l.from.Next(&p)
	}
	l.left = l.from.Statistics().Captured - before
}

// say tells people of something while packets go on.
func (l *live) say(err error) {
	l.status.done()
	complain(l.err, err)
}

// askEvery is how often the kernel is asked what it dropped, and how often what waits to be written is.
const askEvery = time.Second

// ask asks the kernel for its counts, from time to time, and says when packets begin to be lost.
func (l *live) ask() {
	now := time.Now()
	if now.Before(l.next) {
		return
	}
	l.next = now.Add(askEvery)
	_ = l.out.flush() // for who reads a pipe; kept in err
	if l.saver != nil {
		_ = l.saver.to.Flush() // kept by it
	}
	s := l.from.Statistics()
	before := l.lost
	l.lost = s.Dropped
	l.drops(l.lost - before)
	if before == 0 && l.lost > 0 {
		l.say(fmt.Errorf("%s: the kernel drops packets: they are not read in time (a larger -B, a filter with -f or -q "+
			"help)", s.Interface))
	}
}

// printSoFar prints the statistics in between as those at the end are, so that they can be compared.
func (l *live) printSoFar() {
	l.status.done()
	l.totals.print(newOutput(l.err, l.out.width), l.run.counters())
	_ = l.kernelCounts() // who asks sees it
}

// kernelCounts tells what the kernel counted.
func (l *live) kernelCounts() error {
	s := l.from.Statistics()
	text := fmt.Sprintf("%s: %s captured, %s dropped by the kernel", s.Interface, counted(s.Captured-l.left, "packet"),
		thousands(s.Dropped))
	if l.left > 0 {
		text += fmt.Sprintf(", %s not looked at", thousands(l.left))
	}
	_, err := fmt.Fprintf(l.err, "gamedissect: %s\n", text)
	return err
}
