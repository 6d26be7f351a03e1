// Package web contains the page that shows a capture: a single HTML document that includes all parts of the page.
//
// The document loads nothing and connects to no server, with one exception: a served page sends requests to the program
// that serves it. The Content-Security-Policy of the document forbids everything else. So the page works from disk
// without a network, and the content of a capture does not leave the page.
package web

import (
	"bufio"
	"crypto/rand"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"io/fs"
	"path"
	"strings"
	"text/template"

	"github.com/gamedissect/gamedissect/internal/view"
)

//go:embed *.html *.css *.js
var parts embed.FS

// A Page is the content of the document.
type Page struct {
	Title string

	// Engine decodes captures in the browser. If it is nil, the page sends requests to its server.
	Engine *Engine

	// Capture is the capture that the page shows first. If it is nil, a page with an engine opens the files that the
	// user drops on the page.
	Capture *Capture

	Setup Setup
}

// An Engine is package view compiled to WebAssembly.
type Engine struct {
	Wasm []byte // compressed by gzip
	Exec []byte // wasm_exec.js of the Go version that built Wasm
}

// A Capture is a capture file inside the page.
type Capture struct {
	Name string
	Data io.Reader
}

// Setup is the page's configuration.
type Setup struct {
	Version string      `json:"version"` // version of the program
	Name    string      `json:"name"`    // the capture's name; "": the page asks for a capture
	Token   string      `json:"token"`   // the token that the server requires in each request
	Filter  string      `json:"filter"`  // the filter that is applied when the page opens
	Notes   []view.Note `json:"notes"`
	Good    []string    `json:"good,omitempty"` // names of the good captures that the server compares with
	Reports bool        `json:"reports"`        // the server answers POST report with the page as a file
	view.Reading
}

// Write writes the document. It reads the capture meanwhile.
func (p *Page) Write(w io.Writer) error {
	nonce := rand.Text()
	setup := p.Setup
	if p.Capture != nil {
		setup.Name = p.Capture.Name
	}
	settings, err := json.Marshal(setup) // json.Marshal escapes <, > and &
	if err != nil {
		return fmt.Errorf("setup of the page: %w", err)
	}
	out := bufio.NewWriterSize(w, 1<<16)
	var document strings.Builder
	t := template.Must(template.New("").Parse(part("index.html")))
	err = t.Execute(&document, map[string]string{
		"Policy": p.policy(nonce), "Nonce": nonce, "Style": styles(),
		"Title": html.EscapeString(strings.ReplaceAll(p.Title, blocks, "")),
		"Setup": string(settings), "Reading": html.EscapeString(strings.ReplaceAll(setup.Name, blocks, "")),
		"Blocks": blocks, "Boot": part("boot.js"),
	})
	if err != nil {
		panic(err) // the template is part of the program
	}
	before, after, _ := strings.Cut(document.String(), blocks)
	_, _ = out.WriteString(before) // out keeps the first error
	writeModules(out)
	if p.Engine != nil {
		_, _ = fmt.Fprintf(out, "<script type=\"text/plain\" id=\"worker\">%s\n%s</script>\n", p.Engine.Exec,
			part("worker.js"))
		if err := writeBlock(out, "engine", strings.NewReader(string(p.Engine.Wasm))); err != nil {
			return err
		}
	}
	if p.Capture != nil {
		if err := writeBlock(out, "capture", p.Capture.Data); err != nil {
			return err
		}
	}
	_, _ = out.WriteString(after)
	return out.Flush()
}

// blocks marks the place of the document's blocks in the template. The blocks are written separately, because they are
// large.
const blocks = "\x00"

// policy returns the document's Content-Security-Policy. It allows only the document's own scripts, and the workers
// that these scripts create.
func (p *Page) policy(nonce string) string {
	connect := "'self'"
	if p.Engine != nil {
		connect = "'none'"
	}
	return "default-src 'none'; script-src 'nonce-" + nonce + "' blob: 'wasm-unsafe-eval'; style-src 'nonce-" + nonce +
		"'; img-src blob: data:; worker-src blob:; connect-src " + connect + "; base-uri 'none'; form-action 'none'"
}

// styles returns the styles of the whole page, followed by the styles of the page's parts.
func styles() string {
	var all strings.Builder
	all.WriteString(part("style.css"))
	for _, name := range partNames("*.css") {
		if name != "style.css" {
			all.WriteString(part(name))
		}
	}
	return all.String()
}

func partNames(pattern string) []string {
	names, err := fs.Glob(parts, pattern)
	if err != nil {
		panic(err) // the pattern is valid
	}
	return names
}

func part(name string) string {
	b, err := parts.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(b)
}

// writeModules writes the page's modules. It omits boot.js, which is not a module, and the worker, which has its own
// block.
func writeModules(w io.Writer) {
	for _, name := range partNames("*.js") {
		if name == "boot.js" || name == "worker.js" {
			continue
		}
		_, _ = fmt.Fprintf(w, "<script type=\"text/plain\" data-module=\"%s\">\n%s</script>\n",
			strings.TrimSuffix(path.Base(name), ".js"), part(name))
	}
}

// writeBlock writes bytes in base64 into a block with the given id.
func writeBlock(w io.Writer, id string, r io.Reader) error {
	if _, err := fmt.Fprintf(w, "<script type=\"text/plain\" id=\"%s\">", id); err != nil {
		return err
	}
	e := base64.NewEncoder(base64.StdEncoding, w)
	if _, err := io.Copy(e, r); err != nil {
		return err
	}
	if err := e.Close(); err != nil {
		return err
	}
	_, err := io.WriteString(w, "</script>\n")
	return err
}
