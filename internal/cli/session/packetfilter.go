package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/bpf"
	"github.com/gamedissect/gamedissect/internal/cli/option"
)

// PacketOptions select the packets that the engine gets, and the protocols that it looks for.
type PacketOptions struct {
	Filter    string
	Protocols []string

	chosen []*wire.Protocol // set by Check
}

func (o *PacketOptions) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVarP(&o.Filter, "capture-filter", "f", "",
		"keep only packets that match the capture `FILTER`, in tcpdump's language: 'udp port 6969 and host 10.0.0.1'")
	f.StringArrayVar(&o.Protocols, "protocol", nil,
		"decode only this `PROTOCOL`; may repeat. Live, without -f, only packets of its ports are captured")
	option.CompleteWith(c, "protocol", option.ProtocolNames()...)
}

// Check returns an error if the options are invalid. It compiles the filter for Ethernet, to report errors before any
// file is opened. The filter may still be invalid for other link types.
func (o *PacketOptions) Check() error {
	o.chosen = option.Protocols()
	if len(o.Protocols) > 0 {
		o.chosen = nil
	}
	for _, name := range o.Protocols {
		p := option.Protocol(name)
		if p == nil {
			return option.OneOf("--protocol", name, option.ProtocolNames())
		}
		o.chosen = append(o.chosen, p)
	}
	if o.Filter == "" {
		return nil
	}
	_, err := o.compile(1, 0)
	return err
}

func isCaptureFilter(text string) bool {
	_, err := bpf.Compile(text, 1, 0)
	return err == nil && !strings.Contains(text, "'")
}

func (o *PacketOptions) compile(link capture.LinkType, snap int) (*bpf.Program, error) {
	p, err := bpf.Compile(o.Filter, link, snap)
	if err != nil {
		return nil, fmt.Errorf("-f: %w", err)
	}
	return p, nil
}

// Live returns a function that compiles the filter for a live capture. It compiles -f or, without -f, a filter for the
// ports of --protocol and the ports that the argument as lists. Without -f, Live returns nil if --protocol is not
// given, or if one of the protocols has no fixed ports.
func (o *PacketOptions) Live(as []decode.DecodeAs) func(capture.LinkType, int) (capture.Filter, error) {
	if o.Filter != "" {
		return func(link capture.LinkType, snap int) (capture.Filter, error) { return o.compile(link, snap) }
	}
	anyPort := func(p *wire.Protocol) bool { return p.AnyPort }
	if len(o.Protocols) == 0 || slices.ContainsFunc(o.chosen, anyPort) {
		return nil
	}
	var udp, tcp []uint16
	for _, p := range o.chosen {
		udp, tcp = append(udp, p.UDP...), append(tcp, p.TCP...)
	}
	for _, a := range as {
		if a.Transport == wire.TCP {
			tcp = append(tcp, a.Port)
		} else {
			udp = append(udp, a.Port)
		}
	}
	return func(link capture.LinkType, snap int) (capture.Filter, error) {
		return bpf.Compile(bpf.PortsFilter(udp, tcp, link), link, snap)
	}
}

// Wanted returns a function that selects packets of files, or nil to select all. If -f cannot be compiled for a link
// type, the function calls refused once, and then rejects all packets of that type.
func (o *PacketOptions) Wanted(refused func(error)) func(*capture.Packet) bool {
	if o.Filter == "" {
		return nil
	}
	programs := make(map[capture.LinkType]*bpf.Program)
	return func(p *capture.Packet) bool {
		program, known := programs[p.LinkType]
		if !known {
			var err error
			program, err = o.compile(p.LinkType, 0)
			if err == nil && program.ReadsKernel() {
				err = errors.New("-f: these frames do not say which way a packet went; in files, inbound and outbound work " +
					"only with Linux cooked and PFLOG frames")
			}
			if err != nil {
				refused(fmt.Errorf("%s: %s packets are left out: %w", p.File, p.LinkType, err))
				program = nil
			}
			programs[p.LinkType] = program
		}
		return program != nil && program.Match(p.Data, p.Length)
	}
}
