package cli

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers"
)

// ownAccord are messages that a server also sends without a question, although they are declared to be in order.
var ownAccord = []string{"bloodmasters Ping s2c"}

// checkRecurs finds messages that recur in captures: they come after different messages, or several times for one
// question. Such messages must not be declared to be in order, because recorded expectations would then require that
// order. It marks the messages of ownAccord in seen.
func checkRecurs(t *testing.T, messages []record, seen map[string]bool) {
	t.Helper()
	conversations := make(map[string][]record)
	for _, r := range messages {
		key := fmt.Sprint(r.Protocol, " ", r.Transport, " ", r.Stream)
		conversations[key] = append(conversations[key], r)
	}
	for _, c := range conversations {
		for kind, why := range recurring(c) {
			switch {
			case slices.Contains(ownAccord, kind):
				seen[kind] = true
			case recursOf(t, kind) == wire.InOrder:
				t.Errorf("%s %s, but its Recurs is InOrder", kind, why)
			}
		}
	}
}

// recurring returns the messages of a conversation that have no fixed place in it, as "protocol Message s2c", each with
// the reason.
func recurring(messages []record) map[string]string {
	const (
		often  = 5 // a client may try this often to enter
		resent = 2 // an answer and its retransmission
	)
	found := make(map[string]string)
	count := make(map[string]int)
	after := make(map[string]map[string]bool)
	last, inRow, questions := "", 0, 0
	for _, r := range messages {
		kind := r.Protocol + " " + r.Message + " " + r.Direction
		if kind != last {
			inRow = 0
		}
		inRow++
		count[kind]++
		if after[kind] == nil {
			after[kind] = make(map[string]bool)
		}
		after[kind][last] = true
		switch {
		case r.Transport == "tcp" && (count[kind] > often || len(after[kind]) > 2 || inRow > 2):
			found[kind] = fmt.Sprintf("comes %d times, %d in a row, after %d kinds of messages", count[kind], inRow, len(after[kind]))
		case r.Transport == "udp" && r.Direction == "s2c" && inRow > resent && inRow > questions:
			found[kind] = fmt.Sprintf("comes %d times for %d questions", inRow, questions)
		}
		if r.Direction == "c2s" {
			questions = inRow
		}
		last = kind
	}
	return found
}

// recursOf returns the Recurs of a message. kind is the message's protocol, name and direction.
func recursOf(t *testing.T, kind string) wire.Recurrence {
	words := strings.Fields(kind)
	for _, m := range layers.ByName(words[0]).Messages.All() {
		if way := m.Direction.String(); m.Name == words[1] && (len(words) < 3 || way == words[2] || way == "") {
			return m.Recurs
		}
	}
	t.Errorf("there is no %s", kind)
	return wire.InOrder
}
