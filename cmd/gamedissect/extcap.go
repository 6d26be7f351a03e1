package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
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
func newExtcap(std streams) *cobra.Command {
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
	f.StringVar(&o.protocol, "protocol", everyProtocol, "look only for this `PROTOCOL`")
	f.StringVar(&o.decodeAs, "decode-as", "", "take the traffic of ports for protocols: `PORT,PROTOCOL` ...")
	f.IntVar(&o.snap, "snapshot-length", 0, "capture `BYTES` of each packet; 0 is all")
	f.BoolVar(&o.noPromisc, "no-promiscuous-mode", false, "leave the interface in its mode")
	f.StringVar(&o.comments, "comments", "messages", "what comments `TELL`: messages or findings")
	f.StringVar(&o.severity, "severity", severityNames[0], "tell only findings of this `SEVERITY` or above")
}

// run answers one call. Wireshark shows people what is written to standard error, whatever it is.
func (o *extcapOptions) run(std streams) error {
	if o.interfaces {
		return listExtcap(std.out)
	}
	name, ours := strings.CutPrefix(o.named, extcapPrefix)
	switch {
	case !ours && o.named != "":
		return fmt.Errorf("--extcap-interface %s: there is no such interface; --extcap-interfaces lists those that there are",
			o.named)
	case o.dlts && ours:
		return tellLinkType(std.out, name)
	case o.config && ours:
		_, err := io.WriteString(std.out, extcapDialog())
		return err
	case o.capture && ours && o.fifo != "":
		return o.take(std, name)
	case o.capture:
		return errors.New("--capture: name --extcap-interface and --fifo as well")
	case o.cleanup:
		return nil
	case o.filter != "" && ours:
		if err := (&packetOptions{filter: o.filter}).check(false); err != nil {
			complain(std.out, forDialog(err)) // it is what Wireshark asked for
		}
		return nil
	}
	return errors.New("this is for Wireshark, which calls it with arguments of its own (gamedissect wireshark --install)")
}

// take captures until Wireshark has enough: it signals, or reads the pipe no more.
func (o *extcapOptions) take(std streams, name string) error {
	if err := needPipe(o.fifo); err != nil {
		return err
	}
	var d dissectOptions
	defaults := new(cobra.Command)
	d.flags(defaults)
	d.live.flags(defaults)
	d.live.names, d.live.snap, d.live.noPromisc = []string{name}, o.snap, o.noPromisc
	d.live.status, d.live.silent = "none", true
	if isRoot() { // whoever called sudo may not open the pipe
		d.live.user = "root"
	}
	d.write = writeOptions{name: o.fifo, format: "pcapng", comments: o.comments}
	d.text.eager, d.text.quiet = true, true
	d.decode.packets.filter, d.decode.filter = o.filter, o.display
	d.findings.severity = o.severity
	if o.protocol != everyProtocol && o.protocol != "" {
		d.decode.packets.protocols = []string{o.protocol}
	}
	d.decode.reading.decodeAs = strings.FieldsFunc(o.decodeAs, func(r rune) bool { return r == ' ' || r == ';' })
	std.out = io.Discard // what there is to see goes through the pipe
	err := forDialog(d.run(newOutputs(std), everywhere, whileRead(o.fifo)))
	if err != nil {
		unblock(o.fifo)
	}
	if errors.Is(err, capture.ErrRights) {
		err = fmt.Errorf("%w; Wireshark's own rights do not count for it", err)
	}
	return err
}

// nothing is a sink that takes no interest in what is found.
type nothing struct{}

func (nothing) message(*decode.Message)      {}
func (nothing) finding(*wire.TrafficFinding) {}
