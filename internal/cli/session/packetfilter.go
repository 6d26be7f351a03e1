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
	"github.com/gamedissect/gamedissect/internal/cli/known"
	"github.com/gamedissect/gamedissect/internal/cli/option"
)

// PacketOptions choose packets before they are dissected.
type PacketOptions struct {
	Filter    string
	Protocols []string

	chosen []*wire.Protocol
}

func (o *PacketOptions) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVarP(&o.Filter, "capture-filter", "f", "",
		"look only at packets that the capture `FILTER` lets through, as tcpdump has them: 'udp port 6969 and host 10.0.0.1'")
	f.StringArrayVar(&o.Protocols, "protocol", nil,
		"look only for this `PROTOCOL`; may repeat. Live, without -f, only packets of its ports are captured")
	option.CompleteWith(c, "protocol", known.Names()...)
}

// Check finds what makes no sense. The filter is compiled for Ethernet, to be refused before anything is
// opened; other links may refuse it later.
func (o *PacketOptions) Check(files bool) error {
	o.chosen = known.Protocols()
	if len(o.Protocols) > 0 {
		o.chosen = nil
	}
	for _, name := range o.Protocols {
		p := known.Protocol(name)
		if p == nil {
			return option.OneOf("--protocol", name, known.Names())
		}
		o.chosen = append(o.chosen, p)
	}
	if o.Filter == "" {
		return nil
	}
	program, err := o.compile(1, 0)
	if err == nil && files && program.ReadsKernel() {
		return errors.New("-f: no file says which way a packet went; inbound and outbound are for -i")
	}
	return err
}

// isCaptureFilter reports whether a text is one that -f takes.
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

// Live gives what makes the filter of an interface: that of the user, or the ports of the protocols that are
// asked for, if it is known which those are. Nil is none.
func (o *PacketOptions) Live(as []decode.DecodeAs) func(capture.LinkType, int) (capture.Filter, error) {
	if o.Filter != "" {
		return func(link capture.LinkType, snap int) (capture.Filter, error) { return o.compile(link, snap) }
	}
	wide := func(p *wire.Protocol) bool { return p.AnyPort }
	if len(o.Protocols) == 0 || slices.ContainsFunc(o.chosen, wide) {
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

// Wanted gives what chooses the packets of files; nil takes every one.
func (o *PacketOptions) Wanted(refused func(error)) func(*capture.Packet) bool {
	if o.Filter == "" {
		return nil
	}
	programs := make(map[capture.LinkType]*bpf.Program)
	return func(p *capture.Packet) bool {
		program, known := programs[p.LinkType]
		if !known {
			var err error
			if program, err = o.compile(p.LinkType, 0); err != nil {
				refused(fmt.Errorf("%s: %s packets are left out: %w", p.File, p.LinkType, err))
				program = nil
			}
			programs[p.LinkType] = program
		}
		return program != nil && program.Match(p.Data, p.Length)
	}
}
