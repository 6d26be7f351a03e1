package export

import (
	"slices"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// A messageTable is the table of a type of messages.
type messageTable struct {
	table
	placeColumns
	number, direction, server *column
	players                   *column
	message, code, length     *column
	copied                    *column
	findings                  *field
}

// newMessageTable makes the table of the messages of a protocol that have a name.
func newMessageTable(d *day, k messageKey) (*messageTable, error) {
	s, err := shapeOf(k.protocol, k.name)
	if err != nil {
		return nil, err
	}
	t := &messageTable{table: table{path: d.path(k.protocol.Name + "/" + k.name)}}
	p := &t.plan
	t.number = p.add("number", long)
	t.addWhen(p)
	t.addWho(p)
	t.direction, t.server = p.add("direction", text), p.add("server", text)
	t.players = p.addTexts("players")
	t.message, t.code, t.length = p.add("message", text), p.add("code", text), p.add("length", integer)
	t.copied = p.add("copy", boolean)
	if err := p.addFields(s); err != nil {
		return nil, err
	}
	t.findings = p.addList("findings", []string{"rule", "severity", "text", "offset", "size"},
		[]storage{text, text, text, integer, integer})
	return t, nil
}

// put puts a message.
func (t *messageTable) put(e *Exporter, m *decode.Message) {
	t.number.number(0, uint64(e.number))
	t.placeColumns.put(e, &m.Place)
	t.direction.putText(0, m.Direction.String())
	t.server.putOptional(e.names.of(&m.Place).server(m.Direction))
	t.message.putText(0, m.Name)
	e.shred.name(t.code, m.Code, 0, 0)
	t.length.number(0, uint64(m.Length))
	t.copied.putTruth(m.Copy)
	tree := m.Tree()
	t.putPlayers(e, tree)
	e.shred.message(&t.plan, tree)
	t.putFindings(e, m.Findings)
}

// putPlayers puts the known names of the players in a message.
func (t *messageTable) putPlayers(e *Exporter, tree *wire.Tree) {
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
		t.players.null(1, 0)
	}
	for i, name := range known {
		e.shred.text(t.players, name, uint8(min(i, 1)))
	}
}

// putFindings puts the findings that a message carries.
func (t *messageTable) putFindings(e *Exporter, findings []wire.Finding) {
	if len(findings) == 0 {
		for _, f := range t.findings.fields {
			f.value.null(1, 0)
		}
	}
	c := t.findings.fields
	for i := range findings {
		f, repeat := &findings[i], uint8(min(i, 1))
		c[0].value.putText(repeat, f.Rule.ID)
		c[1].value.putText(repeat, f.Rule.Severity.String())
		e.shred.text(c[2].value, []byte(f.Text), repeat)
		c[3].value.number(repeat, uint64(f.Off))
		c[4].value.number(repeat, uint64(f.Size))
	}
}

// putOptional puts a text, or null if it is empty.
func (c *column) putOptional(v string) {
	if v == "" {
		c.null(0, 0)
		return
	}
	c.putText(0, v)
}

// putTruth puts a boolean.
func (c *column) putTruth(is bool) {
	v := uint64(0)
	if is {
		v = 1
	}
	c.number(0, v)
}
