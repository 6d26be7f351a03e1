package wiretest

import (
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// answers is a tracker with the rule that a server sends a message only as an answer.
type answers struct {
	wire.Tracker
	handlesLoss, unsure bool
	asked               int
}

func (u *answers) Message(l wire.Layer, _ *wire.Place) {
	switch {
	case l.Core().Direction == wire.ToServer:
		u.asked++
	case u.asked > 0:
		u.asked--
	case !u.unsure:
		l.Core().Report(toyRule, 0, 1, "without a question")
	}
}

func (u *answers) Lost(*wire.Place) { u.unsure = u.handlesLoss }
func (*answers) Time(int64)         {}
func (*answers) Close(int64)        {}

// checkLost detects a tracker that ignores lost messages.
func TestCheckLost(t *testing.T) {
	talk, err := parseTalk("# Two questions with an answer each.\nclient: 10.0.0.1:4000\nserver: 10.0.0.2:1999\n\n" +
		strings.Repeat("0 client > server tcp\n"+whole+"\n1 server > client tcp\n"+other+"\n", 2))
	if err != nil {
		t.Fatal(err)
	}
	for _, handlesLoss := range []bool{false, true} {
		p := toy(none)
		p.NewTracker = func(*wire.Reporter) wire.Tracker { return &answers{handlesLoss: handlesLoss} }
		var c complaints
		if checkLost(&c, p, talk); handlesLoss != (len(c) == 0) {
			t.Errorf("tracker handles loss %t: %q", handlesLoss, c)
		}
	}
}
