package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/internal/cli/live"
	"github.com/gamedissect/gamedissect/internal/cli/outfile"
	"github.com/gamedissect/gamedissect/internal/cli/recording"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/cli/wireshark"
)

// extcapOptions are how Wireshark calls programs that capture for it, see extcap(4): what it wants to know, and of
// which interface. The others are those that its dialog shows, see extcapArguments.
type extcapOptions struct {
	interfaces, dlts, config, capture, cleanup bool

	version   string
	named     string // the interface, as extcap calls it
	fifo      string
	filter    string // of packets
	display   string
	protocol  string
	decodeAs  string
	snap      int
	noPromisc bool
	severity  string
	comments  string
}

// newExtcap makes the command by which Wireshark captures.
func newExtcap(std term.Streams) *cobra.Command {
	var o extcapOptions
	c := &cobra.Command{
		Use:   "extcap",
		Short: "capture for Wireshark, which calls this",
		Long: "extcap is how Wireshark lists interfaces and captures from them, once gamedissect wireshark --install was " +
			"run.",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE:   func(*cobra.Command, []string) error { return o.run(std) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.BoolVar(&o.interfaces, "extcap-interfaces", false, "list the interfaces")
	f.StringVar(&o.version, "extcap-version", "", "the `VERSION` of Wireshark; all are answered alike")
	f.StringVar(&o.named, "extcap-interface", "", "which of the interfaces, by `NAME`, is meant")
	f.BoolVar(&o.dlts, "extcap-dlts", false, "tell its link type")
	f.BoolVar(&o.config, "extcap-config", false, "tell what the dialog asks for")
	f.BoolVar(&o.capture, "capture", false, "capture from it")
	f.StringVar(&o.fifo, "fifo", "", "write packets to the pipe `FILE`")
	f.StringVar(&o.filter, "extcap-capture-filter", "", "take only packets that the capture `FILTER` lets through; "+
		"without --capture, say what is wrong about it")
	f.BoolVar(&o.cleanup, "extcap-cleanup-postkill", false, "nothing is left behind that would have to be removed")
	o.dialogFlags(c)
	return c
}

// dialogFlags are what extcapArguments tells Wireshark of. An empty text is none.
func (o *extcapOptions) dialogFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.display, "display-filter", "", "write only what the `FILTER` is true of")
	f.StringVar(&o.protocol, "protocol", wireshark.EveryProtocol, "look only for this `PROTOCOL`")
	f.StringVar(&o.decodeAs, "decode-as", "", "take the traffic of ports for protocols: `PORT,PROTOCOL` ...")
	f.IntVar(&o.snap, "snapshot-length", 0, "capture `BYTES` of each packet; 0 is all")
	f.BoolVar(&o.noPromisc, "no-promiscuous-mode", false, "leave the interface in its mode")
	f.StringVar(&o.comments, "comments", "messages", "what comments `TELL`: messages or findings")
	f.StringVar(&o.severity, "severity", session.SeverityNames[0], "tell only findings of this `SEVERITY` or above")
}

// run answers one call. Wireshark shows people what is written to standard error, whatever it is.
func (o *extcapOptions) run(std term.Streams) error {
	if o.interfaces {
		return wireshark.ListExtcap(std.Out)
	}
	name, ours := strings.CutPrefix(o.named, wireshark.ExtcapPrefix)
	switch {
	case !ours && o.named != "":
		return fmt.Errorf("--extcap-interface %s: there is no such interface; --extcap-interfaces lists those that there are",
			o.named)
	case o.dlts && ours:
		return wireshark.TellLinkType(std.Out, name)
	case o.config && ours:
		_, err := io.WriteString(std.Out, wireshark.ExtcapDialog())
		return err
	case o.capture && ours && o.fifo != "":
		return o.take(std, name)
	case o.capture:
		return errors.New("--capture: name --extcap-interface and --fifo as well")
	case o.cleanup:
		return nil
	case o.filter != "" && ours:
		if err := (&session.PacketOptions{Filter: o.filter}).Check(false); err != nil {
			term.Complain(std.Out, wireshark.ForDialog(err)) // it is what Wireshark asked for
		}
		return nil
	}
	return errors.New("this is for Wireshark, which calls it with arguments of its own (gamedissect wireshark --install)")
}

// take captures until Wireshark has enough: it signals, or reads the pipe no more.
func (o *extcapOptions) take(std term.Streams, name string) error {
	if err := wireshark.NeedPipe(o.fifo); err != nil {
		return err
	}
	var d dissectOptions
	defaults := new(cobra.Command)
	d.flags(defaults)
	d.live.Flags(defaults)
	d.live.Names, d.live.Snap, d.live.NoPromisc = []string{name}, o.snap, o.noPromisc
	d.live.Status, d.live.Silent = "none", true
	if live.IsRoot() { // whoever called sudo may not open the pipe
		d.live.User = "root"
	}
	d.write = recording.Options{Name: o.fifo, Format: "pcapng", Comments: o.comments}
	d.text.Eager, d.text.Quiet = true, true
	d.decode.Packets.Filter, d.decode.Filter = o.filter, o.display
	d.findings.Severity = o.severity
	if o.protocol != wireshark.EveryProtocol && o.protocol != "" {
		d.decode.Packets.Protocols = []string{o.protocol}
	}
	d.decode.Reading.DecodeAs = strings.FieldsFunc(o.decodeAs, func(r rune) bool { return r == ' ' || r == ';' })
	std.Out = io.Discard // what there is to see goes through the pipe
	err := wireshark.ForDialog(d.run(outfile.NewOutputs(std), session.Everywhere, wireshark.WhileRead(o.fifo)))
	if err != nil {
		wireshark.Unblock(o.fifo)
	}
	if errors.Is(err, capture.ErrRights) {
		err = fmt.Errorf("%w; Wireshark's own rights do not count for it", err)
	}
	return err
}
