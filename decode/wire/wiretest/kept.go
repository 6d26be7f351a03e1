package wiretest

import (
	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/decode/wire/print"
)

// checkKept checks that the messages of a sample can be decoded again later.
func checkKept(t reporter, p *wire.Protocol, s *Sample) {
	again := p.New()
	for r := read(p, p.New(), s); r.next(); {
		checkRecall(t, r.layer, again)
	}
}

// checkTalkKept is checkKept for the messages of a talk, which may depend on earlier messages.
func checkTalkKept(t reporter, p *wire.Protocol, k *talk) {
	y, again := newPlayer(k, p), p.New()
	y.shown = func() { checkRecall(t, y.layer, again) }
	y.show(k.turns)
}

// checkRecall checks that a message can be decoded again without its session. It decodes the message with another
// layer, as the viewer does: from the bytes, the Context, and the state that Keep returned.
func checkRecall(t reporter, l, again wire.Layer) {
	core := l.Core()
	again.Core().Context = core.Context
	again.Core().Context.Roster = nil
	_ = wire.Recall(again, core.Contents, wire.Keep(l)) // core already has the error
	if diff := cmp.Diff(shownOf(l), shownOf(again)); diff != "" {
		t.Errorf("%s: decoded again without the session, the message differs (-first +again); data from the session must be "+
			"in a wire.State, or the layer must be a wire.Keeper:\n%s", core.Message.Name, diff)
	}
}

// shownOf returns the output for a message, without findings.
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
