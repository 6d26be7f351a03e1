package expect

import (
	"math"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/goccy/go-yaml/ast"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// measureForm matches a measure. It begins with "count" or "rate" and a message, with "attempts", a kind and an
// outcome, or with a value and an aggregate. Then come the comparison and the number.
var measureForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(count|rate)\s+(\S+)` +
		`|attempts\s+(\S+)\s+(\S+)` +
		`|(\S.*?)\s+(p[0-9]+(?:\.[0-9]+)?|min|max|mean|total|count))` +
		`\s*(<=|>=|==|!=|<|>|\bin\b)\s*(\S+)$`)
})

func (l *loader) bounds(n ast.Node) {
	keys := l.mapping(n, "bounds", "findings", "allow", "hold")
	b := &l.expectation.bounds
	b.line, _ = position(n)
	if n := keys["findings"]; n != nil {
		word := l.choice(n, "findings (none of this severity or above)",
			wire.Note.String(), wire.Warning.String(), wire.Error.String())
		b.findings = true
		for b.severity.String() != word {
			b.severity++
		}
	}
	if n := keys["allow"]; n != nil {
		if !b.findings {
			l.fail(n, "allow needs findings; without it, all findings are allowed")
		}
		for _, one := range l.some(n, "allow") {
			b.allow = append(b.allow, l.allowed(one))
		}
	}
	if n := keys["hold"]; n != nil {
		for _, one := range l.some(n, "hold") {
			b.hold = append(b.hold, l.measure(one))
		}
	}
}

// allowed loads a pattern for the rules that may be broken.
func (l *loader) allowed(n ast.Node) string {
	pattern := l.text(n, "allow")
	known := l.schema.Field("finding.rule").Known()
	fits := false
	for _, id := range known {
		ok, err := path.Match(pattern, id)
		if err != nil {
			l.fail(n, "allow: %q is not a valid pattern", pattern)
		}
		fits = fits || ok
	}
	if !fits {
		l.fail(n, "allow: no rule matches %q%s", pattern, suggestion(pattern, known))
	}
	return pattern
}

// measure loads a measure such as "count MsgKilled in 1..3", "rate MsgPlayerUpdate < 50" or "ping p99 < 100ms".
func (l *loader) measure(n ast.Node) *measure {
	text := l.text(n, "hold")
	parts := measureForm().FindStringSubmatch(text)
	if parts == nil {
		l.fail(n, "hold: %q is not understood; forms are \"count MESSAGE in 1..3\", "+
			"\"rate MESSAGE < 50\" (per second), \"attempts joins done >= 4\" and \"ping p99 < 100ms\"", text)
	}
	m := &measure{op: parts[7], wanted: parts[8]}
	if m.op != "==" {
		m.wanted = m.op + " " + parts[8]
	}
	m.subject = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(strings.TrimSuffix(text, parts[8])), m.op))
	m.line, _ = position(n)
	switch {
	case parts[3] != "":
		l.attempts(n, m, parts[3], parts[4])
	case parts[1] == "":
		m.kind, m.what, m.aggregate = valueOf, parts[5], parts[6]
		if table, what, ok := strings.Cut(m.what, "."); ok {
			m.table, m.what = table, what
		}
		if p, ok := strings.CutPrefix(m.aggregate, "p"); ok {
			m.share, _ = strconv.ParseFloat(p, 64)
			if m.share /= 100; m.share > 1 {
				l.fail(n, "hold: %s is not a percentile", m.aggregate)
			}
		}
	case parts[1] == "rate":
		m.kind = rateOf
		fallthrough
	default:
		m.message = l.countedMessage(n, parts[2])
	}
	if !m.readLimit(parts[8]) {
		l.fail(n, "hold: %q is not a number for this comparison", parts[8])
	}
	if m.kind == valueOf {
		l.checkMeasured(n, m, parts[8])
	}
	return m
}

// countedMessage returns the name of the counted message, or "" for any message.
func (l *loader) countedMessage(n ast.Node, name string) string {
	if name == anyMessage {
		return ""
	}
	if l.expectation.protocol == nil {
		l.fail(n, "protocol is missing; %s must be one of its messages", name)
	}
	_, message, err := l.schema.Message(l.expectation.protocol.Name, name)
	if err != nil {
		l.fail(n, "hold: %v", err)
	}
	return message.Name
}

// readLimit parses the number that the measure is compared with. It reports whether that number suits the measure.
func (m *measure) readLimit(text string) bool {
	if m.op == "in" {
		r, ok := readRange(text)
		m.numbers = r
		return ok
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		m.limit = f
		return !math.IsNaN(f)
	}
	d, err := time.ParseDuration(text)
	m.limit, m.unit = d.Seconds(), "s"
	return err == nil && m.kind == valueOf
}

// allows reports whether a number is within the bound.
func (m *measure) allows(x float64) bool {
	switch m.op {
	case "<":
		return x < m.limit
	case "<=":
		return x <= m.limit
	case ">":
		return x > m.limit
	case ">=":
		return x >= m.limit
	case "==":
		return x == m.limit
	case "!=":
		return x != m.limit
	}
	return x >= float64(m.numbers.Least) && (m.numbers.Most == Any || x <= float64(m.numbers.Most))
}

// result returns the value of a measure. ok is false if nothing was measured.
func (m *measure) result(t *tally) (x float64, ok bool) {
	switch {
	case m.kind == countOf || m.kind == attemptsOf || m.kind == valueOf && m.aggregate == "count":
		return float64(t.count), true
	case m.kind == rateOf:
		if t.count < 2 || t.last <= t.first {
			return 0, true
		}
		return float64(t.count-1) / (float64(t.last-t.first) / 1e9), true
	case t.count == 0:
		return 0, m.aggregate == "total"
	}
	scale := 1.0
	if t.unit == "s" {
		scale = 1e9
	}
	switch m.aggregate {
	case "min":
		return float64(t.numbers.Min) / scale, true
	case "max":
		return float64(t.numbers.Max) / scale, true
	case "mean":
		return t.total / float64(t.count), true
	case "total":
		return t.total, true
	}
	return float64(t.numbers.Quantile(m.share)) / scale, true
}
