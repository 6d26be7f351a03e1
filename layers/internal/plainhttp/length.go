package plainhttp

import (
	"bytes"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// takeField records what a header line says about the length of the body. The line contains either the length or a list
// of codings. Some programs write Length instead of Content-Length. long means that the line is longer than maxFact, so
// value may lack its end.
func takeField(name, value []byte, long bool, p *wire.Progress) {
	switch {
	case bytes.EqualFold(name, []byte("Transfer-Encoding")):
		if long {
			p.State |= inCodings // takeCodings needs the end of the line
			return
		}
		takeCodings(value, p)
	case bytes.EqualFold(name, []byte("Length")), bytes.EqualFold(name, []byte("Content-Length")):
		n, ok := parseLength(value)
		if long || !ok || p.State&isCounted != 0 && n != p.Length {
			p.State |= isBad
			return
		}
		p.State |= isCounted
		p.Length = n
	}
}

// parseLength parses a length. Some programs send the length several times, as a list.
func parseLength(value []byte) (n int, ok bool) {
	for more := true; more; {
		var next []byte
		next, value, more = bytes.Cut(value, []byte(","))
		m, err := strconv.ParseUint(string(bytes.TrimSpace(next)), 10, 64)
		if err != nil || m > maxBody || ok && int(m) != n {
			return 0, false
		}
		n, ok = int(m), true
	}
	return n, ok
}

// takeCodings records that the body is coded, and whether its last coding is chunked. It needs only the end of the
// list. A later line continues the list.
func takeCodings(list []byte, p *wire.Progress) {
	last := bytes.TrimSpace(list[max(0, len(list)-maxCoding):])
	if i := bytes.LastIndexAny(last, ", \t"); i >= 0 {
		last = last[i+1:]
	}
	p.State &^= inCodings | isChunked
	switch {
	case bytes.EqualFold(last, []byte("chunked")):
		p.State |= isCoded | isChunked
	case !bytes.EqualFold(last, []byte("identity")): // identity is not a coding
		p.State |= isCoded
	}
}

// LengthProblem returns what is wrong with the header lines that determine the end of the message, or "". It reads
// these lines as Stream does.
func LengthProblem(headers []Header, fromServer bool) string {
	p := lengthOf(headers)
	switch {
	case p.State&isBad != 0:
		return "the header has a length that is not a number up to " + strconv.Itoa(maxBody) + ", or two different lengths"
	case p.State&isCoded != 0 && p.State&isCounted != 0:
		return "the header has both a length and a coding of the body; the coding takes precedence"
	case p.State&isCoded != 0 && p.State&isChunked == 0 && !fromServer:
		return "the last coding of the body is not chunked, so nothing shows where the body ends"
	}
	return ""
}

// lengthOf returns what a header says about the length of the body.
func lengthOf(headers []Header) (p wire.Progress) {
	for i := range headers {
		h := &headers[i]
		takeField(h.Name, h.Value, h.size() > maxFact, &p)
		if p.State&inCodings != 0 {
			takeCodings(h.Value, &p)
		}
	}
	return p
}
