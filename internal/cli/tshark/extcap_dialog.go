package tshark

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// interfacePrefix distinguishes the names of our interfaces from those of the same interfaces that Wireshark lists
// itself.
const interfacePrefix = "gamedissect-"

// EveryProtocol is the value in the dialog if no protocol is chosen.
const EveryProtocol = "all"

// An Argument is a line of Wireshark's dialog, and the flag with which Wireshark passes the line's value.
type Argument struct {
	Flag    string // name of the corresponding gamedissect flag
	letter  string // letter of the flag in error messages
	display string
	kind    string // one of string, integer, boolflag, selector
	more    string // rest of the line's description
	tip     string
	Choices func() [][2]string // values and labels of a selector; the first is the default
}

// Arguments are the lines of the dialog.
var Arguments = []Argument{
	{Flag: "display-filter", letter: "-Y", display: "Display filter", kind: "string",
		tip: "Only packets with messages that match it, such as: tribes || bzflag24.killed"},
	{Flag: "protocol", display: "Protocol", kind: "selector", Choices: protocolChoices,
		tip: "Decode only this protocol; without a capture filter, only packets of its ports are captured"},
	{Flag: "decode-as", letter: "-d", display: "Decode as", kind: "string",
		tip: "Ports and their protocols, separated by blanks: udp.port==7000,tribes"},
	{Flag: "snapshot-length", letter: "-s", display: "Bytes of each packet", kind: "integer",
		more: "{range=0,262144}{default=0}", tip: "0 is all"},
	{Flag: "no-promiscuous-mode", display: "No promiscuous mode", kind: "boolflag", more: "{default=false}",
		tip: "Capture only packets for this machine"},
	{Flag: "comments", display: "Comments", kind: "selector", Choices: commentChoices,
		tip: "What the comments of packets contain"},
	{Flag: "severity", display: "Findings from", kind: "selector", Choices: severityChoices,
		tip: "Findings of this severity or above"},
}

// A dialogError is an error about an option. Its text names the line of the dialog instead of the option.
type dialogError struct{ error }

func (e dialogError) Error() string {
	text := strings.Replace(e.error.Error(), " -f '", " the capture filter '", 1) // in the suggestion of another filter
	option, _, _ := strings.Cut(text, " ")
	option = strings.TrimSuffix(option, ":")
	shown := map[string]string{"-f": "Capture filter", "-w": "--fifo"}
	for _, a := range Arguments {
		shown["--"+a.Flag] = a.display
		if a.letter != "" {
			shown[a.letter] = a.display
		}
	}
	if name := shown[option]; name != "" {
		return name + strings.TrimPrefix(text, option)
	}
	return text
}

func (e dialogError) Unwrap() error { return e.error }

// ForDialog changes errors about options so that they name lines of the dialog.
func ForDialog(err error) error {
	var list []error
	for one := range term.Causes(err) {
		list = append(list, dialogError{one})
	}
	return errors.Join(list...)
}

func protocolChoices() [][2]string {
	list := [][2]string{{EveryProtocol, "all"}}
	for _, p := range option.Protocols() {
		list = append(list, [2]string{p.Name, p.Name + ": " + p.Title})
	}
	return list
}

func commentChoices() [][2]string {
	return [][2]string{{"messages", "messages and findings"}, {"findings", "findings"}}
}

func severityChoices() [][2]string {
	var list [][2]string
	for s := wire.Note; s <= wire.Error; s++ {
		list = append(list, [2]string{s.String(), s.String()})
	}
	return list
}

// Dialog returns the description of the dialog, for Wireshark to read.
func Dialog() string {
	var b strings.Builder
	for i, a := range Arguments {
		fmt.Fprintf(&b, "arg {number=%d}{call=--%s}{display=%s}{type=%s}%s{tooltip=%s}\n", i, a.Flag, a.display, a.kind,
			a.more, a.tip)
		if a.Choices == nil {
			continue
		}
		for j, c := range a.Choices() {
			fmt.Fprintf(&b, "value {arg=%d}{value=%s}{display=%s}{default=%t}\n", i, c[0], c[1], j == 0)
		}
	}
	return b.String()
}

// listInterfaces lists the interfaces. It omits names with a brace, because the format cannot express them.
func listInterfaces(w io.Writer) error {
	devices, err := capture.Devices()
	if err != nil {
		return err
	}
	devices = append(devices, capture.Device{Name: capture.AnyInterface})
	var b strings.Builder
	fmt.Fprintf(&b, "extcap {version=%s}{display=gamedissect}\n", term.Version())
	for _, d := range devices {
		if !strings.ContainsAny(d.Name, "{}\r\n") {
			fmt.Fprintf(&b, "interface {value=%s%s}{display=gamedissect: %s}\n", interfacePrefix, d.Name, d.Name)
		}
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// writeLinkType writes the link type of an interface, as the number and name of libpcap's DLT_ constant.
func writeLinkType(w io.Writer, name string) error {
	link, err := capture.LinkTypeOf(name)
	if err != nil {
		return err
	}
	number, short := int(link), fmt.Sprintf("LINKTYPE_%d", link)
	switch number {
	case 1:
		short = "EN10MB"
	case 101: // LINKTYPE number; the DLT number differs
		number, short = 12, "RAW"
	case 276:
		short = "LINUX_SLL2"
	}
	_, err = fmt.Fprintf(w, "dlt {number=%d}{name=%s}{display=%s}\n", number, short, link)
	return err
}
