package print

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// The layout of a sample's bytes.
const (
	sampleLine = 16 // bytes in hex per line
	sampleText = 4  // minimum number of consecutive printable characters that are quoted
)

// AppendSample appends a message in the format of the .hex files that tests read, see wiretest.Sample. title describes
// the message, and is written as one line. c is the context in which the message was read. Endpoints are written only
// if both are valid.
func AppendSample(b []byte, title string, c wire.Context, src, dst netip.AddrPort, data []byte) []byte {
	b = fmt.Appendf(b, "# %s\n", strings.Join(strings.Fields(title), " "))
	if src.IsValid() && dst.IsValid() {
		b = fmt.Appendf(b, "src: %s\ndst: %s\n", src, dst)
	}
	if way := c.Direction.String(); way != "" {
		b = fmt.Appendf(b, "direction: %s\n", way)
	}
	if c.Dialect == wire.Document {
		b = append(b, "dialect: document\n"...)
	}
	if c.Transport == wire.TCP {
		b = append(b, "transport: tcp\n"...)
	}
	if c.Missing > 0 {
		b = fmt.Appendf(b, "missing: %d\n", c.Missing)
	}
	b = append(b, '\n')
	for len(data) > 0 {
		n := printable(data)
		if n >= sampleText {
			b = strconv.AppendQuote(b, string(data[:n]))
		} else {
			for n = 1; n < min(len(data), sampleLine) && printable(data[n:]) < sampleText; {
				n++
			}
			b = format.AppendHex(b, data[:n], 0)
		}
		b = append(b, '\n')
		data = data[n:]
	}
	return b
}

// printable returns the number of ASCII characters at the beginning of data that need no escape. It is at most the
// length of one line.
func printable(data []byte) int {
	const limit = 80
	n := 0
	for n < min(len(data), limit) && data[n] >= ' ' && data[n] <= '~' && data[n] != '"' && data[n] != '\\' {
		n++
	}
	return n
}
