package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/internal/view/web"
)

// small is a capture with some traffic of every kind.
var small = filepath.Join(captures, "bz24-ctf-capture.pcap")

// TestOpenings opens a capture in every possible way. The page must always show the same content.
func TestOpenings(t *testing.T) {
	for name, way := range map[string]func(*testing.T) *tab{
		"served": func(t *testing.T) *tab { return open(t, serve(t, small)) },
		"report": func(t *testing.T) *tab { return open(t, report(t, small)) },
		"chosen": func(t *testing.T) *tab {
			b := open(t, write(t, &web.Page{Title: "gamedissect"}))
			b.choose(small)
			return b
		},
		"dropped": func(t *testing.T) *tab {
			b := open(t, write(t, &web.Page{Title: "gamedissect"}))
			b.drop(small)
			return b
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := way(t)
			b.read()
			if got := js[string](b, "document.title"); got != "bz24-ctf-capture.pcap – gamedissect" {
				t.Errorf("the title is %q", got)
			}
			if got := b.text(".counts"); !strings.Contains(got, "packets") {
				t.Errorf("the counts are %q", got)
			}
		})
	}
}

// TestBrokenFiles opens files that are not captures. The page must report the error and accept the next file.
func TestBrokenFiles(t *testing.T) {
	b := open(t, write(t, &web.Page{Title: "gamedissect"}))
	dir := t.TempDir()
	for name, file := range map[string]struct{ data, says string }{
		"text.txt":  {"this is no capture at all, but a text", "text.txt: is text, not a capture"},
		"empty":     {"", "empty: is empty"},
		"x<b>.pcap": {"\x01\x02\x03\x04 something else", "x<b>.pcap: is neither pcap nor pcapng"},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(file.data), 0o666); err != nil {
			t.Skip(err) // a system that does not allow such names
		}
		b.choose(path)
		b.until(file.says, `document.querySelector("[role=alert]")?.innerText.startsWith(%s)`, file.says)
	}
	cut := filepath.Join(captures, "iceball-real-session.cutfile.pcap")
	b.choose(cut)
	b.read()
	b.until("what is wrong with a file that is cut", `document.querySelector(".status .said").innerText.includes("the file ends inside a record")`)
}
