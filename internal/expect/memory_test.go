package expect_test

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/expect"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// firstSent returns the first message in a capture that has the given name.
func firstSent(t *testing.T, capture, name string) sentMessage {
	t.Helper()
	var all recording
	read(t, capture, &all)
	at := slices.IndexFunc(all.all, func(s sentMessage) bool { return s.name == name })
	return all.all[at]
}

// strangers are many conversations with the same messages and findings.
type strangers struct {
	messages []sentMessage
	broken   int // number of findings in each message
	measured int // number of values measured for each message
}

// send passes the messages of many clients to a check.
func (s *strangers) send(c *expect.Check, many int) {
	rule := &wire.Rule{ID: "x.y", Severity: wire.Error}
	layer := s.messages[0].place.Protocol.New()
	history := filter.NewHistory(nil)
	for n := range many {
		for i := range s.messages {
			x := &s.messages[i]
			part := layer.Core()
			part.Context = x.context
			_ = part.Decode(layer, x.data, quiet{})
			m := message(x, layer)
			m.Place.Conversation, m.Place.Lane = n, uint32(2*n+1)
			for j := range s.broken {
				text := fmt.Sprintf("%090d of %d", j, n)
				m.Findings = append(m.Findings, wire.Finding{Rule: rule, Text: text})
			}
			c.Message(history.Message(m))
			for j := range s.measured {
				c.Value(&wire.Value{Place: m.Place, Table: "players", What: "lag", Unit: "s", Number: math.Pow(1.05, float64(j))})
			}
		}
	}
}

// TestMemoryOfChecksIsBounded checks that a check's memory stays within its limit, whatever clients send, and that the
// result says what the check did not follow.
func TestMemoryOfChecksIsBounded(t *testing.T) {
	const memory = 2 << 20
	query := firstSent(t, "tribes-x-control.pcap", "MasterQuery")
	page := firstSent(t, "iceball-real-session.pcap", "HTTPResponse")
	page.data = []byte("HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n" + strings.Repeat("x", 200_000))
	ping := firstSent(t, "bz24-ctf-players.head.pcap", "MsgLagPing")
	for name, test := range map[string]struct {
		strangers
		many int
		file string
	}{
		"conversations": {strangers{messages: []sentMessage{query}}, 10_000, "protocol: tribes\nsequence:\n  - expect: MasterQuery\n"},
		"failures": {strangers{messages: []sentMessage{query, query, query, query, query}}, 10_000,
			"protocol: tribes\nmode: strict\nsequence:\n  - expect: MasterQuery\n  - expect: MasterListReply\n"},
		"findings": {strangers{messages: []sentMessage{query}, broken: 20}, 10_000, "protocol: tribes\nbounds:\n  findings: note\n"},
		"values": {strangers{messages: []sentMessage{ping}, measured: 500}, 10_000,
			"protocol: bzflag24\nbounds:\n  hold:\n    - lag p99 < 1s\n    - lag p50 < 1s\n"},
		"saved texts": {strangers{messages: []sentMessage{page}}, 100,
			"protocol: iceball\nsequence:\n  - expect: HTTPResponse\n    save: {b: body}\n  - expect: HTTPRequest\n"},
		"failures with texts": {strangers{messages: []sentMessage{page, page}}, 2000, "protocol: iceball\nmode: strict\nsequence:\n" +
			"  - expect: HTTPResponse\n    save: {b: body}\n  - expect: HTTPResponse\n    where: body == \"y\"\n"},
	} {
		t.Run(name, func(t *testing.T) {
			line := func(m *decode.Message) string { return fmt.Sprintf("%100d", m.Place.Conversation) }
			c := expect.NewCheck(loadText(t, "x.yaml", []byte("name: x\n"+test.file)), expect.Options{Line: line, Memory: memory})
			before := wiretest.Heap()
			test.send(c, test.many)
			used := wiretest.Heap() - before
			result := c.Close()[0]
			runtime.KeepAlive(c)
			t.Logf("%d kB; %s", used>>10, result.Trouble)
			if used > memory*5/4 || used < memory/2 {
				t.Errorf("%d of %d kB are used", used>>10, memory>>10)
			}
			if !strings.HasPrefix(result.Trouble, "there is not enough memory to follow more than") {
				t.Errorf("Trouble is %q", result.Trouble)
			}
		})
	}
}
