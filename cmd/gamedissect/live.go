package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/capture"
)

// liveOptions say how packets are taken from an interface.
type liveOptions struct {
	names     []string
	list      bool
	snap      int
	buffer    int64 // MiB
	noPromisc bool
	user      string
	status    string
	silent    bool // people are told only what went wrong
}

func (o *liveOptions) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringArrayVarP(&o.names, "interface", "i", nil, "capture from `INTERFACE`, by name or number, any is all, "+
		"several -i come in time order; -D lists them")
	f.BoolVarP(&o.list, "list-interfaces", "D", false, "list the interfaces")
	f.IntVarP(&o.snap, "snapshot-length", "s", 0, "capture `BYTES` of each packet; 0 is all")
	f.Int64VarP(&o.buffer, "buffer-size", "B", defaultBuffer, "let the kernel keep `MIB`, of all interfaces "+
		"together, until packets are read")
	f.BoolVarP(&o.noPromisc, "no-promiscuous-mode", "p", false, "leave the interface in its mode")
	f.StringVarP(&o.user, "relinquish-privileges", "Z", "",
		"become `USER` when the socket is open; without, whoever called sudo")
	f.StringVar(&o.status, "status", "auto", "`FORM` of what a terminal shows of -i: with -q a screen (auto), a "+
		"line, or none")
	completeWith(c, "status", statusForms...)
	completeBy(c, "interface",
		func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			names := []string{capture.AnyInterface}
			devices, err := capture.Devices()
			if err == nil {
				for _, d := range devices {
					names = append(names, d.Name)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		})
}

const defaultBuffer = 32 // MiB

// statusForms are those of --status.
var statusForms = []string{"auto", "line", "none"}

// given reports whether packets come from interfaces.
func (o *liveOptions) given() bool { return len(o.names) > 0 }

// check finds what makes no sense, and puts names in the place of numbers.
func (o *liveOptions) check() error {
	for i := range o.names {
		name, err := interfaceName(o.names[i])
		switch {
		case err != nil:
			return err
		case slices.Contains(o.names[:i], name):
			return fmt.Errorf("-i %s: this interface is named twice", name)
		}
		o.names[i] = name
	}
	switch {
	case o.status != "" && !slices.Contains(statusForms, o.status): // not every command has the flag
		return oneOf("--status", o.status, statusForms)
	case !o.given() && (o.snap != 0 || o.noPromisc || o.user != "" || o.buffer != defaultBuffer && o.buffer != 0):
		return errors.New("-s, -B, -p and -Z are about -i INTERFACE, which is missing")
	case !o.given():
		return nil
	case len(o.names) > 1 && slices.Contains(o.names, capture.AnyInterface):
		return errors.New("-i any: that is all interfaces, so no other one goes with it")
	case o.snap < 0:
		return fmt.Errorf("-s %d: the snapshot length cannot be negative", o.snap)
	case o.buffer < 1 || o.buffer > 2047:
		return fmt.Errorf("-B %d: 1 to 2047 MiB can be kept", o.buffer)
	case o.buffer < int64(len(o.names)):
		return fmt.Errorf("-B %d: that is less than a MiB for each of %d interfaces", o.buffer, len(o.names))
	}
	return nil
}

// interfaceName gives the name of an interface that is named by the number that -D shows. What is a name stays.
func interfaceName(text string) (string, error) {
	number, err := strconv.Atoi(text)
	if err != nil {
		return text, nil //nolint:nilerr // it is no number
	}
	devices, err := capture.Devices()
	if err != nil {
		return "", err
	}
	found := ""
	for _, d := range devices {
		if d.Name == text {
			return text, nil
		}
		if d.Number == number {
			found = d.Name
		}
	}
	if found == "" {
		return "", fmt.Errorf("-i %s: there is no interface of this number (-D lists them)", text)
	}
	return found, nil
}

// shared is how much memory of --memory the kernel keeps packets in, in MB, of all interfaces. Who wants more of it
// wants it on top.
func (o *liveOptions) shared() int64 {
	if !o.given() {
		return 0
	}
	return min(o.buffer, defaultBuffer)
}

// open begins to capture. What is no error, people are told.
func (o *liveOptions) open(filter func(capture.LinkType, int) (capture.Filter, error), say io.Writer) (*capture.Lives,
	error) {
	sockets, err := liveSockets(o.user, len(o.names))
	if err != nil {
		return nil, err
	}
	l, err := capture.OpenLives(o.names, sockets, capture.LiveOptions{Snap: o.snap, Buffer: o.buffer << 20,
		NoPromisc: o.noPromisc, Filter: filter})
	if err == nil && o.user == "" && isRoot() {
		complain(say, errors.New("started as root, and not by sudo: it stays root, though without root's rights (-Z USER "+
			"has it become another user)"))
	}
	return l, err
}

