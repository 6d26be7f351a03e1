package view

import (
	"encoding/hex"
	"slices"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/filter"
)

type detailRequest struct {
	Row int  `json:"row"`
	All bool `json:"all"`
}

// RuleText describes a rule.
type RuleText struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Title    string `json:"title"`
	Why      string `json:"why"`
	Rests    string `json:"rests"` // what the rule is based on, as a sentence
	Source   string `json:"source"`
}

func ruleText(r *wire.Rule) RuleText {
	return RuleText{Rule: r.ID, Severity: r.Severity.String(), Title: r.Title, Why: r.Why,
		Rests: r.Rests.Sentence(), Source: r.Source}
}

// Found is a finding.
type Found struct {
	RuleText
	Text   string `json:"text"`
	Offset int    `json:"offset"`
	Size   int    `json:"size"`
	Node   *int   `json:"node,omitempty"` // index in the tree of the smallest field that the finding is about
}

// A Piece is a run of message bytes, with the offset of the bytes in the file.
type Piece struct {
	Frame  int   `json:"frame"`
	Offset int64 `json:"offset"`
	Size   int   `json:"size"`
}

type detailAnswer struct {
	Row
	UTC      string   `json:"utc"`
	File     string   `json:"file"`
	Data     string   `json:"data,omitempty"` // hexadecimal
	DataLeft int      `json:"data_left,omitempty"`
	Captured int      `json:"captured,omitempty"`
	Findings []Found  `json:"findings,omitempty"`
	Tree     []*Node  `json:"tree,omitempty"`
	LeftOut  int      `json:"left_out,omitempty"`
	Pieces   []Piece  `json:"pieces,omitempty"`
	Frames   []uint32 `json:"frames,omitempty"` // only if the message came in more than one packet
}

const maxData = 256 << 10 // maximum bytes of a message that are shown

func describe(f *filters, q *detailRequest) (*detailAnswer, error) {
	x := f.rows
	shown, err := x.rowOf(q.Row)
	if err != nil {
		return nil, err
	}
	r := x.row(q.Row)
	a := &detailAnswer{Row: shown, UTC: utc(r.time), File: format.Unquoted(x.fileOf(r))}
	if t := x.finding(q.Row); t != nil {
		a.Findings = []Found{foundOf(&wire.Finding{Rule: t.Rule, Text: t.Text})}
		return a, nil
	}
	m, err := x.message(q.Row)
	if err != nil {
		return nil, err
	}
	some := min(len(m.Data), maxData)
	a.Data, a.DataLeft, a.Captured = hex.EncodeToString(m.Data[:some]), len(m.Data)-some, len(m.Data)
	if r.at > 0 {
		a.Pieces = []Piece{{int(r.frame), r.at, len(m.Data)}}
	}
	if more := x.carriers.of(q.Row); len(more) > 0 {
		a.Frames = append(slices.Clone(more), r.frame)
		slices.Sort(a.Frames)
	}
	for i := range m.Findings {
		a.Findings = append(a.Findings, foundOf(&m.Findings[i]))
	}
	a.addTree(f.schema, m, q.All)
	return a, nil
}

func foundOf(f *wire.Finding) Found {
	return Found{RuleText: ruleText(f.Rule), Text: format.Unquoted(f.Text), Offset: f.Off, Size: f.Size}
}

// addTree adds the tree of a message, and links each finding to the field that it is about.
func (a *detailAnswer) addTree(schema *filter.Schema, m *decode.Message, all bool) {
	b := treeBuilder{schema: schema, tree: m.Tree(), message: m, all: all}
	if core := m.Layer.Core(); core.Message != nil {
		b.path = filter.MessagePath(m.Protocol, core.Message)
	}
	a.Tree = b.nodes(0, int32(len(b.tree.Nodes)), "")
	a.LeftOut = b.dropped
	for i := range a.Findings {
		f := &a.Findings[i]
		if at := b.about(f.Offset, f.Size); at >= 0 {
			f.Node = &at
			b.built[at].Findings = append(b.built[at].Findings, i)
		}
	}
}
