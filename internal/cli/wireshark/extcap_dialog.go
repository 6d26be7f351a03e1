package wireshark

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/known"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// ExtcapPrefix begins the names of our interfaces at Wireshark, where others list the same ones.
const ExtcapPrefix = "gamedissect-"

// EveryProtocol is what the dialog has for no choice.
const EveryProtocol = "all"

// An extcapArgument is a line of Wireshark's dialog, and the flag by which its value comes.
type extcapArgument struct {
	Flag    string // called as that of the program's own command
	letter  string // by which errors call it
	display string
	kind    string // string, integer, boolflag, selector
	more    string // further parts of the sentence
	tip     string
	Choices func() [][2]string // of a selector: value and what is shown; the first is the default
}

// ExtcapArguments are the lines of the dialog.
var ExtcapArguments = []extcapArgument{
	{Flag: "display-filter", letter: "-Y", display: "Display filter", kind: "string",
		tip: "Only packets with messages that it is true of, such as: tribes || bzflag24.killed"},
	{Flag: "protocol", display: "Protocol", kind: "selector", Choices: protocolChoices,
		tip: "Look only for this one; without a capture filter only packets of its ports are captured"},
	{Flag: "decode-as", letter: "-d", display: "Decode as", kind: "string",
		tip: "Ports and what they are taken for, with blanks between several: udp.port==7000,tribes"},
	{Flag: "snapshot-length", letter: "-s", display: "Bytes of each packet", kind: "integer",
		more: "{range=0,262144}{default=0}", tip: "0 is all"},
	{Flag: "no-promiscuous-mode", display: "Leave the interface in its mode", kind: "boolflag", more: "{default=false}",
		tip: "Not promiscuous: only packets that are for this machine"},
	{Flag: "comments", display: "Comments tell", kind: "selector", Choices: commentChoices,
		tip: "What packets carry as comments, where Wireshark shows them"},
	{Flag: "severity", display: "Findings from", kind: "selector", Choices: severityChoices,
		tip: "Findings of this severity or above"},
}

// A dialogError is an error of an option that names what Wireshark has in place of it.
type dialogError struct{ error }

// Error implements error.
func (e dialogError) Error() string {
	text := strings.Replace(e.error.Error(), " -f '", " the capture filter '", 1) // what may have been meant
	option, _, _ := strings.Cut(text, " ")
	option = strings.TrimSuffix(option, ":")
	shown := map[string]string{"-f": "Capture filter", "-w": "--fifo"}
	for _, a := range ExtcapArguments {
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

// Unwrap gives the error of the option.
func (e dialogError) Unwrap() error { return e.error }

// ForDialog has errors of options name what Wireshark has in place of them.
func ForDialog(err error) error {
	var list []error
	for one := range term.Causes(err) {
		list = append(list, dialogError{one})
	}
	return errors.Join(list...)
}

func protocolChoices() [][2]string {
	list := [][2]string{{EveryProtocol, "all"}}
	for _, p := range known.Protocols() {
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

// ExtcapDialog is what Wireshark makes its dialog from.
func ExtcapDialog() string {
	var b strings.Builder
	for i, a := range ExtcapArguments {
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

// ListExtcap lists the interfaces. One with a brace in its name cannot be told.
func ListExtcap(w io.Writer) error {
	devices, err := capture.Devices()
	if err != nil {
		return err
	}
	devices = append(devices, capture.Device{Name: capture.AnyInterface})
	var b strings.Builder
	fmt.Fprintf(&b, "extcap {version=%s}{display=gamedissect}\n", term.Version())
	for _, d := range devices {
		if !strings.ContainsAny(d.Name, "{}\r\n") {
			fmt.Fprintf(&b, "interface {value=%s%s}{display=gamedissect: %s}\n", ExtcapPrefix, d.Name, d.Name)
		}
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// TellLinkType tells how packets of an interface begin, by the numbers of libpcap's DLT_ and their names.
func TellLinkType(w io.Writer, name string) error {
	link, err := capture.LinkTypeOf(name)
	if err != nil {
		return err
	}
	number, short := int(link), fmt.Sprintf("LINKTYPE_%d", link)
	switch number {
	case 1:
		short = "EN10MB"
	case 101: // which is not what a capture file has
		number, short = 12, "RAW"
	case 276:
		short = "LINUX_SLL2"
	}
	_, err = fmt.Fprintf(w, "dlt {number=%d}{name=%s}{display=%s}\n", number, short, link)
	return err
}
