package message

import (
	"fmt"
	"slices"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/report"
)

// PacketComments makes the comments for packets that -w writes. The comments are the findings in each packet. A finding
// about an earlier packet, such as a missing answer, becomes a comment of the next packet that is written.
type PacketComments struct {
	Messages bool // also summarize each message of the packet

	frame   int // of the current packet; 0: none
	file    string
	list    []string
	late    []wire.TrafficFinding // findings about packets that were written before
	dropped int                   // number of late findings beyond maxLate
}

// maxLate limits the late findings kept for the next packet, since a filter may reject all packets.
const maxLate = 256

// Begin starts the comments of a packet.
func (c *PacketComments) Begin(p *capture.Packet) {
	c.frame, c.file, c.list = p.Number, p.File, c.list[:0]
}

// Message adds a summary of a message of the current packet, and the message's findings.
func (c *PacketComments) Message(m *decode.Message) {
	if c.Messages {
		text := append([]byte(m.Protocol.Name), ' ')
		text = append(append(text, m.Name...), "  "...)
		c.list = append(c.list, string(term.TrimRight(format.AppendSummary(text, m.Layer))))
	}
	for i := range m.Findings {
		c.add(m.Findings[i].Rule, m.Findings[i].Text)
	}
}

// Finding adds a finding to the current packet, or keeps it for the next one.
func (c *PacketComments) Finding(f *wire.TrafficFinding) {
	switch {
	case f.Frame == c.frame && f.File == c.file:
		c.add(f.Rule, f.Text)
	case len(c.late) < maxLate:
		c.late = append(c.late, *f)
	default:
		c.dropped++
	}
}

func (c *PacketComments) add(r *wire.Rule, text string) {
	c.list = append(c.list, fmt.Sprintf("%s %s: %s", r.ID, r.Severity, text))
}

// End returns the comments of the current packet if the packet is written, otherwise nil. They are valid until the next
// Begin.
func (c *PacketComments) End(p *capture.Packet, written bool) []string {
	c.frame = 0
	if !written {
		return nil
	}
	c.addLate(func(f *wire.TrafficFinding) (string, bool) {
		return fmt.Sprintf(", %.3f s before", (float64(p.Time)-float64(f.Time))/1e9), true
	})
	return c.list
}

// Rest returns the late findings about packets of a file or interface, when no more packets will be written.
func (c *PacketComments) Rest(file string) []string {
	c.list = nil
	c.addLate(func(f *wire.TrafficFinding) (string, bool) { return "", f.File == file })
	return c.list
}

// addLate adds the late findings for which when returns true, and removes them from the list. when also returns a text
// to append to the finding.
func (c *PacketComments) addLate(when func(*wire.TrafficFinding) (ago string, now bool)) {
	c.late = slices.DeleteFunc(c.late, func(f wire.TrafficFinding) bool {
		ago, now := when(&f)
		if now {
			c.add(f.Rule, fmt.Sprintf("%s (about packet %d of %s%s)", f.Text, f.Frame, format.AppendPlain(nil, f.File), ago))
		}
		return now
	})
	if len(c.late) == 0 && c.dropped > 0 {
		c.list = append(c.list, report.Plural(int64(c.dropped), "further finding")+" about earlier packets")
		c.dropped = 0
	}
}
