package wiretest

import (
	"bytes"
	"testing"

	"github.com/google/gopacket"
)

// Packet returns the bytes of layers, the lowest first. It uses gopacket, so that tests do not depend only on this
// program's own code for headers.
func Packet(tb testing.TB, parts ...gopacket.SerializableLayer) []byte {
	tb.Helper()
	buffer := gopacket.NewSerializeBuffer()
	if err := gopacket.SerializeLayers(buffer, gopacket.SerializeOptions{FixLengths: true}, parts...); err != nil {
		tb.Fatal(err)
	}
	return bytes.Clone(buffer.Bytes())
}
