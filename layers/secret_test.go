package layers_test

import (
	"bytes"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/privacy"
	"github.com/gamedissect/gamedissect/layers"
)

// TestMask tests a complete and a truncated message. It checks that a masked message contains no part of the token, in
// its data, its fields or its tree.
func TestMask(t *testing.T) {
	const token = "0123456789secret"
	p := layers.ByName("bzflag24")
	enter := make([]byte, 4+4+32+128+22+60)
	copy(enter, []byte{0, 246, 'e', 'n', 0, 0, 0, 0, 'a', 'n', 'n'})
	copy(enter[4+4+32+128:], token)
	for _, have := range []int{len(enter), 4 + 2 + 32 + 128 + 10} {
		l := p.New()
		part := l.Core()
		part.Context = wire.Context{Direction: wire.ToServer, Transport: wire.TCP, Missing: len(enter) - have}
		_ = l.DecodeFromBytes(enter[:have], gopacket.NilDecodeFeedback)
		if part.Message.Name != "MsgEnter" {
			t.Fatalf("the message is decoded as %s", part.Message.Name)
		}
		var tree wire.Tree
		if !privacy.Mask(l, p, &tree) {
			t.Fatalf("%d bytes: nothing is masked", have)
		}
		part.Annotate(l, &tree)
		for _, n := range tree.Nodes {
			if bytes.Contains(n.Bytes, []byte(token[:5])) {
				t.Errorf("%d bytes: %s is %q", have, n.Name, n.Bytes)
			}
		}
		if bytes.Contains(part.Contents, []byte(token[:5])) || len(part.Contents) != have || !bytes.Contains(part.Contents, []byte("*****")) {
			t.Errorf("%d bytes: the message is %q", have, part.Contents)
		}
		if !bytes.Contains(enter, []byte(token)) {
			t.Fatal("the packet itself was changed")
		}
		want := "ann"
		if have == len(enter) { // the message is one byte too short (no pad), so the token may be in any field
			want = "***"
		}
		if call := tree.Find("call_sign"); call == nil || string(call.Bytes) != want {
			t.Errorf("%d bytes: the call sign is %v", have, call)
		}
	}
}
