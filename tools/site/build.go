package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
)

const (
	folder     = "docs"
	index      = "README.md"
	repository = "https://github.com/gamedissect/gamedissect/blob/main/"
)

var (
	//go:embed page.html
	pageText string
	//go:embed style.css
	style string

	layout = template.Must(template.New("page").Parse(pageText))

	headingTag = regexp.MustCompile(`<h([23]) id="([^"]+)">(.*)</h[23]>`)
	lightImage = regexp.MustCompile(`<img src="([^"]+)-light\.png"[^>]*>`)
)

// build makes the site from the pages in the folder docs of root.
func build(root, out string) error {
	names, err := filepath.Glob(filepath.Join(root, folder, "*.md"))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	first, err := readPage(root, path.Join(folder, index))
	if err != nil {
		return err
	}
	contents := first.contents()
	for _, name := range names {
		p, err := readPage(root, path.Join(folder, filepath.Base(name)))
		if err != nil {
			return err
		}
		text, err := p.html(contents)
		if err != nil {
			return fmt.Errorf("%s: %w", p.path, err)
		}
		if err := os.WriteFile(filepath.Join(out, target(filepath.Base(name))), text, 0o666); err != nil {
			return err
		}
	}
	return copyImages(filepath.Join(root, folder, "images"), filepath.Join(out, "images"))
}

func copyImages(from, to string) error {
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		image, err := os.ReadFile(filepath.Join(from, e.Name()))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, e.Name()), image, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// A section is a part of the contents, with its pages.
type section struct {
	Title string
	Links []link
}

type link struct{ Target, Title string }

// contents returns the pages to which an index links, grouped by the headings of the index.
func (p *page) contents() (list []section) {
	for n := p.tree.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			if n.Level == 2 {
				list = append(list, section{Title: p.text(n)})
			}
		case *ast.List:
			if len(list) == 0 {
				continue
			}
			into := &list[len(list)-1]
			for item := n.FirstChild(); item != nil; item = item.NextSibling() {
				l, ok := item.FirstChild().FirstChild().(*ast.Link)
				if ok {
					into.Links = append(into.Links, link{target(string(l.Destination)), p.text(l)})
				}
			}
		}
	}
	return list
}

// html writes a page.
func (p *page) html(contents []section) ([]byte, error) {
	var comments []ast.Node
	each(p, func(n *ast.HTMLBlock) { comments = append(comments, n) })
	for _, n := range comments {
		n.Parent().RemoveChild(n.Parent(), n)
	}
	each(p, func(l *ast.Link) { l.Destination = []byte(target(string(l.Destination))) })
	var body bytes.Buffer
	if err := markdown.Renderer().Render(&body, p.source, p.tree); err != nil {
		return nil, err
	}
	text := headingTag.ReplaceAllString(body.String(),
		`<h$1 id="$2">$3 <a class="anchor" href="#$2" aria-label="link to this">#</a></h$1>`)
	text = lightImage.ReplaceAllString(text,
		`<picture><source media="(prefers-color-scheme: dark)" srcset="$1-dark.png">$0</picture>`)
	var below []heading
	for _, h := range p.headings() {
		if h.Level == 2 {
			below = append(below, h)
		}
	}
	here := target(path.Base(p.path))
	if len(below) < 3 || here == target(index) {
		below = nil
	}
	title, rest, _ := strings.Cut(text, "</h1>\n")
	var b bytes.Buffer
	err := layout.Execute(&b, map[string]any{
		"Title": p.title(), "Style": template.CSS(style), "Here": here, "Contents": contents, "Below": below,
		"Heading": template.HTML(title + "</h1>"), "Body": template.HTML(rest), "Source": repository + p.path,
	})
	return b.Bytes(), err
}

// target maps a link on a page in docs to its URL on the site. Links between pages lead to other pages of the site, and
// links to other files lead to the repository.
func target(destination string) string {
	file, anchor, _ := strings.Cut(destination, "#")
	switch {
	case strings.Contains(destination, "://") || file == "" || strings.HasPrefix(file, "images/"):
		return destination
	case strings.HasPrefix(file, "../"):
		file = repository + strings.TrimPrefix(file, "../")
	case file == index:
		file = "index.html"
	default:
		file = strings.TrimSuffix(file, ".md") + ".html"
	}
	if anchor != "" {
		file += "#" + anchor
	}
	return file
}
