package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/internal/cli/live"
	"github.com/gamedissect/gamedissect/internal/cli/outfile"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/cli/tshark"
)

func newExtcap(std term.Streams) *cobra.Command {
	var o tshark.Extcap
	c := &cobra.Command{
		Use:   "extcap",
		Short: "capture packets for Wireshark, which calls this command",
		Long: "Wireshark calls extcap to list interfaces and to capture from them, after gamedissect wireshark --install " +
			"was run.",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return o.Run(std, func(name string) error { return capturePackets(std, name, &o) })
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.BoolVar(&o.Interfaces, "extcap-interfaces", false, "list the interfaces")
	f.StringVar(&o.Version, "extcap-version", "", "the `VERSION` of Wireshark; it changes nothing")
	f.StringVar(&o.Interface, "extcap-interface", "", "the `NAME` of the interface")
	f.BoolVar(&o.LinkTypes, "extcap-dlts", false, "print its link type")
	f.BoolVar(&o.Config, "extcap-config", false, "print the description of the dialog")
	f.BoolVar(&o.Capture, "capture", false, "capture from it")
	f.StringVar(&o.Pipe, "fifo", "", "write packets to the pipe `FILE`")
	f.StringVar(&o.Filter, "extcap-capture-filter", "", "capture only packets that match the capture `FILTER`; "+
		"without --capture, only check the filter")
	f.BoolVar(&o.Cleanup, "extcap-cleanup-postkill", false, "do nothing, since nothing has to be cleaned up")
	dialogFlags(c, &o)
	return c
}

// dialogFlags defines the flags of tshark.Arguments. An empty value counts as not given.
func dialogFlags(c *cobra.Command, o *tshark.Extcap) {
	f := c.Flags()
	f.StringVar(&o.Display, "display-filter", "", "write only messages that match `FILTER`")
	f.StringVar(&o.Protocol, "protocol", tshark.EveryProtocol, "decode only this `PROTOCOL`")
	f.StringVar(&o.DecodeAs, "decode-as", "", "decode ports as protocols: `PORT,PROTOCOL` ...")
	f.IntVar(&o.Snap, "snapshot-length", 0, "capture `BYTES` of each packet; 0 is all")
	f.BoolVar(&o.NoPromisc, "no-promiscuous-mode", false, "do not put the interface into promiscuous mode")
	f.StringVar(&o.Comments, "comments", "messages", "`CONTENT` of comments: messages or findings")
	f.StringVar(&o.Severity, "severity", session.SeverityNames[0], "show only findings of this `SEVERITY` or "+
		"above")
}

// capturePackets writes the packets of an interface to Wireshark's pipe.
func capturePackets(std term.Streams, name string, o *tshark.Extcap) error {
	var d dissectOptions
	defaults := new(cobra.Command)
	d.flags(defaults)
	d.live.Flags(defaults)
	d.live.Names, d.live.Snap, d.live.NoPromisc = []string{name}, o.Snap, o.NoPromisc
	d.live.Status, d.live.Silent = "none", true
	if live.IsRoot() { // the user who called sudo may lack the permission to open the pipe
		d.live.User = "root"
	}
	d.write = live.WriteOptions{Name: o.Pipe, Format: "pcapng", Comments: o.Comments}
	d.text.Eager, d.text.Quiet = true, true
	d.decode.Packets.Filter, d.decode.Filter = o.Filter, o.Display
	d.findings.Severity = o.Severity
	if o.Protocol != tshark.EveryProtocol && o.Protocol != "" {
		d.decode.Packets.Protocols = []string{o.Protocol}
	}
	d.decode.Reading.DecodeAs = strings.FieldsFunc(o.DecodeAs, func(r rune) bool { return r == ' ' || r == ';' })
	std.Out = io.Discard // packets go through the pipe
	return d.run(outfile.NewOutputs(std), nil, tshark.WhileRead(o.Pipe))
}
