package wiretest

import (
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// turns is a tracker with the rule that a server speaks only to answer.
type turns struct {
	wire.Tracker
	heeds, unsure bool
	asked         int
}

func (u *turns) Message(l wire.Layer, _ *wire.Place) {
	switch {
	case l.Core().Direction == wire.ToServer:
		u.asked++
	case u.asked > 0:
		u.asked--
	case !u.unsure:
		l.Core().Report(toyRule, 0, 1, "without a question")
	}
}

func (u *turns) Lost(*wire.Place) { u.unsure = u.heeds }
func (*turns) Time(int64)         {}
func (*turns) Close(int64)        {}

// checkLost detects a tracker that ignores lost bytes.
func TestLostIsHeeded(t *testing.T) {
	talk, err := parseTalk("# Two with an answer each.\nclient: 10.0.0.1:4000\nserver: 10.0.0.2:1999\n\n" +
		strings.Repeat("0 client > server tcp\n"+whole+"\n1 server > client tcp\n"+other+"\n", 2))
	if err != nil {
		t.Fatal(err)
	}
	for _, heeds := range []bool{false, true} {
		p := toy(none)
		p.NewTracker = func(*wire.Reporter) wire.Tracker { return &turns{heeds: heeds} }
		var c complaints
		if checkLost(&c, p, talk); heeds != (len(c) == 0) {
			t.Errorf("a tracker that heeds what is lost %t: %q", heeds, c)
		}
	}
}
