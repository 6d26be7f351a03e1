package web_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/internal/view"
	"github.com/gamedissect/gamedissect/internal/view/web"
)

// hostile would end any part of the document into which the page writes texts from other people.
const hostile = "</script></style></title><script>alert(1)</script><!--<script>\"'>&amp;]]>\u2028\x01\x00"

// written returns the document of a page.
func written(t *testing.T, p *web.Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// whole returns a page with all its parts, each with a hostile text.
func whole() *web.Page {
	return &web.Page{
		Title:   hostile,
		Engine:  &web.Engine{Wasm: []byte(hostile), Exec: []byte("globalThis.Go = 1")},
		Capture: &web.Capture{Name: hostile, Data: strings.NewReader(hostile)},
		Setup: web.Setup{
			Version: hostile, Reading: view.Reading{MaskSecrets: true}, Filter: hostile, Notes: []view.Note{{Row: 3, Text: hostile}},
		},
	}
}

var (
	block  = regexp.MustCompile(`(?s)<script([^>]*)>(.*?)</script>`)
	nonce  = regexp.MustCompile(`'nonce-([A-Za-z0-9]{20,})'`)
	policy = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`)
	title  = regexp.MustCompile(`<title>([^<]*)</title>`)
)

// blocks returns the texts of the document's blocks by the attributes of their tags.
func blocks(document string) map[string]string {
	all := map[string]string{}
	for _, m := range block.FindAllStringSubmatch(document, -1) {
		all[strings.TrimSpace(m[1])] = m[2]
	}
	return all
}

// TestHostileTexts parses the document as a browser does: a block ends at the first end tag.
func TestHostileTexts(t *testing.T) {
	document := written(t, whole())
	seen := blocks(document)
	for tag, text := range seen {
		if strings.Contains(text, "<!--") || strings.Contains(strings.ToLower(text), "<script") {
			t.Errorf("<script %s> changes how a browser parses the rest", tag)
		}
		if tag != `type="application/json" id="setup"` && !strings.HasPrefix(tag, "type=\"text/plain\"") && !strings.HasPrefix(tag, "nonce=") {
			t.Errorf("there is a block <script %s>", tag)
		}
	}
	around := block.ReplaceAllString(document, "")
	if n := strings.Count(strings.ToLower(around), "<script") + strings.Count(strings.ToLower(around), "</script"); n > 0 {
		t.Errorf("%d script tags are outside of blocks", n)
	}
	var setup web.Setup
	if err := json.Unmarshal([]byte(seen[`type="application/json" id="setup"`]), &setup); err != nil {
		t.Fatal(err)
	}
	want := whole().Setup
	want.Name = hostile
	if diff := cmp.Diff(want, setup); diff != "" {
		t.Errorf("setup (-want +got):\n%s", diff)
	}
	for _, id := range []string{"engine", "capture"} {
		got, err := base64.StdEncoding.DecodeString(seen[`type="text/plain" id="`+id+`"`])
		if err != nil || string(got) != hostile {
			t.Errorf("%s: %q, %v", id, got, err)
		}
	}
	m := title.FindStringSubmatch(document)
	if m == nil || html.UnescapeString(m[1]) != strings.ReplaceAll(hostile, "\x00", "") {
		t.Errorf("the title is %q", m)
	}
}

// TestFirstText checks that a page with a capture says that the capture is being read, even before any script runs.
func TestFirstText(t *testing.T) {
	for name, want := range map[string]bool{"a.pcap": true, "": false} {
		document := written(t, &web.Page{Setup: web.Setup{Name: name}})
		if got := strings.Contains(document, `<p class="empty" id="first">Reading a.pcap …</p>`); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

// TestPolicy checks that the document runs only its own scripts, and connects to no server except the one that serves
// it.
func TestPolicy(t *testing.T) {
	seen := map[string]bool{}
	for name, test := range map[string]struct {
		page    *web.Page
		connect string
	}{
		"report":            {whole(), "'none'"},
		"without a capture": {&web.Page{Engine: &web.Engine{}}, "'none'"},
		"served":            {&web.Page{}, "'self'"},
	} {
		document := written(t, test.page)
		m := policy.FindStringSubmatch(document)
		if m == nil {
			t.Fatalf("%s: no policy", name)
		}
		if strings.Index(document, m[0]) > strings.Index(document, "<title>") {
			t.Errorf("%s: something comes before the policy", name)
		}
		n := nonce.FindStringSubmatch(m[1])
		if n == nil || seen[n[1]] {
			t.Fatalf("%s: the policy has no new nonce: %s", name, m[1])
		}
		seen[n[1]] = true
		rules := map[string]string{}
		for rule := range strings.SplitSeq(m[1], "; ") {
			what, whom, _ := strings.Cut(rule, " ")
			rules[what] = strings.ReplaceAll(whom, n[1], "N")
		}
		want := map[string]string{
			"default-src": "'none'", "script-src": "'nonce-N' blob: 'wasm-unsafe-eval'", "style-src": "'nonce-N'",
			"img-src": "blob: data:", "worker-src": "blob:", "connect-src": test.connect, "base-uri": "'none'", "form-action": "'none'",
		}
		if diff := cmp.Diff(want, rules); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestBlocks checks that the document contains each module, and that it contains an engine or a capture only if the
// page has one.
func TestBlocks(t *testing.T) {
	served := blocks(written(t, &web.Page{}))
	report := blocks(written(t, whole()))
	for name, text := range sources(t, "*.js") {
		module := `type="text/plain" data-module="` + strings.TrimSuffix(name, ".js") + `"`
		if name == "boot.js" || name == "worker.js" {
			if _, ok := served[module]; ok {
				t.Errorf("%s is not a module", name)
			}
			continue
		}
		if served[module] != "\n"+text {
			t.Errorf("the document does not contain %s unchanged", name)
		}
	}
	for _, id := range []string{"worker", "engine", "capture"} {
		tag := `type="text/plain" id="` + id + `"`
		if _, ok := served[tag]; ok {
			t.Errorf("a served page has the block %s", id)
		}
		if _, ok := report[tag]; !ok {
			t.Errorf("a report lacks the block %s", id)
		}
	}
	worker := report[`type="text/plain" id="worker"`]
	if !strings.HasPrefix(worker, "globalThis.Go = 1\n") || !strings.Contains(worker, "onmessage") {
		t.Errorf("the worker is %.200q", worker)
	}
}

// TestWriteFails checks that Write fails if the capture cannot be read or the document cannot be written.
func TestWriteFails(t *testing.T) {
	bad := errors.New("bad")
	p := whole()
	p.Capture.Data = iotest.ErrReader(bad)
	if err := p.Write(new(bytes.Buffer)); !errors.Is(err, bad) {
		t.Errorf("a capture that cannot be read: %v", err)
	}
	for n := range 3 {
		p.Capture.Data = strings.NewReader(strings.Repeat(hostile, 1<<14))
		if err := p.Write(&fails{n, bad}); !errors.Is(err, bad) {
			t.Errorf("a file that takes %d pieces: %v", n, err)
		}
	}
}

// fails is a writer that fails after a number of pieces.
type fails struct {
	left int
	err  error
}

func (f *fails) Write(b []byte) (int, error) {
	if f.left == 0 {
		return 0, f.err
	}
	f.left--
	return len(b), nil
}

// sources returns the parts of the page.
func sources(t *testing.T, pattern string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	all := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(text)
	}
	return all
}
