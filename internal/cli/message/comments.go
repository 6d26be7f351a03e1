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

// PacketComments are the comments of packets that are written: what is wrong with each. A finding about a packet that
// is written already, such as an answer that never came, stands at the next one.
type PacketComments struct {
	Messages bool // what a packet says stands there as well, a line a message

	frame  int // of the packet at hand; 0: none is
	file   string
	list   []string
	late   []wire.TrafficFinding // about packets that are written
	unsaid int                   // further ones
}

// mostLate is how many findings wait for a packet: with a filter there may never be one.
const mostLate = 256

// Begin forgets the packet before.
func (c *PacketComments) Begin(p *capture.Packet) {
	c.frame, c.file, c.list = p.Number, p.File, c.list[:0]
}

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

func (c *PacketComments) Finding(f *wire.TrafficFinding) {
	switch {
	case f.Frame == c.frame && f.File == c.file:
		c.add(f.Rule, f.Text)
	case len(c.late) < mostLate:
		c.late = append(c.late, *f)
	default:
		c.unsaid++
	}
}

func (c *PacketComments) add(r *wire.Rule, text string) {
	c.list = append(c.list, fmt.Sprintf("%s %s: %s", r.ID, r.Severity, text))
}

// End gives the comments of the packet at hand, valid until the next one begins, if it is written.
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

// Rest gives the findings about packets of a file, or interface, after which nothing was written any more.
func (c *PacketComments) Rest(file string) []string {
	c.list = nil
	c.addLate(func(f *wire.TrafficFinding) (string, bool) { return "", f.File == file })
	return c.list
}

// addLate adds those of the late findings that when says so of, with what it says of their time.
func (c *PacketComments) addLate(when func(*wire.TrafficFinding) (ago string, now bool)) {
	c.late = slices.DeleteFunc(c.late, func(f wire.TrafficFinding) bool {
		ago, now := when(&f)
		if now {
			c.add(f.Rule, fmt.Sprintf("%s (about packet %d of %s%s)", f.Text, f.Frame, term.AppendPlain(nil, f.File), ago))
		}
		return now
	})
	if len(c.late) == 0 && c.unsaid > 0 {
		c.list = append(c.list, report.Plural(int64(c.unsaid), "further finding")+" about earlier packets")
		c.unsaid = 0
	}
}
