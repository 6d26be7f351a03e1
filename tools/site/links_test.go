package main

import (
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
)

var root = filepath.Join("..", "..")

// texts returns the paths of all texts for people, relative to the root.
func texts(t *testing.T) []string {
	t.Helper()
	list := []string{"CONTRIBUTING.md", "README.md", "SECURITY.md"}
	for _, pattern := range []string{"docs/*.md", ".github/ISSUE_TEMPLATE/*.md", "examples/*.md", "examples/*/*.md"} {
		names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			list = append(list, strings.TrimPrefix(filepath.ToSlash(name), filepath.ToSlash(root)+"/"))
		}
	}
	return list
}

// destinations returns the targets of a page's links and images, except web addresses.
func destinations(t *testing.T, p *page) (list []string) {
	t.Helper()
	add := func(destination []byte) {
		u, err := url.Parse(string(destination))
		inside, ours := strings.CutPrefix(string(destination), repository) // in issue templates
		switch {
		case ours:
			list = append(list, strings.Repeat("../", strings.Count(p.path, "/"))+inside)
		case err != nil:
			t.Errorf("%s: %v", p.path, err)
		case u.Scheme == "https":
		case u.IsAbs() || u.Host != "":
			t.Errorf("%s: the scheme of the link %s is not https", p.path, destination)
		default:
			list = append(list, string(destination))
		}
	}
	each(p, func(n *ast.Link) { add(n.Destination) })
	each(p, func(n *ast.Image) {
		add(n.Destination)
		if p.text(n) == "" {
			t.Errorf("%s: a picture without a description", p.path)
		}
	})
	return list
}

// Every link leads to an existing file and, if it has an anchor, to a heading in that file.
func TestLinks(t *testing.T) {
	found := 0
	for _, name := range texts(t) {
		p, err := readPage(root, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, destination := range destinations(t, p) {
			found++
			if trouble := broken(name, destination); trouble != "" {
				t.Errorf("%s: %s: %s", name, destination, trouble)
			}
		}
	}
	if found < 100 {
		t.Errorf("%d links", found)
	}
}

// broken describes what is wrong with a link, or returns "".
func broken(from, destination string) string {
	file, anchor, _ := strings.Cut(destination, "#")
	to := from
	if file != "" {
		to = path.Join(path.Dir(from), file)
	}
	if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(to))); err != nil || strings.HasPrefix(to, "..") {
		return "there is no such file"
	}
	if anchor == "" {
		return ""
	}
	p, err := readPage(root, to)
	if err != nil {
		return err.Error()
	}
	if !slices.ContainsFunc(p.headings(), func(h heading) bool { return h.ID == anchor }) {
		return "there is no such heading"
	}
	return ""
}

// TestBroken checks that wrong links are found.
func TestBroken(t *testing.T) {
	for destination, want := range map[string]string{
		"live.md": "", "live.md#which-permissions-does-it-need": "", "../README.md": "", "../testdata/expect": "",
		"nosuch.md": "there is no such file", "live.md#nosuch": "there is no such heading", "../../live.md": "there is no such file",
		"#nosuch": "there is no such heading", "images/nosuch.png": "there is no such file",
	} {
		if got := broken("docs/README.md", destination); got != want {
			t.Errorf("%s: %q, want %q", destination, got, want)
		}
	}
}

// Two clicks lead from the first page to any other page.
func TestTwoClicks(t *testing.T) {
	reached := map[string]int{"docs/README.md": 0}
	for clicks := range 2 {
		for name, at := range reached {
			if at != clicks || !strings.HasPrefix(name, "docs/") {
				continue
			}
			p, err := readPage(root, name)
			if err != nil {
				t.Fatal(err)
			}
			for _, destination := range destinations(t, p) {
				file, _, _ := strings.Cut(destination, "#")
				to := path.Join("docs", file)
				if _, known := reached[to]; !known && path.Ext(to) == ".md" {
					reached[to] = clicks + 1
				}
			}
		}
	}
	for _, name := range texts(t) {
		if _, ok := reached[name]; !ok && strings.HasPrefix(name, "docs/") {
			t.Errorf("%s is more than two clicks away", name)
		}
	}
}

func TestAnchors(t *testing.T) {
	a := make(anchors)
	for _, test := range [][2]string{
		{"Which rights does it need?", "which-rights-does-it-need"}, {"What does `-T json` print?", "what-does--t-json-print"},
		{"tribes.unknown-key", "tribesunknown-key"}, {"snake_case, twice", "snake_case-twice"}, {"Which rights does it need?",
			"which-rights-does-it-need-1"},
	} {
		if got := string(a.Generate([]byte(test[0]), 0)); got != test[1] {
			t.Errorf("%s: %s, want %s", test[0], got, test[1])
		}
	}
}
