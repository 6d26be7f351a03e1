package web_test

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// imported matches a static import of another module.
var imported = regexp.MustCompile(`(?m)^import (?:[^;"]* from )?"([^"]*)";`)

// dynamic matches any other import of a module.
var dynamic = regexp.MustCompile(`\bimport\s*\(`)

// TestImports checks that the imported modules exist, and that they export the imported names.
func TestImports(t *testing.T) {
	all := sources(t, "*.js")
	named := regexp.MustCompile(`(?s)import \{([^}]*)\} from "gamedissect/(\w+)";`)
	found := 0
	for name, text := range all {
		for _, m := range imported.FindAllStringSubmatch(text, -1) {
			found++
			module, ours := strings.CutPrefix(m[1], "gamedissect/")
			if _, there := all[module+".js"]; !ours || !there || module == "boot" || module == "worker" {
				t.Errorf("%s imports %q, which is not a module of the page", name, m[1])
			}
		}
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			for word := range strings.SplitSeq(m[1], ",") {
				word, _, _ = strings.Cut(strings.TrimSpace(word), " as ")
				exported := regexp.MustCompile(`(?m)^export (?:async )?(?:function\*?|class|const|let) ` + regexp.QuoteMeta(word) + `\b`)
				if word != "" && !exported.MatchString(all[m[2]+".js"]) {
					t.Errorf("%s imports %s, which %s.js does not export", name, word, m[2])
				}
			}
		}
		if name != "boot.js" && dynamic.MatchString(text) {
			t.Errorf("%s imports while it runs", name)
		}
	}
	if found == 0 {
		t.Error("no module imports another")
	}
}

// forbidden matches code that executes a text, makes HTML from a text, or connects to a server. The texts in a capture
// may be hostile.
var forbidden = []struct {
	what *regexp.Regexp
	but  string // the only file that may contain such code
}{
	{regexp.MustCompile(`\b(?:innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|setHTMLUnsafe|parseHTMLUnsafe|srcdoc)\b`), ""},
	{regexp.MustCompile(`\bdocument\.write(?:ln)?\b`), ""},
	{regexp.MustCompile(`\beval\s*\(|\bnew Function\b|\bFunction\s*\(`), ""},
	{regexp.MustCompile(`setAttribute\(\s*"(?:style|on\w+)"`), ""},
	{regexp.MustCompile(`\bfetch\s*\(`), "ask.js"},
	{regexp.MustCompile(`\b(?:XMLHttpRequest|WebSocket|WebTransport|EventSource|RTCPeerConnection|sendBeacon|importScripts)\b`), ""},
	{regexp.MustCompile(`\bnew (?:Shared)?Worker\b`), "ask.js"},
	{regexp.MustCompile(`serviceWorker`), ""},
	{regexp.MustCompile(`\bdebugger\b|\bconsole\.(?:log|debug|info)\b`), ""},
	{regexp.MustCompile(`(?i)https?://`), ""},
	{regexp.MustCompile(`(?i)<!--|</?script`), ""},
}

// harmless removes addresses that are only names, for which no request is ever made.
var harmless = strings.NewReplacer("http://www.w3.org/2000/svg", "", "http://www.w3.org/1999/xlink", "")

func TestForbiddenCode(t *testing.T) {
	for name, text := range sources(t, "*.js") {
		text = harmless.Replace(text)
		for _, f := range forbidden {
			for _, at := range f.what.FindAllStringIndex(text, -1) {
				if name != f.but {
					t.Errorf("%s:%d: %s", name, 1+strings.Count(text[:at[0]], "\n"), text[at[0]:at[1]])
				}
			}
		}
	}
	for name, text := range sources(t, "*.css") {
		if at := regexp.MustCompile(`(?i)@import|url\(|expression\(|</`).FindString(text); at != "" {
			t.Errorf("%s: %s", name, at)
		}
	}
	for name, text := range sources(t, "*.html") {
		if at := regexp.MustCompile(`\s(?:style|on\w+)=`).FindString(text); at != "" {
			t.Errorf("%s: %s: the page's policy refuses it", name, at)
		}
	}
}

// TestForbidden checks that forbidden finds examples of bad code.
func TestForbidden(t *testing.T) {
	for _, bad := range []string{
		"x.innerHTML = y", "document.write(y)", "eval(y)", `a.setAttribute("style", y)`, `a.setAttribute("onclick", y)`,
		"await fetch(y)", "new WebSocket(y)", "new Worker(y)", "navigator.serviceWorker", "console.log(y)", `"https://x.example"`,
		`"</script>"`,
	} {
		if !slices.ContainsFunc(forbidden, func(f struct {
			what *regexp.Regexp
			but  string
		}) bool {
			return f.what.MatchString(bad)
		}) {
			t.Errorf("%s is not found", bad)
		}
	}
}

