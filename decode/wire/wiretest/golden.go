package wiretest

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/decode/wire/print"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode/wire"
)

func init() {
	if flag.Lookup("update") == nil {
		flag.Bool("update", false, "write the golden files")
	}
}

func updating() bool {
	on, err := strconv.ParseBool(flag.Lookup("update").Value.String())
	return err == nil && on
}

func checkGolden(t reporter, p *wire.Protocol, s *Sample, dir string) {
	var got []byte
	for r := read(p, p.New(), s); r.next(); {
		if r.off > 0 {
			got = append(got, '\n')
		}
		got = appendMessage(got, r)
	}
	checkText(t, got)
	Golden(t, filepath.Join(dir, s.Name+".tree"), got)
}

// Golden compares a text with the contents of a file. With -update it writes the file.
func Golden(t reporter, name string, got []byte) {
	if updating() {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Errorf("%v", err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Errorf("%v; -update writes the file", err)
		return
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", name, diff)
	}
}

func checkOrphans(t reporter, samples []*Sample, dir string) {
	files, err := filepath.Glob(filepath.Join(dir, "*.tree"))
	if err != nil {
		t.Errorf("%v", err)
	}
	for _, name := range files {
		base := strings.TrimSuffix(filepath.Base(name), ".tree")
		if !slices.ContainsFunc(samples, func(s *Sample) bool { return s.Name == base }) {
			t.Errorf("%s has no sample", name)
		}
	}
}

// appendMessage appends a message: a line with its name, code, direction and length, a line with its summary, its
// error, and its tree.
func appendMessage(b []byte, r *reader) []byte {
	part := r.layer.Core()
	b = append(b, part.Message.Name...)
	for _, word := range []string{part.CodeText(r.layer), part.Direction.String()} {
		if word != "" {
			b = append(b, ' ')
			b = append(b, word...)
		}
	}
	b = fmt.Appendf(b, ", length %d", part.Size())
	if part.Truncated() {
		b = fmt.Appendf(b, ", captured %d", len(part.Contents))
	}
	b = append(b, '\n')
	if s, ok := part.Body.(wire.Summarizer); ok {
		if start := len(b); len(s.AppendSummary(b)) > start {
			b = append(s.AppendSummary(b), '\n')
		}
	}
	if r.err != nil {
		b = fmt.Appendf(b, "error: %v\n", r.err)
	}
	printer := print.Printer{Bytes: true, All: true}
	return printer.Append(b, r.tree(), part.Contents, part.Findings())
}

func checkText(t reporter, text []byte) {
	if c := unsafeIn(text); c != nil {
		t.Errorf("unsafe character %q in the output", c)
	}
}

// checkSummary puts a control character into the first text of each field. AppendSummary must escape it.
func checkSummary(t reporter, p *wire.Protocol, s *Sample) {
	tried := make(map[string]bool)
	for r := read(p, p.New(), s); r.next(); {
		for _, l := range leaves(r.tree()) {
			if l.Kind != wire.String || l.Inside || l.Computed || len(l.Bytes) == 0 || tried[r.name()+l.field] {
				continue
			}
			tried[r.name()+l.field] = true
			changed := *s
			changed.Data = bytes.Clone(s.Data)
			changed.Data[r.off+int(l.Off)+int(l.Lead)] = 0x1b
			for again := read(p, p.New(), &changed); again.next(); {
				body, ok := again.layer.Core().Body.(wire.Summarizer)
				if !ok {
					continue
				}
				if c := unsafeIn(body.AppendSummary(nil)); c != nil {
					t.Errorf("%s: AppendSummary writes %q of %s unescaped; use format.AppendQuoted or AppendEscaped",
						again.name(), c, l.field)
					return
				}
			}
		}
	}
}

// unsafeIn returns the first part of text that is unsafe on a terminal: a control or formatting character, or invalid
// UTF-8. It returns nil if there is none.
func unsafeIn(text []byte) []byte {
	for i := 0; i < len(text); {
		c, n := utf8.DecodeRune(text[i:])
		switch {
		case c == '\n':
		case c == utf8.RuneError && n == 1, unicode.IsControl(c), unicode.In(c, unicode.Cf, unicode.Zl, unicode.Zp):
			return text[i : i+n]
		}
		i += n
	}
	return nil
}
