package tshark

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// Extcap has the arguments with which Wireshark calls a program that captures for it, see extcap(4).
type Extcap struct {
	Interfaces, LinkTypes, Config, Capture, Cleanup bool // what Wireshark requests

	Version   string
	Interface string // name with interfacePrefix
	Pipe      string // where the packets go
	Filter    string // capture filter

	// The values of Arguments.
	Display   string
	Protocol  string
	DecodeAs  string
	Snap      int
	NoPromisc bool
	Severity  string
	Comments  string
}

// Run answers a call. To capture, it calls capture with the name of the interface; capture returns when a signal
// arrives or Pipe no longer has a reader. Wireshark shows its users everything on standard error.
func (o *Extcap) Run(std term.Streams, capture func(name string) error) error {
	if o.Interfaces {
		return listInterfaces(std.Out)
	}
	name, ours := strings.CutPrefix(o.Interface, interfacePrefix)
	switch {
	case !ours && o.Interface != "":
		return fmt.Errorf("--extcap-interface %s: there is no such interface; --extcap-interfaces lists those that there are",
			o.Interface)
	case o.LinkTypes && ours:
		return writeLinkType(std.Out, name)
	case o.Config && ours:
		_, err := io.WriteString(std.Out, Dialog())
		return err
	case o.Capture && ours && o.Pipe != "":
		return o.take(name, capture)
	case o.Capture:
		return errors.New("--capture: name --extcap-interface and --fifo as well")
	case o.Cleanup:
		return nil
	case o.Filter != "" && ours:
		if err := (&session.PacketOptions{Filter: o.Filter}).Check(); err != nil {
			term.Complain(std.Out, ForDialog(err)) // this is the answer to Wireshark, not an error
		}
		return nil
	}
	return errors.New("this is for Wireshark, which calls it with arguments of its own (gamedissect wireshark --install)")
}

// take captures into the pipe.
func (o *Extcap) take(name string, run func(name string) error) error {
	if err := checkPipe(o.Pipe); err != nil {
		return err
	}
	err := ForDialog(run(name))
	if err != nil {
		unblock(o.Pipe)
	}
	if errors.Is(err, capture.ErrRights) {
		err = fmt.Errorf("%w; Wireshark's own permissions do not apply to gamedissect", err)
	}
	return err
}
