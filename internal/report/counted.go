package report

import (
	"cmp"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// others is the name of the row that counts everything for which a list of stats.Stats had no room. The list has this
// row under the zero key.
const others = "others"

// sortedKeys returns the keys of a list of stats.Stats, sorted. The zero key comes last.
func sortedKeys[K comparable, V any](list map[K]V, compare func(x, y K) int) []K {
	keys := slices.SortedFunc(maps.Keys(list), compare)
	var zero K
	if i := slices.Index(keys, zero); i >= 0 {
		keys = append(slices.Delete(keys, i, i+1), zero)
	}
	return keys
}

func (s *Source) protocols() *Table {
	t := &Table{Name: "protocols", Title: "Protocols", Columns: slices.Concat(columns(Word, "protocol"),
		columns(Count, "conversations", "messages"), sized("bytes"), columns(Seconds, "seconds"),
		columns(Rate, "messages/s"))}
	for _, name := range slices.Sorted(maps.Keys(s.Stats.Protocols)) {
		var count, bytes int64
		for _, m := range s.Stats.Protocols[name].Messages {
			count += m.Sizes.Count
			bytes += m.Sizes.Sum
		}
		conversations, span := s.conversationsOf(name)
		t.add(name, conversations, count, bytes, span, rate(count, span))
	}
	return t
}

// conversationsOf counts the conversations of a protocol. It returns the count, and the time from the first message to
// the last in nanoseconds. A plus after the count means that stats.Stats had no room for more conversations.
func (s *Source) conversationsOf(protocol string) (conversations Cell, span int64) {
	var n, first, last int64
	more, met := "", false
	for key, c := range s.Stats.Conversations {
		if c.Protocol != protocol {
			continue
		}
		if !met {
			first, last, met = c.First, c.Last, true
		}
		first, last = min(first, c.First), max(last, c.Last)
		if key == (stats.ConversationKey{}) {
			more = "+"
		} else {
			n++
		}
	}
	return Shown{FormatCount(n) + more, n}, last - first
}

// rate returns n per second, for n in ns nanoseconds.
func rate(n, ns int64) Cell {
	if ns <= 0 {
		return Shown{Text: "-"}
	}
	return float64(n) / (float64(ns) / 1e9)
}

// messages has a row for each kind of message in the traffic. The most frequent messages of a protocol come first.
func (s *Source) messages() *Table {
	t := &Table{Name: "messages", Title: "Messages", Columns: slices.Concat(columns(Word, "protocol", "message"),
		columns(Count, "count"), sized("bytes", "smallest", "median", "largest"), columns(Rate, "messages/s"))}
	for _, protocol := range slices.Sorted(maps.Keys(s.Stats.Protocols)) {
		messages := s.Stats.Protocols[protocol].Messages
		names := slices.SortedFunc(maps.Keys(messages), func(x, y string) int {
			return cmp.Or(cmp.Compare(messages[y].Sizes.Count, messages[x].Sizes.Count), cmp.Compare(x, y))
		})
		for _, name := range names {
			h := &messages[name].Sizes
			t.add(protocol, name, h.Count, h.Sum, h.Min, h.Quantile(0.5), h.Max, rate(h.Count, s.Stats.Last-s.Stats.First))
		}
	}
	return t
}

// everyMessage is the name of the table of messages that includes the kinds that did not occur. Source.All omits this
// table.
const everyMessage = "messages,all"

func (s *Source) everyMessage() *Table {
	t := s.messages()
	t.Name = everyMessage
	for _, p := range s.Protocols {
		counted := s.Stats.Protocols[p.Name]
		if counted == nil {
			continue
		}
		listed := make(map[string]bool) // client and server may have a message with the same name
		for _, kind := range p.Messages.All() {
			if counted.Messages[kind.Name] == nil && !listed[kind.Name] {
				listed[kind.Name] = true
				t.add(p.Name, kind.Name, int64(0), int64(0), nil, nil, nil, nil)
			}
		}
	}
	slices.SortStableFunc(t.Rows, func(a, b []Cell) int { return cmp.Compare(a[0].(string), b[0].(string)) })
	return t
}

// Totals makes the tables that summarize a capture.
func (s *Source) Totals() []*Table {
	messages := s.messages()
	messages.Columns = messages.Columns[:4] // columns up to bytes
	for i, row := range messages.Rows {
		messages.Rows[i] = row[:4]
	}
	return []*Table{messages, s.packets(), s.findings(), s.Skipped(), s.forgotten()}
}

func (s *Source) packets() *Table {
	t := &Table{Name: PacketsName, Title: "Packets",
		Columns: columns(Count, "packets", "messages", "messages shown", "other packets", "not whole")}
	c := &s.Counters
	t.add(c.Packets, c.Messages, s.Stats.Messages, c.Other, c.Truncated)
	return t
}

// People see these tables of Totals in another form. For example, Source.Packets returns the packets as a sentence.
const (
	PacketsName   = "packets"
	ForgottenName = "forgotten"
)

// Packets returns the table of packets as a sentence.
func (s *Source) Packets() string {
	c := &s.Counters
	messages := Plural(c.Messages, "message")
	if s.Stats.Messages != c.Messages { // filtered
		messages = FormatCount(s.Stats.Messages) + " of " + messages
	}
	text := Plural(c.Packets, "packet") + ", " + messages + ", " + Plural(c.Other, "packet") + " of other traffic"
	if c.Truncated > 0 {
		text += "; " + Plural(c.Truncated, "packet") + " not whole in the capture (snap length)"
	}
	return text
}

// When returns a text with the time of the first packet and the time from it to the last message. Without messages, it
// returns "".
func (s *Source) When() string {
	if s.Counters.Packets == 0 || s.Stats.Messages == 0 {
		return ""
	}
	return time.Unix(0, s.First).UTC().Format("Mon 2006-01-02 15:04:05 MST") + ", " +
		FormatSpan(time.Duration(max(s.Stats.Last-s.First, 0))) + " to the last message"
}

// FormatSpan formats a duration with its two largest units.
func FormatSpan(d time.Duration) string {
	n := int64(d.Round(time.Second) / time.Second)
	switch {
	case d < time.Minute:
		return FormatDuration(int64(d))
	case n < 3600:
		return fmt.Sprintf("%dm%02ds", n/60, n%60)
	case n < 86400:
		return fmt.Sprintf("%dh%02dm", n/3600, n/60%60)
	}
	return fmt.Sprintf("%dd%02dh", n/86400, n/3600%24)
}

// SeverityName is the name of the column for severities.
const SeverityName = "severity"

// findings has a row for each broken rule, most severe first.
func (s *Source) findings() *Table {
	all := s.Stats.Findings
	t := &Table{Name: "findings", Title: "Findings", Columns: []Column{{Name: SeverityName, Kind: Word, Whole: true},
		{Name: "rule", Kind: Word, Whole: true}, {Name: "count", Kind: Count},
		{Name: "frame", Key: "first_frame", Kind: Frame}, {Name: "first file", Kind: File, Only: Programs},
		{Name: "example", Kind: Word, Below: true},
		{Name: "who", Key: "first_who", Kind: Word, Whole: true}}}
	for _, id := range slices.SortedFunc(maps.Keys(all), func(x, y string) int {
		a, b := all[x], all[y]
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.Time, b.Time), cmp.Compare(a.Frame, b.Frame),
			cmp.Compare(x, y))
	}) {
		f := all[id]
		t.add(f.Severity.String(), id, f.Count, Packet{f.File, f.Frame}, f.File, f.Text, address(f.Sender))
	}
	return t
}

