package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers"
)

// newProtocols makes the command that lists the protocols.
func newProtocols(std streams) *cobra.Command {
	return &cobra.Command{
		Use:   "protocols",
		Short: "list the protocols, their ports, and where document and real programs differ",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			out := newOutput(std.out, 0)
			for i, p := range layers.All() {
				if i > 0 {
					out.buf = append(out.buf, '\n')
				}
				out.buf = appendProtocol(out.buf, p)
			}
			return out.flush()
		},
	}
}

func appendProtocol(b []byte, p *wire.Protocol) []byte {
	b = fmt.Appendf(b, "%s: %s\n  UDP ports  %s\n", p.Name, p.Title, ports(p.UDP))
	if len(p.TCP) > 0 {
		b = fmt.Appendf(b, "  TCP ports  %s\n", ports(p.TCP))
	}
	b = append(b, "  messages   "...)
	line := len("  messages   ")
	for i, name := range messageNames(p) {
		word := name
		if i > 0 {
			word = ", " + word
		}
		if line += len(word); line > 100 {
			b = append(b, ",\n             "...)
			word = name
			line = 13 + len(word)
		}
		b = append(b, word...)
	}
	b = fmt.Appendf(b, "\n  rules      %d (gamedissect rules %s.)\n", len(p.Rules), p.Name)
	for _, d := range p.Differences {
		b = fmt.Appendf(b, "  - %s\n", d)
	}
	return b
}

// messageNames lists the messages, those that both sides send once.
func messageNames(p *wire.Protocol) []string {
	var names []string
	for _, m := range p.Messages.All() {
		if !slices.Contains(names, m.Name) {
			names = append(names, m.Name)
		}
	}
	return names
}

// ports writes ports with runs put together.
func ports(list []uint16) string {
	var s []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		switch j - i {
		case 0, 1:
			for ; i <= j; i++ {
				s = append(s, fmt.Sprint(list[i]))
			}
		default:
			s = append(s, fmt.Sprintf("%d-%d", list[i], list[j]))
			i = j + 1
		}
	}
	return strings.Join(s, ", ")
}
