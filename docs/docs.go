// Package docs has the pages that answer a question each, as Markdown: README.md is the first of them and leads to
// the others. They are read where they lie, on the site that tools/site makes of them, and in the terminal by
// gamedissect help.
//
// What may not enter: how a page looks.
//
// Other programs find no promise here, see docs/api.md.
package docs

import (
	"embed"
	"strings"
)

// Index is the name of the page that leads to the others.
const Index = "README"

//go:embed *.md
var files embed.FS

// A Page answers a question.
type Page struct {
	Name  string // of the file, without .md
	Title string // its heading: the question
	Text  string // Markdown
}

// Pages gives all pages in the order of their names.
func Pages() []Page {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // they are in the program
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
	text = strings.ReplaceAll(text, "\r\n", "\n") // as some checkouts have it
	title, _, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
	return Page{name, strings.ReplaceAll(title, "`", ""), text}
}
