package wiretest

import (
	"bytes"
	"testing"

	"github.com/google/gopacket"
)

// Packet returns the bytes of layers, the lowest first. gopacket makes them, so tests do not rely only on this
// program's own idea of the headers.
func Packet(tb testing.TB, parts ...gopacket.SerializableLayer) []byte {
	tb.Helper()
	buffer := gopacket.NewSerializeBuffer()
	if err := gopacket.SerializeLayers(buffer, gopacket.SerializeOptions{FixLengths: true}, parts...); err != nil {
		tb.Fatal(err)
	}
	return bytes.Clone(buffer.Bytes())
}