// TestPartsAreShort limits the sizes of the page's files.
func TestPartsAreShort(t *testing.T) {
	all := sources(t, "*.js")
	maps.Copy(all, sources(t, "*.css"))
	for name, text := range all {
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if len(lines) >= 400 {
			t.Errorf("%s has %d lines", name, len(lines))
		}
		if !strings.HasSuffix(text, "\n") || strings.Contains(text, "\r") || !utf8.ValidString(text) {
			t.Errorf("%s is not a text like the other parts", name)
		}
		for i, line := range lines {
			if n := utf8.RuneCountInString(line); n > 150 && strings.HasSuffix(name, ".js") {
				t.Errorf("%s:%d: %d columns", name, i+1, n)
			}
			if strings.TrimRight(line, " \t") != line {
				t.Errorf("%s:%d ends in blanks", name, i+1)
			}
		}
	}
}

// A theme contains the variables of style.css by name.
type theme map[string]string

var (
	variable = regexp.MustCompile(`--([\w-]+):\s*(#[0-9a-f]{6})\b`)
	ruleOf   = map[string]*regexp.Regexp{
		"light":              regexp.MustCompile(`(?s)^[^{]*:root \{(.*?)\}`),
		"dark":               regexp.MustCompile(`(?s):root\[data-theme="dark"\] \{(.*?)\}`),
		"dark of the system": regexp.MustCompile(`(?s):root:not\(\[data-theme="light"\]\) \{(.*?)\}`),
	}
)

// themes reads the colours of the page.
func themes(t *testing.T) map[string]theme {
	t.Helper()
	style := sources(t, "style.css")["style.css"]
	all := map[string]theme{}
	for name, rule := range ruleOf {
		m := rule.FindStringSubmatch(style)
		if m == nil {
			t.Fatalf("style.css has no theme %s", name)
		}
		all[name] = theme{}
		for _, v := range variable.FindAllStringSubmatch(m[1], -1) {
			all[name][v[1]] = v[2]
		}
	}
	return all
}

// TestContrast computes the contrast of each ink on each ground where that ink is used, according to WCAG 2.2 (1.4.3
// and 1.4.11). The minimum is 4.5 for texts, and 3 for lines in pictures.
func TestContrast(t *testing.T) {
	grounds := []string{"ground", "panel", "raised"}
	texts := map[string][]string{
		"ink":       append([]string{"chosen", "hover", "mark", "error-soft", "warning-soft", "note-soft"}, grounds...),
		"dim":       append([]string{"chosen", "hover"}, grounds...),
		"accent":    append([]string{"hover"}, grounds...),
		"on-accent": {"accent"},
		"error":     append([]string{"chosen", "hover", "error-soft"}, grounds...),
		"warning":   append([]string{"chosen", "hover", "warning-soft"}, grounds...),
		"note":      append([]string{"chosen", "hover", "note-soft"}, grounds...),
	}
	all := themes(t)
	for name, colours := range all {
		need := func(ink, ground string, least float64) {
			if got := contrast(t, colours[ink], colours[ground]); got < least {
				t.Errorf("%s: %s %s on %s %s has a contrast of %.2f, less than %g", name, ink, colours[ink], ground, colours[ground], got, least)
			}
		}
		for ink, on := range texts {
			for _, ground := range on {
				need(ink, ground, 4.5)
			}
		}
		for i := range 10 {
			need(fmt.Sprint("c", i), "panel", 3)
			need(fmt.Sprint("c", i), "ground", 3)
		}
	}
	if !maps.Equal(all["dark"], all["dark of the system"]) {
		t.Error("the dark theme depends on whether the user or the system chose it")
	}
}

// contrast returns the contrast of two colours, from 1 to 21.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	n, err := strconv.ParseUint(strings.TrimPrefix(colour, "#"), 16, 24)
	if err != nil || len(colour) != 7 {
		t.Fatalf("%q is not a colour", colour)
	}
	linear := func(c uint64) float64 {
		s := float64(c&0xff) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(n>>16) + 0.7152*linear(n>>8) + 0.0722*linear(n)
}

func TestContrastOfBlackAndWhite(t *testing.T) {
	if got := contrast(t, "#000000", "#ffffff"); math.Abs(got-21) > 1e-9 {
		t.Errorf("black on white has %g", got)
	}
	if got := contrast(t, "#767676", "#ffffff"); math.Abs(got-4.54) > 0.01 {
		t.Errorf("grey on white has %g", got)
	}
}
