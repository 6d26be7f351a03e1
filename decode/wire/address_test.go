package wire_test

import (
	"encoding/hex"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/format"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// endpoint is a message with an endpoint between two little-endian numbers.
type endpoint struct {
	before uint16
	who    [8]byte
	after  uint16
}

func (e *endpoint) Walk(c *wire.Cursor) {
	c.LittleEndian()
	wire.U16(c, "before", &e.before)
	wire.IPv4PortNumber(c, "who", &e.who, nil)
	wire.U16(c, "after", &e.after)
}

func TestEndpoint(t *testing.T) {
	const message = "0100" + "7f000001" + "1424" + "0002" + "0300"
	data, err := hex.DecodeString(message)
	if err != nil {
		t.Fatal(err)
	}
	var b wire.Base
	var e endpoint
	if err := b.Decode(&e, data, gopacket.NilDecodeFeedback); err != nil {
		t.Fatal(err)
	}
	if want := (endpoint{1, [8]byte{127, 0, 0, 1, 0x14, 0x24, 0, 2}, 3}); e != want {
		t.Errorf("%+v, want %+v", e, want)
	}
	var tree wire.Tree
	b.Annotate(&e, &tree)
	n := tree.Find("who")
	if n == nil || n.Kind != wire.Address || n.Off != 2 || n.Size != 8 {
		t.Fatalf("%+v", n)
	}
	if got := string(format.AppendValue(nil, n, 0)); got != "127.0.0.1:5156:2" {
		t.Errorf("shown as %s", got)
	}
	b.Body = &e
	buf := gopacket.NewSerializeBuffer()
	if err := b.Encode(&e, buf, gopacket.SerializeOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := hex.EncodeToString(buf.Bytes()); got != message {
		t.Errorf("written as %s", got)
	}
	_ = b.Decode(&e, data[:9], gopacket.NilDecodeFeedback)
	if fault := b.Fault(); fault == nil || fault.Field != "who" {
		t.Errorf("cut within the endpoint: %v", fault)
	}
}
