package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// written is the part of an HTML page that the tests examine.
type written struct {
	ids, links map[string]bool // links to pages and pictures
	elements   map[string]int
}

func readWritten(t *testing.T, file string) written {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := written{ids: make(map[string]bool), links: make(map[string]bool), elements: make(map[string]int)}
	for z := html.NewTokenizer(f); z.Next() != html.ErrorToken || z.Err() != io.EOF; {
		token := z.Token()
		if token.Type != html.StartTagToken && token.Type != html.SelfClosingTagToken {
			continue
		}
		w.elements[token.Data]++
		for _, a := range token.Attr {
			switch a.Key {
			case "id":
				if w.ids[a.Val] {
					t.Errorf("%s: two elements have the id %s", file, a.Val)
				}
				w.ids[a.Val] = true
			case "href", "src", "srcset":
				w.links[a.Val] = true
				if a.Key != "href" && strings.Contains(a.Val, "//") {
					t.Errorf("%s loads %s", file, a.Val)
				}
			}
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
				t.Errorf("%s: <%s %s>", file, token.Data, a.Key)
			}
		}
	}
	return w
}

// The site must have a page for each page of docs. All links must work, and the site must run no script and load
// nothing from other sites.
func TestSite(t *testing.T) {
	out := t.TempDir()
	for range 2 { // the second time over existing files
		if err := build(root, out); err != nil {
			t.Fatal(err)
		}
	}
	sources, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(out, "*.html"))
	if err != nil || len(files) != len(sources) {
		t.Fatalf("%d pages of %d: %v", len(files), len(sources), err)
	}
	pages := make(map[string]written)
	for _, file := range files {
		pages[filepath.Base(file)] = readWritten(t, file)
	}
	for name, w := range pages {
		if w.elements["h1"] != 1 || w.elements["title"] != 1 || w.elements["main"] != 1 {
			t.Errorf("%s: %v", name, w.elements)
		}
		for _, element := range []string{"script", "iframe", "link", "object", "form"} {
			if w.elements[element] > 0 {
				t.Errorf("%s has a <%s>", name, element)
			}
		}
		for link := range w.links {
			if strings.HasPrefix(link, "https://") {
				continue
			}
			file, anchor, _ := strings.Cut(link, "#")
			if file == "" {
				file = name
			}
			if to, ok := pages[file]; ok {
				if anchor != "" && !to.ids[anchor] {
					t.Errorf("%s: %s leads to no element", name, link)
				}
			} else if _, err := os.Stat(filepath.Join(out, filepath.FromSlash(file))); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if n := pages["viewer.html"].elements["source"]; n == 0 {
		t.Error("no picture for dark mode")
	}
}

// The contents on each page are the links of the index.
func TestContents(t *testing.T) {
	p, err := readPage(root, "docs/README.md")
	if err != nil {
		t.Fatal(err)
	}
	contents := p.contents()
	n := 0
	for _, s := range contents {
		n += len(s.Links)
		if s.Title == "" || len(s.Links) == 0 {
			t.Errorf("a section %q with %d pages", s.Title, len(s.Links))
		}
	}
	if n < 15 || contents[0].Links[1] != (link{"not-listed.html", "Why is my server not listed?"}) {
		t.Errorf("%d pages, %v", n, contents)
	}
}
