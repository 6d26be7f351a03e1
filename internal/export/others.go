package export

import (
	"math"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// A findingTable is the table of findings, those of messages and others.
type findingTable struct {
	table
	placeColumns
	number, message      *column // of the message; null: no message carries it
	rule, severity, text *column
	offset, size         *column
	title                *column
}

func newFindingTable(d *day) *findingTable {
	t := &findingTable{table: table{path: d.path("findings")}}
	p := &t.plan
	t.number = p.add("number", long)
	t.addWhen(p)
	t.addWho(p)
	t.message = p.add("message", text)
	t.rule, t.severity, t.title = p.add("rule", text), p.add("severity", text), p.add("title", text)
	t.text, t.offset, t.size = p.add("text", text), p.add("offset", integer), p.add("size", integer)
	return t
}

// put puts a finding that a message carries.
func (t *findingTable) put(e *Exporter, m *decode.Message, f *wire.Finding) {
	t.placeColumns.put(e, &m.Place)
	t.number.number(0, uint64(e.number))
	t.message.putText(0, m.Name)
	t.putRule(e, f.Rule, f.Text)
	t.offset.number(0, uint64(f.Off))
	t.size.number(0, uint64(f.Size))
}

// putTraffic puts a finding that no message carries.
func (t *findingTable) putTraffic(e *Exporter, f *wire.TrafficFinding) {
	t.placeColumns.put(e, &f.Place)
	for _, c := range [...]*column{t.number, t.message, t.offset, t.size} {
		c.null(0, 0)
	}
	t.putRule(e, f.Rule, f.Text)
}

func (t *findingTable) putRule(e *Exporter, r *wire.Rule, text string) {
	t.rule.putText(0, r.ID)
	t.severity.putText(0, r.Severity.String())
	t.title.putText(0, r.Title)
	e.shred.text(t.text, []byte(text), 0)
}

// A valueTable is the table of values and events.
type valueTable struct {
	table
	placeColumns
	kind, about, server, who, whom, what *column
	value                                *column
	unit, text                           *column
}

func newValueTable(d *day) *valueTable {
	t := &valueTable{table: table{path: d.path("values")}}
	p := &t.plan
	t.addWhen(p)
	t.addWho(p)
	t.kind, t.about, t.server = p.add("kind", text), p.add("about", text), p.add("server", text)
	t.who, t.whom, t.what = p.add("who", text), p.add("whom", text), p.add("what", text)
	t.value, t.unit, t.text = p.add("value", double), p.add("unit", text), p.add("text", text)
	return t
}

// put puts a value.
func (t *valueTable) put(e *Exporter, v *wire.Value) {
	t.placeColumns.put(e, &v.Place)
	kind := "number"
	switch {
	case v.Event:
		kind = "event"
	case v.State:
		kind = "state"
	case v.Answer:
		kind = "answer"
	}
	t.kind.putText(0, kind)
	t.about.putOptional(v.Table)
	server := ""
	if v.Server.IsValid() {
		server = v.Server.String()
	}
	t.server.putOptional(server)
	e.shred.name(t.who, v.Who, 0, 0)
	e.shred.name(t.whom, v.Whom, 0, 0)
	e.shred.name(t.unit, v.Unit, 0, 0)
	t.what.putText(0, v.What)
	if v.Event || v.State {
		t.value.null(0, 0)
		e.shred.text(t.text, []byte(v.Text), 0)
		return
	}
	t.value.number(0, math.Float64bits(v.Number))
	t.text.null(0, 0)
}
