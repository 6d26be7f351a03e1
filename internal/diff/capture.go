// Package diff compares a capture with good captures. It finds what is worse, what else differs, and whether the
// captures can be compared at all. Something in which the good captures differ from each other is not a difference.
//
// Differences in rules, attempts, questions, answer times and loss make a capture worse. Differences in notes,
// messages, sizes, values, players and sequences only help to find the cause.
package diff

import (
	"cmp"
	"maps"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/stats"
	"github.com/gamedissect/gamedissect/internal/summary"
)

// A Capture contains the data of a capture that is compared.
type Capture struct {
	Name    string
	Summary *summary.Summary

	rules    map[string]*summary.Finding
	attempts map[string]*attempts        // by protocol and kind
	refused  map[string]*summary.Refused // by reason
	shares   []share                     // in the same order in all captures
	times    map[string]*stats.Histogram // answer times in nanoseconds
	messages map[string]*stats.Histogram // sizes of messages
	values   map[string][]string         // what servers report about themselves
	players  map[string]bool             // names without the numbers that servers assign
	ends     map[string]netip.AddrPort   // addresses of players, if known
	servers  map[string]bool
	talks    *Talks
	partial  map[string]string // why the capture is incomplete, by the rule or the keyword that shows it
}

// A share says how many of some things went wrong, for example how many questions were not answered.
type share struct {
	kind   Kind
	what   string
	weight int
	floor  float64 // a smaller increase of the share is ignored
	least  int64   // a smaller n is ignored
	n, of  int64
	maybe  int64 // number of further things that may have gone wrong, which the capture does not show
}

// These are the texts of share.what.
const (
	updatesMissing  = "updates missing by UDP"
	unanswered      = "questions unanswered"
	listsIncomplete = "lists not complete"
	noAnswer        = "questions without an answer here"
	askedAgain      = "asked again within 3 s"
	endsOpen        = "conversations that end on a question"
	bytesUnread     = "bytes in no message"
)

// ratio returns the share. maxRatio returns the share as if all uncertain things had gone wrong.
func (s *share) ratio() float64    { return float64(s.n) / float64(max(s.of, 1)) }
func (s *share) maxRatio() float64 { return float64(s.n+s.maybe) / float64(max(s.of, 1)) }

// NewCapture extracts the data to compare from counts.
func NewCapture(name string, from *summary.Source, talks *Talks) *Capture {
	c := &Capture{
		Name: name, Summary: summary.Make(from), rules: make(map[string]*summary.Finding),
		attempts: make(map[string]*attempts), refused: make(map[string]*summary.Refused),
		times:    make(map[string]*stats.Histogram),
		messages: make(map[string]*stats.Histogram), values: make(map[string][]string), talks: talks,
		players: make(map[string]bool), ends: make(map[string]netip.AddrPort),
		servers: make(map[string]bool), partial: make(map[string]string),
	}
	talks.close()
	h := &c.Summary.Health
	for i := range h.Findings {
		c.rules[h.Findings[i].Rule] = &h.Findings[i]
	}
	for i := range h.Refused {
		c.refused[h.Refused[i].Reason] = &h.Refused[i]
	}
	for i := range c.Summary.Players {
		p := &c.Summary.Players[i]
		name := numbered.ReplaceAllString(p.Name, "")
		c.players[name] = true
		if at, err := netip.ParseAddrPort(p.Address); err == nil {
			c.ends[name] = at
		}
	}
	for i := range c.Summary.Servers {
		c.servers[c.Summary.Servers[i].Address.String()] = true
	}
	for _, name := range sortedNames(from.Stats.Protocols) {
		p := from.Stats.Protocols[name]
		for kind, m := range p.Messages {
			c.messages[name+" "+kind] = &m.Sizes
		}
		for _, table := range sortedNames(p.Tables) {
			c.addTable(name, p.Tables[table])
		}
	}
	c.addAttempts(from)
	c.addShares(from)
	c.addPartial()
	return c
}

// numbered matches the number at the beginning of a player's name.
var numbered = regexp.MustCompile(`^\d+ `)

// settings are the values in servers' reports that stay the same from match to match.
var settings = []string{"version", "game type", "options", "locked", "world size"}

