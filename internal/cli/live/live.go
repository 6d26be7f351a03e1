// Package live captures packets from interfaces, shows the progress, and drops root privileges. It also writes capture
// files: the packets of a run, with findings or messages as comments, and anonymized packets.
package live

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
	"github.com/gamedissect/gamedissect/internal/cli/message"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/tally"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/report"
)

// Options are the options of live captures.
type Options struct {
	Names     []string
	List      bool
	Snap      int
	Buffer    int64 // MiB
	NoPromisc bool
	User      string
	Status    string
	Silent    bool // show only errors
}

// Flags adds the flags of live captures.
func (o *Options) Flags(c *cobra.Command) {
	f := c.Flags()
	f.StringArrayVarP(&o.Names, "interface", "i", nil, "capture from `INTERFACE`: a name, a number (-D lists "+
		"them), or any for all of them; may repeat")
	f.BoolVarP(&o.List, "list-interfaces", "D", false, "list the interfaces")
	f.IntVarP(&o.Snap, "snapshot-length", "s", 0, "capture `BYTES` of each packet; 0 is all")
	f.Int64VarP(&o.Buffer, "buffer-size", "B", DefaultBuffer, "size of the kernel's buffer in `MIB`, for all "+
		"interfaces together")
	f.BoolVarP(&o.NoPromisc, "no-promiscuous-mode", "p", false, "do not put the interface into promiscuous mode")
	f.StringVarP(&o.User, "relinquish-privileges", "Z", "",
		"become `USER` after the socket is open; the default is the user who called sudo")
	f.StringVar(&o.Status, "status", "auto", "with -i on a terminal, the status `FORM`: auto (with -q a screen), a "+
		"line, or none")
	option.CompleteWith(c, "status", statusForms...)
	option.CompleteBy(c, "interface",
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

// DefaultBuffer is the size of the kernel's buffer without -B.
const DefaultBuffer = 32 // MiB

var statusForms = []string{"auto", "line", "none"}

// Given reports whether packets come from interfaces.
func (o *Options) Given() bool { return len(o.Names) > 0 }

// Check returns an error for invalid options, and replaces interface numbers with names.
func (o *Options) Check() error {
	for i := range o.Names {
		name, err := interfaceName(o.Names[i])
		switch {
		case err != nil:
			return err
		case slices.Contains(o.Names[:i], name):
			return fmt.Errorf("-i %s: this interface is named twice", name)
		}
		o.Names[i] = name
	}
	switch {
	case o.Status != "" && !slices.Contains(statusForms, o.Status): // "": not every command has the flag
		return option.OneOf("--status", o.Status, statusForms)
	case !o.Given() && (o.Snap != 0 || o.NoPromisc || o.User != "" || o.Buffer != DefaultBuffer && o.Buffer != 0):
		return errors.New("-s, -B, -p and -Z need -i INTERFACE")
	case !o.Given():
		return nil
	case len(o.Names) > 1 && slices.Contains(o.Names, capture.AnyInterface):
		return errors.New("-i any: this includes all interfaces, so do not name others")
	case o.Snap < 0:
		return fmt.Errorf("-s %d: the snapshot length cannot be negative", o.Snap)
	case o.Buffer < 1 || o.Buffer > 2047:
		return fmt.Errorf("-B %d: choose 1 to 2047 MiB", o.Buffer)
	case o.Buffer < int64(len(o.Names)):
		return fmt.Errorf("-B %d: that is less than a MiB for each of %d interfaces", o.Buffer, len(o.Names))
	}
	return nil
}

// interfaceName returns the name of an interface. text is the name, or the number that -D shows.
func interfaceName(text string) (string, error) {
	number, err := strconv.Atoi(text)
	if err != nil {
		return text, nil //nolint:nilerr // a name
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
		return "", fmt.Errorf("-i %s: there is no interface with this number (-D lists them)", text)
	}
	return found, nil
}

// Shared returns how many MB of --memory the kernel's buffer takes for all interfaces together. Memory beyond
// DefaultBuffer is not part of --memory.
func (o *Options) Shared() int64 {
	if !o.Given() {
		return 0
	}
	return min(o.Buffer, DefaultBuffer)
}

// Open begins to capture. It writes warnings to warn.
func (o *Options) Open(filter func(capture.LinkType, int) (capture.Filter, error), warn io.Writer) (*capture.Lives,
	error) {
	sockets, err := liveSockets(o.User, len(o.Names))
	if err != nil {
		return nil, err
	}
	l, err := capture.OpenLives(o.Names, sockets, capture.LiveOptions{Snap: o.Snap, Buffer: o.Buffer << 20,
		NoPromisc: o.NoPromisc, Filter: filter})
	if err == nil && o.User == "" && IsRoot() {
		term.Complain(warn,
			errors.New("started as root without sudo: the process drops its privileges but keeps user id 0 "+
				"(-Z USER switches to another user)"))
	}
	return l, err
}

// ListInterfaces prints the interfaces in the form of -T.
func ListInterfaces(std term.Streams, o *message.TextOptions) error {
	devices, err := capture.Devices()
	if err != nil {
		return err
	}
	screen, err := term.NewTerminal(std.Out, "never")
	if err != nil {
		return err
	}
	o.Settle(false)
	form, err := term.NewTableForm(o.Tables, o.Fields.Options, screen.Width)
	if err != nil {
		return err
	}
	t := report.Table{Name: "interfaces", Columns: []report.Column{{Key: "number", Kind: report.Count},
		{Name: "interface", Kind: report.File, Whole: true}, {Name: "state", Kind: report.Word},
		{Name: "addresses", Kind: report.Word, Wraps: true}}}
	for _, d := range devices {
		var addresses []string
		for _, a := range d.Addresses {
			addresses = append(addresses, a.String())
		}
		t.Rows = append(t.Rows, []report.Cell{int64(d.Number), d.Name, d.State, strings.Join(addresses, " ")})
	}
	t.Rows = append(t.Rows, []report.Cell{nil, capture.AnyInterface, nil, "all of them"})
	out := term.NewOutput(std.Out, 0)
	form.Write(out, &t)
	return out.Flush()
}

// lateness is the maximum age of a packet when it is read, because the kernel delivers packets in blocks.
const lateness = time.Second

// Source is the packet source of a live capture. It polls the kernel's counts and updates the display.
type Source struct {
	From   *capture.Lives
	Run    *session.Run
	Totals *tally.Totals
	Out    *term.Output
	Err    io.Writer    // messages for people
	Asked  *atomic.Bool // set by a request for the statistics so far
	Shows  Display
	Drops  func(int64)     // called with the number of newly dropped packets
	Saver  *InterfaceSaver // nil: packets are not written
	next   time.Time       // next time to read the kernel's counts
	lost   int64
	before []capture.LiveStatistics // counts before Done reads the waiting packets; nil: Done was not called yet
	ended  bool
}

// Next returns a packet. After one interface goes down, the others may still deliver packets.
func (l *Source) Next(p *capture.Packet) error {
	if l.ended {
		return io.EOF
	}
	err := l.From.Next(p)
	if errors.Is(err, capture.ErrDown) {
		l.Shows.say(err)
		return capture.ErrQuiet
	}
	if err != nil && err != capture.ErrQuiet {
		if l.ended = l.From.Left() == 0; !l.ended {
			l.Shows.say(err) // the other interfaces continue
		}
	}
	return err
}

func (*Source) Endless() bool { return true }

func (l *Source) Tick(quiet bool) {
	if quiet {
		l.Run.Engine.Time(time.Now().Add(-lateness).UnixNano())
		_ = l.Out.Flush() // error kept in Out.Err
	}
	l.ask()
	if l.Asked.CompareAndSwap(true, false) {
		l.Shows.aside(l.printTotals)
	}
	l.Shows.update(time.Now(), l.Run.Engine.Counters(), l.Totals.FindingCount, l.lost)
}

// Halt makes the run end after the packets that are waiting in the kernel.
func (l *Source) Halt() bool {
	l.From.Stop()
	return true
}

// Done reads the packets that wait in the kernel when the run ends, so they are counted too.
func (l *Source) Done() {
	l.Shows.End()
	l.From.Stop()
	l.before = l.From.Statistics()
	var p capture.Packet
	for err := error(nil); err == nil || err == capture.ErrQuiet || l.From.Left() > 0; {
		err = l.From.Next(&p)
	}
}

// AskEvery is the interval at which to read the kernel's counts and to flush the output.
const AskEvery = time.Second

// ask reads the kernel's counts at most once per AskEvery. It reports when the kernel begins to drop packets.
func (l *Source) ask() {
	now := time.Now()
	if now.Before(l.next) {
		return
	}
	l.next = now.Add(AskEvery)
	_ = l.Out.Flush() // for the reader of a pipe; error kept in Out.Err
	if l.Saver != nil {
		_ = l.Saver.To.Flush() // error kept in Saver.To
	}
	before := l.lost
	l.lost = 0
	var where []string
	for _, s := range l.From.Statistics() {
		if l.lost += s.Dropped; s.Dropped > 0 {
			where = append(where, s.Interface)
		}
	}
	l.Drops(l.lost - before)
	if before == 0 && l.lost > 0 {
		l.Shows.say(fmt.Errorf("%s: the kernel drops packets, because they are not read in time; a larger -B, a filter "+
			"with -f, or -q may help", strings.Join(where, ", ")))
	}
}

// printTotals prints the statistics so far. It uses the form of the final statistics, so both can be compared.
func (l *Source) printTotals() {
	_ = l.Totals.Print(term.NewOutput(l.Err, l.Out.Width), l.Run.Counters()) // errors are reported at the end
	_ = l.KernelCounts()                                                     // errors are reported at the end
}

// KernelCounts prints the kernel's counts for each interface.
func (l *Source) KernelCounts() error {
	var err error
	for i, s := range l.From.Statistics() {
		left := int64(0)
		if l.before != nil {
			left = s.Captured - l.before[i].Captured
		}
		text := fmt.Sprintf("%s: %s captured, %s dropped by the kernel", s.Interface,
			report.Plural(s.Captured-left, "packet"),
			report.FormatCount(s.Dropped))
		if left > 0 {
			text += fmt.Sprintf(", %s not processed", report.FormatCount(left))
		}
		_, bad := fmt.Fprintf(l.Err, "gamedissect: %s\n", text)
		err = errors.Join(err, bad)
	}
	return err
}