// address returns an endpoint as text, or "" if there is none.
func address(a netip.AddrPort) string {
	if !a.IsValid() {
		return ""
	}
	return a.String()
}

// Skipped counts the bytes that belong to no message, by reason.
func (s *Source) Skipped() *Table {
	t := &Table{Name: "skipped", Title: "Bytes in no message",
		Columns: append([]Column{{Name: "bytes in no message", Key: "bytes", Kind: Word}}, sized("count")...)}
	for why, n := range s.Counters.Skipped.All() {
		t.add(why.String(), n)
	}
	return t
}

// forgotten lists what the engine dropped because memory ran out, most frequent first.
func (s *Source) forgotten() *Table {
	t := &Table{Name: ForgottenName, Title: "Forgotten for lack of memory", Columns: append(columns(Word, "what"),
		columns(Count, "count")...)}
	for _, f := range slices.SortedStableFunc(slices.Values(s.Counters.Forgotten),
		func(a, b bounded.Forgotten) int { return cmp.Compare(b.Count, a.Count) }) {
		t.add(f.Name, f.Count)
	}
	return t
}

// conversations has a row for each conversation, in the order of their first messages.
func (s *Source) conversations() *Table {
	all := s.Stats.Conversations
	t := &Table{Name: "conv", Title: "Conversations", Columns: []Column{
		{Name: "stream", Kind: Word, Whole: true, Only: People},
		{Name: "transport", Kind: Word, Only: Programs}, {Name: "stream", Kind: Count, Only: Programs},
		{Name: "a", Kind: Word, Whole: true}, {Name: "b", Kind: Word, Whole: true},
		{Name: "a>b", Key: "a_to_b", Kind: Count}, {Name: "bytes", Key: "bytes_a_to_b", Kind: Count, Unit: "B"},
		{Name: "b>a", Key: "b_to_a", Kind: Count}, {Name: "bytes", Key: "bytes_b_to_a", Kind: Count, Unit: "B"},
		{Name: "from", Kind: Seconds, Unit: "s"}, {Name: "to", Kind: Seconds, Unit: "s"}, {Name: "protocol", Kind: Word}}}
	for _, k := range sortedKeys(all, func(x, y stats.ConversationKey) int {
		return cmp.Or(cmp.Compare(all[x].First, all[y].First), x.A.Compare(y.A), x.B.Compare(y.B),
			cmp.Compare(x.Transport, y.Transport))
	}) {
		c := all[k]
		stream, a, b := streamName(k.Transport, c.Stream), address(k.A), address(k.B)
		transport, number := Cell(k.Transport.String()), Cell(int64(c.Stream))
		if k == (stats.ConversationKey{}) {
			stream, transport, number, a, b = "", nil, nil, others, ""
		}
		t.add(stream, transport, number, a, b, c.AB.Messages, c.AB.Bytes, c.BA.Messages, c.BA.Bytes,
			c.First-s.First, c.Last-s.First, c.Protocol)
	}
	return t
}