// addTable adds the answer times and the settings in a table.
func (c *Capture) addTable(protocol string, rows stats.Table) {
	all := make(map[string]*stats.Histogram)
	for who, row := range rows {
		for _, x := range row.Series {
			name := protocol + " " + x.What
			if x.Unit() == "s" && isAnswer(x.What) && x.Numbers.Count > 0 {
				if all[name] == nil {
					all[name] = new(stats.Histogram)
				}
				all[name].Merge(x.Numbers)
			}
			if who != (stats.RowKey{}) && slices.Contains(settings, x.What) {
				for _, state := range x.States() {
					c.addValue(name, state.Text.String())
				}
			}
		}
	}
	for name, h := range all {
		if c.times[name] == nil { // another table may already have added them
			c.times[name] = h
		}
	}
}

// isAnswer reports whether durations with a name are answer times. Other durations are intervals that the sender
// chooses, or the same answer times under another name: for example, the answer time of queries to a server is the
// server's ping.
func isAnswer(what string) bool {
	return what == "ping" || what == "lag" || what == "answer" || strings.HasPrefix(what, "time to ")
}

// maxValues limits the values of a setting. Something with more values is not a setting.
const maxValues = 64

func (c *Capture) addValue(name, text string) {
	if list := c.values[name]; text != "" && len(list) < maxValues && !slices.Contains(list, text) {
		c.values[name] = append(list, text)
	}
}

// addShares adds the shares to compare.
func (c *Capture) addShares(from *summary.Source) {
	var asked, answered, left, open, skipped, datagrams int64
	for i := range c.Summary.Servers {
		s := &c.Summary.Servers[i]
		asked += s.Asked
		maybe := s.Open + s.Unsure
		answered += min(s.Answered+maybe, s.Asked)
		left += min(s.Unanswered, s.Asked)
		open += min(maybe, s.Asked)
	}
	for _, n := range from.Counters.Skipped.All() {
		skipped += n
	}
	for key, of := range from.Stats.Conversations {
		if key.Transport == wire.UDP {
			datagrams += of.AB.Messages + of.BA.Messages
		}
	}
	h, t := &c.Summary.Health, c.talks
	c.shares = []share{
		{Loss, updatesMissing, 125, 0.002, 1, h.Missing, h.Missing + datagrams, 0},
		{Attempts, unanswered, 90, 0.02, 1, left, asked, open},
		{Questions, listsIncomplete, 87, 0.1, 1, h.Incomplete, h.Lists, 0},
		{Attempts, noAnswer, 85, 0.05, 1, asked - answered, asked, open},
		{Questions, askedAgain, 83, 0.05, 2, t.again, t.asked, t.maybeAgain},
		{Questions, endsOpen, 82, 0.1, 2, t.open, int64(len(t.list)), t.maybeOpen},
		{Notes, "TCP segments out of order", 44, 0, 1, h.OutOfOrder, c.Summary.Packets, 0},
		{Rules, bytesUnread, 68, 0.005, 1, skipped, skipped + from.Counters.Carried, 0},
	}
}

// addPartial records why the capture is incomplete.
func (c *Capture) addPartial() {
	for _, r := range []*wire.Rule{decode.RuleFileCut, decode.RuleTruncated, decode.RuleMidStream, decode.RuleJump,
		decode.RuleForgotten} {
		if c.rules[r.ID] != nil {
			c.partial[r.ID] = r.Title
		}
	}
	switch t := c.talks; {
	case t.toServer == 0 && t.toClient > 0:
		c.partial["to server"] = "it has only what servers sent"
	case t.toClient == 0 && t.toServer > 0 && (t.tcp || t.open == 0):
		// If only UDP questions are open, the server may be silent, and the capture complete.
		c.partial["to client"] = "it has only what clients sent"
	}
}

// Damaged records that the capture could not be read to its end.
func (c *Capture) Damaged() {
	if c.rules[decode.RuleFileCut.ID] == nil { // unless that rule already says so
		c.partial["damaged"] = "it could not be read to its end"
	}
}

// Seconds returns the time span of the capture in seconds.
func (c *Capture) Seconds() float64 { return c.Summary.Last.Sub(c.Summary.First).Seconds() }

func (c *Capture) protocols() (list []string) {
	for name := range c.messages {
		protocol, _, _ := strings.Cut(name, " ")
		list = append(list, protocol)
	}
	for name := range c.attempts { // if nobody answers, a protocol may have attempts but no messages
		protocol, _, _ := strings.Cut(name, " ")
		list = append(list, protocol)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// sortedNames returns the keys of a map, sorted.
func sortedNames[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// Conversations returns the number of conversations that are compared.
func (c *Capture) Conversations() int { return len(c.talks.list) }
