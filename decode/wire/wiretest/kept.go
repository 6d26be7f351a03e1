package wiretest

import (
	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/decode/wire/print"
)

// checkKept checks that the messages of a sample can be decoded again.
func checkKept(t reporter, p *wire.Protocol, s *Sample) {
	again := p.New()
	for r := read(p, p.New(), s); r.next(); {
		checkRecall(t, r.layer, again)
	}
}

// checkTalkKept checks the same of the messages of a talk, of which later ones may depend on earlier ones.
func checkTalkKept(t reporter, p *wire.Protocol, k *talk) {
	y, again := newPlayer(k, p), p.New()
	y.shown = func() { checkRecall(t, y.layer, again) }
	y.show(k.turns)
}

// checkRecall checks that another layer without a session reads the message of a layer as the viewer does: from its
// bytes, its Context and what is kept of the session.
func checkRecall(t reporter, l, again wire.Layer) {
	core := l.Core()
	again.Core().Context = core.Context
	again.Core().Context.Roster = nil
	_ = wire.Recall(again, core.Contents, wire.Keep(l)) // the message shows the error
	if diff := cmp.Diff(shownOf(l), shownOf(again)); diff != "" {
		t.Errorf("%s: without the session the message is another one (-first +again); what the session puts into the layer "+
			"has to be in a wire.State, or the layer a wire.Keeper:\n%s", core.Message.Name, diff)
	}
}

// shownOf is what users see of a message, without findings.
func shownOf(l wire.Layer) string {
	core, tree := l.Core(), new(wire.Tree)
	text := append([]byte(core.Message.Name), "  "...)
	if core.Fault() == nil {
		text = format.AppendSummary(text, l)
	}
	core.Annotate(l, tree)
	p := print.Printer{Bytes: true, All: true}
	return string(p.Append(append(text, '\n'), tree, core.Contents, nil))
}
