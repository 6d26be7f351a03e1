package screen

import (
	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/report"
	"github.com/gamedissect/gamedissect/internal/stats"
	"github.com/gamedissect/gamedissect/internal/summary"
)

// A collector counts the messages, findings and packets for a summary.
type collector struct {
	stats     stats.Stats
	counters  decode.Counters
	protocols []*wire.Protocol
	clock     *session.Clock
	files     files             // packets of each file
	fileOf    map[string]string // first file with values, by table
	found     files             // messages and findings of each file; separate, since another goroutine may count them
}

func (c *collector) message(m *decode.Message) {
	c.stats.Message(m)
	f := c.found.of(m.File)
	f.Messages++
	for i := range m.Findings {
		f.Found(m.Findings[i].Rule)
	}
}

// finding counts a finding that belongs to no message.
func (c *collector) finding(f *wire.TrafficFinding) {
	c.stats.Finding(f)
	c.found.of(f.File).Found(f.Rule)
}

// value counts a value that a tracker measured.
func (c *collector) value(v *wire.Value) {
	c.stats.Value(v)
	if table := summary.Shown(v); table != "" && v.File != "" && c.fileOf[table] == "" {
		c.fileOf[table] = v.File
	}
}

// end stores the engine's counters.
func (c *collector) end(n decode.Counters) error {
	c.stats.Count(n)
	c.counters = n
	return nil
}

// source returns the source of the summary.
func (c *collector) source() *summary.Source {
	s := &summary.Source{Source: report.Source{
		Stats: &c.stats, Counters: c.counters, Protocols: c.protocols, First: c.clock.First,
	}, FileOf: c.fileOf}
	for _, f := range c.files.list {
		n := c.found.of(f.Name)
		f.Messages, f.Errors, f.Warnings, f.Notes = n.Messages, n.Errors, n.Warnings, n.Notes
		s.Files = append(s.Files, *f)
	}
	return s
}

// files has the counts of each file.
type files struct {
	list   []*summary.File
	byName map[string]*summary.File
	latest *summary.File
}

// of returns the counts of a file. If there are none yet, it adds them.
func (f *files) of(name string) *summary.File {
	if f.latest != nil && f.latest.Name == name {
		return f.latest
	}
	one := f.byName[name]
	if one == nil {
		if f.byName == nil {
			f.byName = make(map[string]*summary.File)
		}
		one = &summary.File{Name: name}
		f.byName[name], f.list = one, append(f.list, one)
	}
	f.latest = one
	return one
}

// counted is a source that counts the packets of each file.
type counted struct {
	*session.FileSource

	files *files
}

// Next reads and counts a packet.
func (c *counted) Next(p *capture.Packet) error {
	err := c.FileSource.Next(p)
	if err == nil {
		f := c.files.of(p.File)
		f.Packets++
		f.Add(p.Time)
	}
	return err
}
