package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/help"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/layers"
)

// TestDocsMade compares the generated pages with pages made from the protocols' current lists.
func TestDocsMade(t *testing.T) {
	made := func(page string, text []byte) {
		wiretest.Golden(t, filepath.Join(clitest.Root, "docs", page+".md"), text)
	}
	made("differences", differencesPage())
	made("capture-rules", rulesPage())
	for _, p := range layers.All() {
		made(p.Name, protocolPage(p))
	}
}

func differencesPage() []byte {
	b := []byte(`# Where do specifications and real programs differ?

gamedissect follows real programs, as seen on the wire. If bytes are ambiguous, ` + "`--dialect document`" + ` makes it
follow the specification. ` + "`gamedissect protocols`" + ` and the page of each protocol list all differences:

| protocol | where document and programs differ |
|---|---|
`)
	for _, p := range layers.All() {
		places := fmt.Sprintf("%d places", len(p.Differences))
		switch len(p.Differences) {
		case 0:
			places = "none is known"
		case 1:
			places = "1 place"
		}
		b = fmt.Appendf(b, "| [%s](%s.md) | %s: [%s](%[2]s.md#where-do-the-document-and-the-programs-differ) |\n", p.Name, p.Name, p.Title, places)
	}
	return b
}

// rulesPage describes the rules that belong to no protocol.
func rulesPage() []byte {
	b := []byte(`# Which rules are about captures, not games?

These rules report problems of the capture or of the layers below the games, such as data that is missing from the
capture. The rules of each protocol are on the protocol's page. ` + "`gamedissect rules`" + ` lists all rules, and
` + "`gamedissect explain RULE`" + ` shows a case of a broken rule.

## What does a finding rest on?

Each rule has one of these kinds of evidence, which the third column of ` + "`gamedissect rules`" + ` also shows. If the table
says that something else could also be the cause, the program that sent the message may work correctly. A rule of the kind absence or time is
never an error.

| kind | what it means |
|---|---|
`)
	for e := wire.OnBytes; e <= wire.OnTime; e++ {
		b = fmt.Appendf(b, "| %s | %s |\n", e, e.Sentence())
	}
	for _, r := range session.AllRules() {
		first, _, _ := strings.Cut(r.ID, ".")
		if layers.ByName(first) == nil {
			b = appendRule(b, "##", r)
		}
	}
	return b
}

// protocolPage describes a protocol: ports, tables, messages, fields and rules.
func protocolPage(p *wire.Protocol) []byte {
	b := fmt.Appendf(nil, "# What does gamedissect know about the %s protocol?\n\nThe protocol's name in filters and lists is `%s`. The usual ports of servers are UDP %s", p.Title, p.Name, help.Ports(p.UDP))
	if len(p.TCP) > 0 {
		b = fmt.Appendf(b, " and TCP %s", help.Ports(p.TCP))
	}
	b = append(b, ".\nOn other ports, gamedissect recognises the protocol by its content. This page is generated from the decoder's tables: `make golden` writes it.\n\n"+
		"On this page, \"the document\" is the published description of the protocol, and \"real\" programs are clients and servers that people use.\n"...)
	b = append(b, "\n## Where do the document and the programs differ?\n\n"...)
	for _, d := range p.Differences {
		b = fmt.Appendf(b, "- %s\n", d)
	}
	if len(p.Differences) == 0 {
		b = append(b, "None is known.\n"...)
	}
	b = append(b, "\n## What is measured?\n\n"...)
	b = appendMeasured(b, p)
	b = appendAttempts(b, p)
	b = append(b, "\n## Which messages are there?\n\nA game server that sends messages to a master server or a list server counts as a client there. \"Both\" also\n"+
		"stands for messages whose sender gamedissect does not check.\n\n| message | name in filters | sent by | answer to |\n|---|---|---|---|\n"...)
	for _, m := range p.Messages.All() {
		anchor := strings.ReplaceAll(strings.ToLower(titleOf(p, m)), " ", "-")
		b = fmt.Appendf(b, "| [%s](#%s) | `%s` | %s | %s |\n", withCode(m), anchor, filter.MessagePath(p, m), senderOf(m), strings.Join(m.Answers, ", "))
	}
	b = append(b, "\n## Which fields do they have?\n\nA computed field is not in the message: gamedissect derives it. A field in a list occurs once for each entry.\n"...)
	b = appendFields(b, p)
	b = append(b, "\n## Which rules can be broken?\n\n`gamedissect explain RULE` shows a case of a broken rule. The page [capture rules](capture-rules.md#what-does-a-finding-rest-on)\n"+
		"explains the kinds of evidence.\n"...)
	for _, r := range p.Rules {
		b = appendRule(b, "###", r)
	}
	return b
}

func appendMeasured(b []byte, p *wire.Protocol) []byte {
	if len(p.Tables) == 0 {
		return append(b, "Nothing.\n"...)
	}
	b = append(b, "Add one of these options to `gamedissect -r FILE -q` to print a table. The page [statistics](statistics.md) describes\n"+
		"such tables.\n\n| option | columns of the table |\n|---|---|\n"...)
	for _, table := range p.Tables {
		columns := strings.Join(slices.Concat(table.Columns, table.Steps), ", ")
		b = fmt.Appendf(b, "| `-z %s,%s` | %s |\n", p.Name, table.Name, columns)
	}
	return b
}

