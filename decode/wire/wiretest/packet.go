package wiretest

import (
	"bytes"
	"testing"

	"github.com/google/gopacket"
)

// Packet is what layers look like on the wire, the lowest first. It is made by gopacket, so that our reading is not
// only checked against our own idea of the headers.
func Packet(tb testing.TB, parts ...gopacket.SerializableLayer) []byte {
	tb.Helper()
	buffer := gopacket.NewSerializeBuffer()
	if err := gopacket.SerializeLayers(buffer, gopacket.SerializeOptions{FixLengths: true}, parts...); err != nil {
		tb.Fatal(err)
	}
	return bytes.Clone(buffer.Bytes())
}
