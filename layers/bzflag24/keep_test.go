package bzflag24

import (
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// A message of an older server may have a different layout. Recall must decode it with that layout, whatever the layer
// decoded before.
func TestRecallOlder(t *testing.T) {
	data := []byte{0, 3, 'a', 'l', 1, 2, 3}
	for _, older := range []bool{true, false} {
		first, again := new(Layer), new(Layer)
		again.older = !older
		first.older = older
		first.Context = wire.Context{Direction: wire.FromServer, Transport: wire.TCP}
		again.Context = first.Context
		wantErr := first.DecodeFromBytes(data, gopacket.NilDecodeFeedback)
		err := again.Recall(data, first.Keep())
		if (err == nil) != (wantErr == nil) || len(again.Trailing) != len(first.Trailing) || again.older != older {
			t.Errorf("older %v: %v, %d bytes left over, want %v, %d", older, err, len(again.Trailing), wantErr,
				len(first.Trailing))
		}
		if older && len(again.Trailing) == 0 {
			t.Error("the layout of the sample does not depend on the server's version")
		}
	}
}
