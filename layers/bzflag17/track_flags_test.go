package bzflag17

import "testing"

func TestFlagsAreBounded(t *testing.T) {
	var b board
	for n := range uint16(2 * maxFlags) {
		b.setFlag(n, NoFlag, PlayerID{}, false, 0)
	}
	if n := len(b.flags); n != maxFlags {
		t.Errorf("%d flags, want %d", n, maxFlags)
	}
}
