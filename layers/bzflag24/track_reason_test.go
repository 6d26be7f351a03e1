package bzflag24_test

import (
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/bzflag24"
)

// TestReasonIsBounded has a server give details of a removal without end, all at the same time.
func TestReasonIsBounded(t *testing.T) {
	k := newListener()
	reason := ""
	k.tracker = bzflag24.Protocol.NewTracker(&wire.Reporter{
		Finding: func(*wire.TrafficFinding) {},
		Value: func(v *wire.Value) {
			if v.What == "removed" {
				reason = v.Text
			}
		},
	})
	for _, s := range joined {
		k.hear(s)
	}
	k.hear(bySrv(message("mg", "\xfd\x05\x00You were kicked\x00")))
	for range 1000 {
		k.hear(bySrv(message("mg", "\xfd\x05\x00Reason: "+strings.Repeat("x", 100)+"\x00")))
	}
	k.hear(kicked)
	if !strings.HasPrefix(reason, "You were kicked Reason: ") || len(reason) > 1000 {
		t.Errorf("the reason has %d bytes: %.40q", len(reason), reason)
	}
}
