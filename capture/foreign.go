package capture

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// sniffed is the number of bytes from which the format is recognised. It is the size of the shortest capture file, so
// reading from a pipe never blocks for bytes that a short capture does not have.
const sniffed = pcapHeader

const (
	convert    = "; convert it with editcap -F pcapng"
	unpackSelf = "; decompress it first"
)

// foreignFormats are file formats that users mistake for pcap or pcapng.
var foreignFormats = []struct{ magic, what string }{
	{"snoop\x00\x00\x00", "is a snoop capture" + convert},
	{"btsnoop\x00", "is a Bluetooth snoop log" + convert},
	{"RTSS", "is a capture of Microsoft Network Monitor 1" + convert},
	{"GMBU", "is a capture of Microsoft Network Monitor 2" + convert},
	{"iptrace 1.0", "is an iptrace capture" + convert},
	{"iptrace 2.0", "is an iptrace capture" + convert},
	{"\x00\x00\x02\x00\x12\x05\x00\x10", "is a Tektronix K12 capture" + convert},
	{"+---------+-----------", "is a Tektronix K12 text capture" + convert},
	{"TRSNIFF data    \x1a", "is a Sniffer capture" + convert},
	{"XCP\x00", "is a NetXRay capture" + convert},
	{"\x7fver", "is an EtherPeek or OmniPeek capture" + convert},
	{"\x05VNF", "is a Visual Networks capture" + convert},
	{"ObserverPktBufferVersio", "is an Observer capture" + convert},
	{"\x1c\x00\x01\xab", "is an Ixia capture" + convert},
	{"\x1c\x00\x01\xac", "is an Ixia capture" + convert},
	{"\xab\x01\x00\x1c", "is an Ixia capture" + convert},
	{"\xac\x01\x00\x1c", "is an Ixia capture" + convert},
	{gzipMagic, "is compressed twice" + unpackSelf},
	{"\x28\xb5\x2f\xfd", "is compressed twice" + unpackSelf},
	{"\xfd7zXZ\x00", "is compressed with xz" + unpackSelf},
	{"BZh", "is compressed with bzip2" + unpackSelf},
	{"\x04\x22\x4d\x18", "is compressed with lz4" + unpackSelf},
	{"\x1f\x9d", "is compressed with compress" + unpackSelf},
	{"PK\x03\x04", "is a zip archive; unpack it first"},
	{"7z\xbc\xaf\x27\x1c", "is a 7z archive; unpack it first"},
}

// describeForeign describes a file that is neither pcap nor pcapng, for error messages. start contains its first bytes.
func describeForeign(start []byte) string {
	if len(start) == 0 {
		return "is empty"
	}
	for _, s := range foreignFormats {
		if strings.HasPrefix(string(start), s.magic) {
			return s.what
		}
	}
	if isText(start) {
		return "is text, not a capture; a hex dump can be converted with text2pcap"
	}
	return fmt.Sprintf("is neither pcap nor pcapng (it starts with % x); if it is a capture of another kind, such as "+
		"ERF, convert it with editcap -F pcapng", start[:min(len(start), 4)])
}

// isText reports whether b could begin a text file. b may end inside a character.
func isText(b []byte) bool {
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		switch {
		case r == utf8.RuneError && size == 1:
			return !utf8.FullRune(b)
		case r < ' ' && !strings.ContainsRune("\t\n\r\f", r), r == 0x7f:
			return false
		}
		b = b[size:]
	}
	return true
}
