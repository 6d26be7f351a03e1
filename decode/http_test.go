package decode

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/tcp"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/iceball"
)

// A long HTTP message is either delivered, or reported and counted as skipped. The messages after it are found.
func TestLongHTTP(t *testing.T) {
	wiretest.WithoutDetector(t)
	const (
		get = "GET /master.json HTTP/1.1\r\n\r\n"
		ok  = "HTTP/1.1 200 OK\r\nA: b\r\n"
	)
	header := func(size int) string {
		return "GET / HTTP/1.1\r\n" + strings.Repeat("A: b\r\n", size/6) + "\r\n"
	}
	for _, c := range []struct {
		name   string
		client string // sent first
		server string // sent after that
		want   string // number of messages, and findings without their places
	}{
		{"a header of 17 KB", header(17<<10) + get, "", "2"},
		{"a header of 200 KB", header(200<<10) + get, "", "2"},
		{"a header beyond the bound", header(3<<19) + get + get, "",
			"2 [a message too large to be joined before offset 1048600 of the stream, 1572882 bytes skipped]"},
		{"a body beyond the bound", strings.Replace(get, "\r\n\r\n", "\r\nContent-Length: 1500000\r\n\r\n", 1) +
			strings.Repeat("x", 1500000) + get + get, "",
			"2 [a message too large to be joined before offset 1048600 of the stream, 1500054 bytes skipped]"},
		{"no length and no end", get, ok + "\r\n" + strings.Repeat("x", 3<<19),
			"1 [a message too large to be joined before offset 1048600 of the stream, 1572889 bytes skipped]"},
		{"no length and no end, but short", get, ok + "\r\nabc", "1"},
		{"a header without an end", get + header(20000)[:10000], "", "1"},
	} {
		messages := 0
		p := iceball.Protocol
		w := &wired{seq: [2]uint32{1000, 5000}, table: newTable(t, Options{Protocols: []*wire.Protocol{p},
			DecodeAs: []DecodeAs{{Transport: wire.TCP, Port: barePorts[1], Protocol: p}}})}
		w.options.Message = func(*Message) { messages++ }
		w.bare(0, tcp.SYN, "")
		w.bare(1, tcp.SYN|tcp.ACK, "")
		for side, text := range []string{c.client, c.server} {
			for len(text) > 0 {
				n := min(1400, len(text))
				w.bare(side, tcp.ACK, text[:n])
				text = text[n:]
			}
		}
		w.Close()
		got := fmt.Sprint(messages)
		for _, f := range w.findings {
			_, text, _ := strings.Cut(f, ": ")
			got += fmt.Sprintf(" [%s]", text)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		n := w.Counters()
		counted := n.Carried
		for _, bytes := range n.Skipped.All() {
			counted += bytes
		}
		if all := int64(len(c.client) + len(c.server)); counted != all {
			t.Errorf("%s: %d of %d bytes are accounted for", c.name, counted, all)
		}
	}
}
