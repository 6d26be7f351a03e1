package wiretest

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire/print"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Examples returns a printed example for each rule of a protocol. It prefers the shortest sample in the folder that
// breaks the rule, and otherwise uses the shortest excerpt of the talks below the folder (see Talks).
func Examples(p *wire.Protocol, dir string) (map[string]string, error) {
	samples, err := Samples(dir)
	if err != nil {
		return nil, err
	}
	examples := make(map[string]string)
	keep := func(rule, text string) {
		if old, ok := examples[rule]; !ok || len(text) < len(old) {
			examples[rule] = text
		}
	}
	for _, s := range samples {
		for r := read(p, p.New(), s); r.next(); {
			for _, f := range r.layer.Core().Findings() {
				printer := print.Printer{}
				text := printer.Append([]byte(r.name()+"\n"), r.tree(), r.layer.Core().Contents, r.layer.Core().Findings())
				keep(f.Rule.ID, excerpt(text, f.Rule.ID, 1, 0))
			}
		}
	}
	talks, err := filepath.Glob(filepath.Join(dir, "talks", "*.said"))
	if err != nil {
		return nil, err
	}
	for _, name := range talks {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		text = measured.ReplaceAll(text, nil)
		for _, rule := range p.Rules {
			if _, ok := examples[rule.ID]; !ok && bytes.Contains(text, []byte("! "+rule.ID+" ")) {
				keep(rule.ID, excerpt(text, rule.ID, 0, 4))
			}
		}
	}
	return examples, nil
}

// measured matches the lines of a talk that contain values.
var measured = regexp.MustCompile(`(?m)^= .*\n`)

// excerpt returns the first head lines of text, and the lines around the first finding of a rule. before is the number
// of lines before the finding.
func excerpt(text []byte, rule string, head, before int) string {
	lines := strings.SplitAfter(string(text), "\n")
	at := 0
	for i, line := range lines {
		if strings.Contains(line, "! "+rule+" ") {
			at = i
			break
		}
	}
	if before == 0 {
		before = 3
	}
	from := max(at-before, head)
	var b strings.Builder
	b.WriteString(strings.Join(lines[:head], ""))
	if from > head {
		b.WriteString("...\n")
	}
	b.WriteString(strings.Join(lines[from:min(at+2, len(lines))], ""))
	return b.String()
}
