package export

import (
	"math"
	"slices"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

func (d *day) newTable(name string) *table { return &table{path: d.folder + name + ".parquet"} }

// newFindings makes the table of all findings, including those that belong to no message.
func newFindings(d *day) *table {
	t := d.newTable("findings")
	t.add(long, "number")
	t.addWhen()
	t.addWho()
	t.add(text, "message", "rule", "severity", "title", "text")
	t.add(integer, "offset", "size")
	return t
}

// finding writes a finding. m is the message that it belongs to, or nil.
func (e *Exporter) finding(t *table, p *wire.Place, m *decode.Message, f *wire.Finding) {
	r := row{e, t.columns}
	r.numberIf(m != nil, e.number)
	r.when(p)
	r.who(p)
	if m != nil {
		r.word(m.Name)
	} else {
		r.null(1)
	}
	r.word(f.Rule.ID)
	r.word(f.Rule.Severity.String())
	r.word(f.Rule.Title)
	r.text(f.Text)
	r.numberIf(m != nil, int64(f.Off))
	r.numberIf(m != nil, int64(f.Size))
	e.added(t)
}

func newValues(d *day) *table {
	t := d.newTable("values")
	t.addWhen()
	t.addWho()
	t.add(text, "kind", "about", "server", "who", "whom", "what")
	t.add(double, "value")
	t.add(text, "unit", "text")
	return t
}

func (e *Exporter) value(t *table, v *wire.Value) {
	r := row{e, t.columns}
	r.when(&v.Place)
	r.who(&v.Place)
	r.word(kindOf(v))
	r.name(v.Table)
	server := ""
	if v.Server.IsValid() {
		server = v.Server.String()
	}
	r.name(server)
	r.name(v.Who)
	r.name(v.Whom)
	r.word(v.What)
	isText := v.Event || v.State
	r.numberIf(!isText, int64(math.Float64bits(v.Number)))
	r.name(v.Unit)
	if isText {
		r.text(v.Text)
	} else {
		r.null(1)
	}
	e.added(t)
}

func kindOf(v *wire.Value) string {
	switch {
	case v.Event:
		return "event"
	case v.State:
		return "state"
	case v.Answer:
		return "answer"
	}
	return "number"
}

func newTalks(d *day) *table {
	t := d.newTable("conversations")
	t.addWhen()
	t.add(moment, "last_time")
	t.addWho()
	t.add(text, "direction", "server")
	t.add(long, "src_messages", "src_bytes", "dst_messages", "dst_bytes", "findings")
	return t
}

func (e *Exporter) talk(t *table, c *conversation) {
	r := row{e, t.columns}
	r.when(&c.first)
	r.number(c.last)
	r.who(&c.first)
	r.word(c.direction.String())
	r.name(e.names.of(&c.first).server(c.direction))
	for side := range 2 {
		r.number(c.messages[side])
		r.number(c.bytes[side])
	}
	r.number(c.findings)
	e.added(t)
}

func newMessages(d *day, k messageKey) (*table, error) {
	s, err := shapeOf(k.protocol, k.name)
	if err != nil {
		return nil, err
	}
	t := d.newTable(k.protocol.Name + "/" + k.name)
	t.add(long, "number")
	t.addWhen()
	t.addWho()
	t.add(text, "direction", "server")
	t.addTexts("players")
	t.add(text, "message", "code")
	t.add(integer, "length")
	t.add(boolean, "copy")
	if err := t.addFields(s); err != nil {
		return nil, err
	}
	t.addFindings()
	return t, nil
}

func (e *Exporter) message(t *table, m *decode.Message) {
	r := row{e, t.columns}
	r.number(e.number)
	r.when(&m.Place)
	r.who(&m.Place)
	r.word(m.Direction.String())
	r.name(e.names.of(&m.Place).server(m.Direction))
	tree := m.Tree()
	e.players(r.next(), tree)
	r.word(m.Name)
	r.name(m.Code)
	r.number(int64(m.Length))
	copied := int64(0)
	if m.Copy {
		copied = 1
	}
	r.number(copied)
	e.shred.message(&t.plan, tree)
	e.findings(t.columns[len(t.columns)-len(findingColumns):], m.Findings)
	e.added(t)
}

// players writes the known names of the players in a message.
func (e *Exporter) players(c *column, tree *wire.Tree) {
	const maxPlayers = 8
	var names [maxPlayers][]byte
	known := names[:0]
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		var name []byte
		switch {
		case n.Kind == wire.Enum:
			name = n.Bytes
		case n.Kind == wire.Address && len(n.Symbols) > 0:
			name = []byte(n.Symbols[0].Name)
		}
		same := func(other []byte) bool { return string(other) == string(name) }
		if len(name) > 0 && len(known) < maxPlayers && !slices.ContainsFunc(known, same) {
			known = append(known, name)
		}
	}
	if len(known) == 0 {
		c.null(1, 0)
	}
	for i, name := range known {
		e.shred.text(c, name, uint8(min(i, 1)))
	}
}

// findings writes the findings of a message to the columns that addFindings has made.
func (e *Exporter) findings(c []*column, findings []wire.Finding) {
	if len(findings) == 0 {
		for _, c := range c {
			c.null(1, 0)
		}
	}
	for i := range findings {
		f, repeat := &findings[i], uint8(min(i, 1))
		c[0].putText(repeat, f.Rule.ID)
		c[1].putText(repeat, f.Rule.Severity.String())
		e.shred.text(c[2], []byte(f.Text), repeat)
		c[3].number(repeat, uint64(f.Off))
		c[4].number(repeat, uint64(f.Size))
	}
}
