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

// Extcap has the arguments with which Wireshark calls a capture program (see extcap(4)).
type Extcap struct {
	Interfaces, LinkTypes, Config, Capture, Cleanup bool // what Wireshark requests; only one is set

	Version   string
	Interface string // name including interfacePrefix
	Pipe      string // pipe to write packets to
	Filter    string // capture filter

	// These are the values of Arguments.
	Display   string
	Protocol  string
	DecodeAs  string
	Snap      int
	NoPromisc bool
	Severity  string
	Comments  string
}

// Run handles a call of Wireshark. To capture, it calls capture with the name of the interface. capture must return
// when a signal arrives or when Pipe no longer has a reader. Wireshark shows its users everything that is written to
// standard error.
func (o *Extcap) Run(std term.Streams, capture func(name string) error) error {
	if o.Interfaces {
		return listInterfaces(std.Out)
	}
	name, ours := strings.CutPrefix(o.Interface, interfacePrefix)
	switch {
	case !ours && o.Interface != "":
		return fmt.Errorf("--extcap-interface %s: there is no such interface; --extcap-interfaces lists all",
			o.Interface)
	case o.LinkTypes && ours:
		return writeLinkType(std.Out, name)
	case o.Config && ours:
		_, err := io.WriteString(std.Out, Dialog())
		return err
	case o.Capture && ours && o.Pipe != "":
		return o.take(name, capture)
	case o.Capture:
		return errors.New("--capture also needs --extcap-interface and --fifo")
	case o.Cleanup:
		return nil
	case o.Filter != "" && ours:
		if err := (&session.PacketOptions{Filter: o.Filter}).Check(); err != nil {
			term.Complain(std.Out, ForDialog(err)) // printed to std.Out as the answer to Wireshark
		}
		return nil
	}
	return errors.New("only Wireshark calls this command, with its own arguments (see gamedissect wireshark --install)")
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
