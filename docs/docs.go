// Package docs contains the documentation: Markdown pages that answer one question each. README.md links to the others.
// Readers find the pages in the repository, on the site that tools/site makes, and in a terminal with gamedissect help.
//
// This package must not lay out pages.
//
// Other programs must not rely on it, see docs/api.md.
package docs

import (
	"embed"
	"strings"
)

// Index is the name of the page that links to the others.
const Index = "README"

//go:embed *.md
var files embed.FS

// A Page answers one question.
type Page struct {
	Name  string // file name without .md
	Title string // heading of the page: the question
	Text  string // Markdown
}

// Pages returns all pages, sorted by name.
func Pages() []Page {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // impossible, because the pages are embedded
	}
	list := make([]Page, 0, len(entries))
	for _, e := range entries {
		text, err := files.ReadFile(e.Name())
		if err != nil {
			panic(err)
		}
		list = append(list, newPage(strings.TrimSuffix(e.Name(), ".md"), string(text)))
	}
	return list
}

func newPage(name, text string) Page {
	text = strings.ReplaceAll(text, "\r\n", "\n") // some checkouts have CRLF
	title, _, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
	return Page{name, strings.ReplaceAll(title, "`", ""), text}
}

// A Section is a part of the index.
type Section struct {
	Title string // "": before the first heading
	Pages []Page
}

// Sections returns the parts of the index, each with the pages that it links to, in order.
func Sections() []Section {
	pages := make(map[string]Page)
	for _, p := range Pages() {
		pages[p.Name] = p
	}
	list := make([]Section, 1)
	for line := range strings.Lines(pages[Index].Text) {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			list = append(list, Section{Title: strings.TrimSpace(title)})
		}
		s := &list[len(list)-1]
		for _, link := range strings.Split(line, "](")[1:] {
			name, _, _ := strings.Cut(link, ".md")
			if p, ok := pages[name]; ok {
				s.Pages = append(s.Pages, p)
			}
		}
	}
	return list
}
