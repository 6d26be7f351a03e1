package bzflag17

import (
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

func TestFlagsAreBounded(t *testing.T) {
	e := event{tracker: newTracker(&wire.Reporter{}).(*tracker), place: new(wire.Place), conn: new(connection)}
	for n := range uint16(2 * maxFlags) {
		e.setFlag(n, new(Flag), PlayerID{}, false)
	}
	if n := len(e.conn.flags); n != maxFlags {
		t.Errorf("%d flags are followed, want %d", n, maxFlags)
	}
}