func streamName(of wire.Transport, number int) string {
	if number < 0 {
		return "-"
	}
	return of.String() + "," + strconv.Itoa(number)
}

// endpoints has a row for each endpoint, sorted by bytes.
func (s *Source) endpoints() *Table {
	all := s.Stats.Endpoints
	bytes := func(e *stats.Endpoint) int64 { return e.Sent.Bytes + e.Received.Bytes }
	t := &Table{Name: "endpoints", Title: "Endpoints", Columns: []Column{{Name: "endpoint", Kind: Word, Whole: true},
		{Name: "sent", Kind: Count}, {Name: "bytes", Key: "bytes_sent", Kind: Count, Unit: "B"},
		{Name: "received", Kind: Count}, {Name: "bytes", Key: "bytes_received", Kind: Count, Unit: "B"},
		{Name: "transport", Kind: Word}, {Name: "protocol", Kind: Word}}}
	for _, k := range sortedKeys(all, func(x, y stats.EndpointKey) int {
		return cmp.Or(cmp.Compare(bytes(all[y]), bytes(all[x])), x.At.Compare(y.At), cmp.Compare(x.Transport, y.Transport))
	}) {
		e, who, transport := all[k], k.At.String(), k.Transport.String()
		if k == (stats.EndpointKey{}) {
			who, transport = others, ""
		}
		t.add(who, e.Sent.Messages, e.Sent.Bytes, e.Received.Messages, e.Received.Bytes, transport, e.Protocol)
	}
	return t
}

// senders has a row for each pair of an endpoint and a rule that it broke, most severe and most frequent first.
func (s *Source) senders() *Table {
	all := s.Stats.Senders
	t := &Table{Name: "findings,who", Title: "Findings by sender", Columns: []Column{
		{Name: "rule", Kind: Word, Whole: true}, {Name: "who", Kind: Word, Whole: true}, {Name: "count", Kind: Count},
		{Name: "first", Key: "first_frame", Kind: Frame}, {Name: "last", Key: "last_frame", Kind: Frame},
		{Name: "first file", Kind: File, Only: Programs}, {Name: "last file", Kind: File, Only: Programs},
		{Name: "player"}, {Name: "severity", Kind: Word}}}
	players := s.Players()
	for _, k := range sortedKeys(all, func(x, y stats.Sender) int {
		a, b := all[x], all[y]
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(b.Count, a.Count), cmp.Compare(x.Rule, y.Rule),
			x.At.Compare(y.At))
	}) {
		b := all[k]
		t.add(cmp.Or(k.Rule, others), address(k.At), b.Count, Packet{b.First.File, b.First.Frame},
			Packet{b.Last.File, b.Last.Frame}, b.First.File, b.Last.File, players[k.At], b.Severity.String())
	}
	return t
}

// Players returns the names of players by the address that they played from. If an address had several names, it
// returns the first one in the order of stats.CompareNames.
func (s *Source) Players() map[netip.AddrPort]string {
	names := make(map[netip.AddrPort]string)
	for _, p := range s.Stats.Protocols {
		for who, row := range p.Tables["players"] {
			x := row.Find("address")
			if x == nil {
				continue
			}
			for _, state := range x.States() {
				at, err := netip.ParseAddrPort(state.Text.String())
				if have, met := names[at]; err == nil && (!met || stats.CompareNames(who.Who, have) < 0) {
					names[at] = who.Who
				}
			}
		}
	}
	return names
}
