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
	"github.com/gamedissect/gamedissect/internal/cli/recording"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/table"
	"github.com/gamedissect/gamedissect/internal/cli/tally"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/report"
)

// Options say how packets are taken from an interface.
type Options struct {
	Names     []string
	List      bool
	Snap      int
	Buffer    int64 // MiB
	NoPromisc bool
	User      string
	Status    string
	Silent    bool // people are told only what went wrong
}

func (o *Options) Flags(c *cobra.Command) {
	f := c.Flags()
	f.StringArrayVarP(&o.Names, "interface", "i", nil, "capture from `INTERFACE`, by name or number, any is all, "+
		"several -i come in time order; -D lists them")
	f.BoolVarP(&o.List, "list-interfaces", "D", false, "list the interfaces")
	f.IntVarP(&o.Snap, "snapshot-length", "s", 0, "capture `BYTES` of each packet; 0 is all")
	f.Int64VarP(&o.Buffer, "buffer-size", "B", DefaultBuffer, "let the kernel keep `MIB`, of all interfaces "+
		"together, until packets are read")
	f.BoolVarP(&o.NoPromisc, "no-promiscuous-mode", "p", false, "leave the interface in its mode")
	f.StringVarP(&o.User, "relinquish-privileges", "Z", "",
		"become `USER` when the socket is open; without, whoever called sudo")
	f.StringVar(&o.Status, "status", "auto", "`FORM` of what a terminal shows of -i: with -q a screen (auto), a "+
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

const DefaultBuffer = 32 // MiB

// statusForms are those of --status.
var statusForms = []string{"auto", "line", "none"}

// Given reports whether packets come from interfaces.
func (o *Options) Given() bool { return len(o.Names) > 0 }

// Check finds what makes no sense, and puts names in the place of numbers.
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
	case o.Status != "" && !slices.Contains(statusForms, o.Status): // not every command has the flag
		return option.OneOf("--status", o.Status, statusForms)
	case !o.Given() && (o.Snap != 0 || o.NoPromisc || o.User != "" || o.Buffer != DefaultBuffer && o.Buffer != 0):
		return errors.New("-s, -B, -p and -Z are about -i INTERFACE, which is missing")
	case !o.Given():
		return nil
	case len(o.Names) > 1 && slices.Contains(o.Names, capture.AnyInterface):
		return errors.New("-i any: that is all interfaces, so no other one goes with it")
	case o.Snap < 0:
		return fmt.Errorf("-s %d: the snapshot length cannot be negative", o.Snap)
	case o.Buffer < 1 || o.Buffer > 2047:
		return fmt.Errorf("-B %d: 1 to 2047 MiB can be kept", o.Buffer)
	case o.Buffer < int64(len(o.Names)):
		return fmt.Errorf("-B %d: that is less than a MiB for each of %d interfaces", o.Buffer, len(o.Names))
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

// Shared is how much memory of --memory the kernel keeps packets in, in MB, of all interfaces. Who wants more of it
// wants it on top.
func (o *Options) Shared() int64 {
	if !o.Given() {
		return 0
	}
	return min(o.Buffer, DefaultBuffer)
}

// Open begins to capture. What is no error, people are told.
func (o *Options) Open(filter func(capture.LinkType, int) (capture.Filter, error), say io.Writer) (*capture.Lives,
	error) {
	sockets, err := liveSockets(o.User, len(o.Names))
	if err != nil {
		return nil, err
	}
	l, err := capture.OpenLives(o.Names, sockets, capture.LiveOptions{Snap: o.Snap, Buffer: o.Buffer << 20,
		NoPromisc: o.NoPromisc, Filter: filter})
	if err == nil && o.User == "" && IsRoot() {
		term.Complain(say, errors.New("started as root, and not by sudo: it stays root, though without root's rights (-Z USER "+
			"has it become another user)"))
	}
	return l, err
}

// ListInterfaces prints them, in the form of -T.
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
	form, err := table.NewForm(o.Tables, o.Fields.Options, screen.Width)
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

// lateness is how old a packet may be when it is read: the kernel gives packets away in blocks.
const lateness = time.Second

// Source is the source of a run over a capture that goes on: what happens by the clock, what the user asks for and
// sees.
type Source struct {
	From   *capture.Lives
	Run    *session.Run
	Totals *tally.Totals
	Out    *term.Output
	Err    io.Writer    // messages for people
	Asked  *atomic.Bool // for the statistics so far
	Status status
	Screen *Screen              // nil: there is a line instead, or nothing
	Drops  func(int64)          // told how many more the kernel dropped
	Saver  *recording.LiveSaver // nil: packets are not written
	next   time.Time            // when the kernel is asked again
	lost   int64
	before []capture.LiveStatistics // when nobody looked at packets any more; nil: not yet
	ended  bool
}

// Next gives a packet. After an interface went down there may be more.
func (l *Source) Next(p *capture.Packet) error {
	if l.ended {
		return io.EOF
	}
	err := l.From.Next(p)
	if errors.Is(err, capture.ErrDown) {
		l.say(err)
		return capture.ErrQuiet
	}
	if err != nil && err != capture.ErrQuiet {
		if l.ended = l.From.Left() == 0; !l.ended {
			l.say(err) // and the other interfaces go on
		}
	}
	return err
}

func (*Source) Endless() bool { return true }

func (l *Source) Tick(quiet bool) {
	if quiet {
		l.Run.Engine.Time(time.Now().Add(-lateness).UnixNano())
		_ = l.Out.Flush() // kept in err
	}
	l.ask()
	if l.Asked.CompareAndSwap(true, false) {
		l.printSoFar()
	}
	c := l.Run.Engine.Counters()
	if l.Screen != nil {
		l.Screen.Update(time.Now(), c, l.Totals.FindingCount, l.lost)
		return
	}
	l.Status.update(c, l.Totals.FindingCount, l.lost)
}

// Halt has what waits in the kernel given still.
func (l *Source) Halt() bool {
	l.From.Stop()
	return true
}

// Done counts what waits when the run ends before the packets do, so that none is missing from the counts.
func (l *Source) Done() {
	l.EndScreen()
	l.Status.done()
	l.From.Stop()
	l.before = l.From.Statistics()
	var p capture.Packet
	for err := error(nil); err == nil || err == capture.ErrQuiet || l.From.Left() > 0; {
		err = l.From.Next(&p)
	}
}

// say tells people of something while packets go on.
func (l *Source) say(err error) {
	if l.Screen != nil {
		l.Screen.Say(err)
		return
	}
	l.Status.done()
	term.Complain(l.Err, err)
}

// EndScreen takes the screen away and tells what was said while it was there.
func (l *Source) EndScreen() {
	s := l.Screen
	if s == nil {
		return
	}
	l.Screen = nil
	s.done()
	for _, err := range s.said {
		term.Complain(l.Err, err)
	}
	if s.unsaid > 0 {
		term.Complain(l.Err, fmt.Errorf("%s more was said", report.FormatCount(int64(s.unsaid))))
	}
}

// AskEvery is how often the kernel is asked what it dropped, and how often what waits to be written is.
const AskEvery = time.Second

// ask asks the kernel for its counts, from time to time, and says when packets begin to be lost.
func (l *Source) ask() {
	now := time.Now()
	if now.Before(l.next) {
		return
	}
	l.next = now.Add(AskEvery)
	_ = l.Out.Flush() // for who reads a pipe; kept in err
	if l.Saver != nil {
		_ = l.Saver.To.Flush() // kept by it
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
		l.say(fmt.Errorf("%s: the kernel drops packets: they are not read in time (a larger -B, a filter with -f or -q "+
			"help)", strings.Join(where, ", ")))
	}
}

// printSoFar prints the statistics in between as those at the end are, so that they can be compared.
func (l *Source) printSoFar() {
	if l.Screen != nil {
		l.Screen.screen.Aside(l.printTotals)
		return
	}
	l.Status.done()
	l.printTotals()
}

func (l *Source) printTotals() {
	l.Totals.Print(term.NewOutput(l.Err, l.Out.Width), l.Run.Counters())
	_ = l.KernelCounts() // who asks sees it
}

// KernelCounts tells what the kernel counted of each interface.
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
			text += fmt.Sprintf(", %s not looked at", report.FormatCount(left))
		}
		_, bad := fmt.Fprintf(l.Err, "gamedissect: %s\n", text)
		err = errors.Join(err, bad)
	}
	return err
}