// listInterfaces prints them, in the form of -T.
func listInterfaces(std streams, o *textOptions) error {
	devices, err := capture.Devices()
	if err != nil {
		return err
	}
	screen, err := newTerminal(std.out, "never")
	if err != nil {
		return err
	}
	o.settle(false)
	form, err := newTableForm(o.tables, o.fields.options, screen.width)
	if err != nil {
		return err
	}
	t := table{name: "interfaces", columns: []column{{key: "number", right: true}, {name: "interface", whole: true},
		{name: "state"}, {name: "addresses", wraps: true}}}
	for _, d := range devices {
		var addresses []string
		for _, a := range d.Addresses {
			addresses = append(addresses, a.String())
		}
		t.rows = append(t.rows, []cell{numberCell(int64(d.Number)), plainCell(d.Name), wordCell(d.State),
			wordCell(strings.Join(addresses, " "))})
	}
	t.rows = append(t.rows, []cell{none, wordCell(capture.AnyInterface), none, wordCell("all of them")})
	out := newOutput(std.out, 0)
	form.write(out, &t)
	return out.flush()
}

// lateness is how old a packet may be when it is read: the kernel gives packets away in blocks.
const lateness = time.Second

// live is the source of a run over a capture that goes on: what happens by the clock, what the user asks for and
// sees.
type live struct {
	from   *capture.Lives
	run    *run
	totals *totals
	out    *output
	err    io.Writer    // messages for people
	asked  *atomic.Bool // for the statistics so far
	status status
	screen *liveScreen // nil: there is a line instead, or nothing
	drops  func(int64) // told how many more the kernel dropped
	saver  *liveSaver  // nil: packets are not written
	next   time.Time   // when the kernel is asked again
	lost   int64
	before []capture.LiveStatistics // when nobody looked at packets any more; nil: not yet
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
	if err != nil && err != capture.ErrQuiet {
		if l.ended = l.from.Left() == 0; !l.ended {
			l.say(err) // and the other interfaces go on
		}
	}
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
	c := l.run.engine.Counters()
	if l.screen != nil {
		l.screen.update(time.Now(), c, l.totals.findingCount, l.lost)
		return
	}
	l.status.update(c, l.totals.findingCount, l.lost)
}

// halt has what waits in the kernel given still.
func (l *live) halt() bool {
	l.from.Stop()
	return true
}

// done counts what waits when the run ends before the packets do, so that none is missing from the counts.
func (l *live) done() {
	l.endScreen()
	l.status.done()
	l.from.Stop()
	l.before = l.from.Statistics()
	var p capture.Packet
	for err := error(nil); err == nil || err == capture.ErrQuiet || l.from.Left() > 0; {
		err = l.from.Next(&p)
	}
}

// say tells people of something while packets go on.
func (l *live) say(err error) {
	if l.screen != nil {
		l.screen.say(err)
		return
	}
	l.status.done()
	complain(l.err, err)
}

// endScreen takes the screen away and tells what was said while it was there.
func (l *live) endScreen() {
	s := l.screen
	if s == nil {
		return
	}
	l.screen = nil
	s.done()
	for _, err := range s.said {
		complain(l.err, err)
	}
	if s.unsaid > 0 {
		complain(l.err, fmt.Errorf("%s more was said", thousands(int64(s.unsaid))))
	}
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
	before := l.lost
	l.lost = 0
	var where []string
	for _, s := range l.from.Statistics() {
		if l.lost += s.Dropped; s.Dropped > 0 {
			where = append(where, s.Interface)
		}
	}
	l.drops(l.lost - before)
	if before == 0 && l.lost > 0 {
		l.say(fmt.Errorf("%s: the kernel drops packets: they are not read in time (a larger -B, a filter with -f or -q "+
			"help)", strings.Join(where, ", ")))
	}
}

// printSoFar prints the statistics in between as those at the end are, so that they can be compared.
func (l *live) printSoFar() {
	if l.screen != nil {
		l.screen.screen.aside(l.printTotals)
		return
	}
	l.status.done()
	l.printTotals()
}

func (l *live) printTotals() {
	l.totals.print(newOutput(l.err, l.out.width), l.run.counters())
	_ = l.kernelCounts() // who asks sees it
}

// kernelCounts tells what the kernel counted of each interface.
func (l *live) kernelCounts() error {
	var err error
	for i, s := range l.from.Statistics() {
		left := int64(0)
		if l.before != nil {
			left = s.Captured - l.before[i].Captured
		}
		text := fmt.Sprintf("%s: %s captured, %s dropped by the kernel", s.Interface, counted(s.Captured-left, "packet"),
			thousands(s.Dropped))
		if left > 0 {
			text += fmt.Sprintf(", %s not looked at", thousands(left))
		}
		_, bad := fmt.Fprintf(l.err, "gamedissect: %s\n", text)
		err = errors.Join(err, bad)
	}
	return err
}