// appendAttempts describes the kinds of attempts: their steps, and who must act after each step.
func appendAttempts(b []byte, p *wire.Protocol) []byte {
	if len(p.Attempts) == 0 {
		return b
	}
	b = append(b, "\n## Which attempts does gamedissect follow?\n\n"+whatAttemptsAre+
		"The page [troubles](troubles.md#what-outcomes-can-an-attempt-have) lists the possible outcomes.\n"...)
	for _, k := range p.Attempts {
		b = fmt.Appendf(b, "\nAn attempt of the kind `%s` succeeds at the step `%s`:\n\n"+
			"| step | what must follow | within | if nothing follows |\n|---|---|---|---|\n", k.Name, k.Steps[k.Goal].Name)
		for _, s := range k.Steps {
			patience := ""
			if s.Patience > 0 {
				patience = inWords(s.Patience)
			}
			awaited, missing, _ := strings.Cut(s.Awaits, ": ")
			if awaited != "" {
				awaited += ", from the " + parties[s.Turn]
			}
			if strings.HasPrefix(missing, p.Name+".") {
				missing = "breaks the rule " + missing
			}
			b = fmt.Appendf(b, "| %s | %s | %s | %s |\n", s.Name, awaited, patience, missing)
		}
		if k.Lease > 0 {
			b = fmt.Appendf(b, "| while listed | renewal, from the %s | %s |  |\n", parties[wire.Asker], inWords(k.Lease))
		}
	}
	return b
}

// whatAttemptsAre explains attempts and their two sides, for readers of docs.
const whatAttemptsAre = "An attempt consists of a request, for example to join a game or to be listed, and all later steps. The side that sends\n" +
	"the request is the asker. "

// parties has the words for the sides of an attempt.
var parties = [...]string{wire.Asker: "asker", wire.Asked: "other side"}

// inWords returns a duration without the seconds if they are zero: "5m".
func inWords(d time.Duration) string {
	if d%time.Minute == 0 {
		return strings.TrimSuffix(d.String(), "0s")
	}
	return d.String()
}

func withCode(m *wire.MessageType) string {
	if m.Code == "" || m.Code == m.Name {
		return m.Name
	}
	return fmt.Sprintf("%s (`%s`)", m.Name, m.Code)
}

func senderOf(m *wire.MessageType) string {
	return map[wire.Direction]string{
		wire.Unknown: "both", wire.ToServer: "clients", wire.FromServer: "servers", wire.PeerToPeer: "players",
	}[m.Direction]
}

// appendFields writes the fields of each message. Fields that all messages begin with appear only once.
func appendFields(b []byte, p *wire.Protocol) []byte {
	fields := make(map[*wire.MessageType][]wire.Field)
	all := p.Messages.All()
	shared := len(p.Describe(all[0]))
	for _, m := range all {
		fields[m] = p.Describe(m)
		shared = min(shared, len(fields[m]))
		for i := range shared {
			if x, y := fields[m][i], fields[all[0]][i]; x.Name != y.Name || help.FieldType(&x) != help.FieldType(&y) {
				shared = i
				break
			}
		}
	}
	if shared > 0 {
		b = appendTable(append(b, "\n### Every message begins with\n"...), fields[all[0]][:shared])
	}
	for _, m := range all {
		b = fmt.Appendf(b, "\n### %s\n", titleOf(p, m))
		if len(fields[m]) == shared {
			b = append(b, "\nNothing more.\n"...)
			continue
		}
		b = appendTable(b, fields[m][shared:])
	}
	return b
}

// titleOf returns the heading of a message. If client and server have messages with the same name, the heading says who
// sends it.
func titleOf(p *wire.Protocol, m *wire.MessageType) string {
	if slices.ContainsFunc(p.Messages.All(), func(o *wire.MessageType) bool { return o != m && o.Name == m.Name }) {
		return m.Name + " from " + senderOf(m)
	}
	return m.Name
}

func appendTable(b []byte, fields []wire.Field) []byte {
	b = append(b, "\n| field | type | values |\n|---|---|---|\n"...)
	for _, f := range fields {
		kind := help.FieldType(&f)
		if slices.Contains(f.Around, wire.Sequence) {
			kind += ", in a list"
		}
		b = fmt.Appendf(b, "| `%s` | %s | %s |\n", f.Name, kind, strings.ReplaceAll(valuesOf(f.Symbols), "|", `\|`))
	}
	return b
}

// valuesOf lists the first few values with their names.
func valuesOf(symbols wire.Symbols) string {
	const most = 8
	var s []string
	for i, x := range symbols {
		if i == most && len(symbols) > most+1 {
			s = append(s, fmt.Sprintf("... %d more", len(symbols)-most))
			break
		}
		s = append(s, fmt.Sprintf("%d %s", x.Value, x.Name))
	}
	return strings.Join(s, ", ")
}

func appendRule(b []byte, level string, r *wire.Rule) []byte {
	return fmt.Appendf(b, "\n%s %s\n\n%s: %s.\n\n%s\n\n%s\n\nSource: %s\n", level, r.ID, r.Severity, r.Title, r.Why, r.Rests.Sentence(), r.Source)
}
