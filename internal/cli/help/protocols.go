package help

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// PrintProtocols prints the protocols with their ports and messages, and with the points in which documents disagree
// about them.
func PrintProtocols(std term.Streams) error {
	t, err := term.NewTerminal(std.Out, "auto")
	if err != nil {
		return err
	}
	out := term.NewOutput(std.Out, 0)
	for i, p := range option.Protocols() {
		if i > 0 {
			out.Buf = append(out.Buf, '\n')
		}
		out.Buf = appendProtocol(out.Buf, p, t.Width)
	}
	return out.Flush()
}

// appendProtocol appends the facts about a protocol. If the width is 0, each fact is one line, for grep.
func appendProtocol(b []byte, p *wire.Protocol, width int) []byte {
	const indent = 13
	fact := func(what, text string) {
		b = fmt.Appendf(b, "  %-*s", indent-2, what)
		b = append(term.AppendFitting(b, []byte(text), indent, indent, width), '\n')
	}
	b = append(term.AppendFitting(b, []byte(p.Name+": "+p.Title), 0, 2, width), '\n')
	fact("UDP ports", Ports(p.UDP))
	if len(p.TCP) > 0 {
		fact("TCP ports", Ports(p.TCP))
	}
	fact("messages", strings.Join(messageNames(p), ", "))
	fact("rules", fmt.Sprintf("%d (gamedissect rules %s)", len(p.Rules), p.Name))
	for _, d := range p.Differences {
		d = strings.ReplaceAll(d, "`", "") // Markdown in them is for the protocol's page
		b = append(term.AppendFitting(append(b, "  - "...), []byte(d), 4, 4, width), '\n')
	}
	return b
}

// messageNames lists the names of a protocol's messages without repetition.
func messageNames(p *wire.Protocol) []string {
	var names []string
	for _, m := range p.Messages.All() {
		if !slices.Contains(names, m.Name) {
			names = append(names, m.Name)
		}
	}
	return names
}

// Ports formats ports, with ranges such as 27790-27793.
func Ports(list []uint16) string {
	var s []string
	for i := 0; i < len(list); {
		end := i + 1
		for end < len(list) && list[end] == list[end-1]+1 {
			end++
		}
		if end-i > 2 {
			s = append(s, fmt.Sprintf("%d-%d", list[i], list[end-1]))
			i = end
		} else {
			s = append(s, fmt.Sprint(list[i]))
			i++
		}
	}
	return strings.Join(s, ", ")
}
