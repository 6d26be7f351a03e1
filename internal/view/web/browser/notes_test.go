package browser

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/internal/view"
	"github.com/gamedissect/gamedissect/internal/view/web"
)

// exported chooses an entry of the export menu and returns the file that the page writes.
func exported(b *tab, entry string) string {
	b.t.Helper()
	js[bool](b, `(() => {
		const make = URL.createObjectURL;
		globalThis.written = null;
		URL.createObjectURL = (blob) => {
			globalThis.written = blob;
			return make.call(URL, blob);
		};
		return true;
	})()`)
	b.click(".top .tools button[aria-haspopup=menu]")
	const items = `[...document.querySelectorAll("[role=menuitem]")]`
	b.until("the menu", items+`.length > 0`)
	if !js[bool](b, items+`.some((e) => e.innerText === %s)`, entry) { // the page found a password and proposes to replace names
		b.click("[role=menuitemcheckbox][aria-checked=true]")
	}
	b.until(entry, items+`.some((e) => e.innerText === %s)`, entry)
	js[bool](b, items+`.find((e) => e.innerText === %s).click() ?? true`, entry)
	b.until("a file", `globalThis.written`)
	return js[string](b, `globalThis.written.text()`)
}

// TestNotesAreKept writes a note in a report and saves the report again. The new report must contain the note and
// otherwise be unchanged. --notes must accept the notes exported as JSON.
func TestNotesAreKept(t *testing.T) {
	const text = `look <b>here</b> & "there" </script>`
	url := report(t, small)
	b := open(t, url+"#m=1")
	b.read()
	b.write(text)
	notes, err := web.ReadNotes(strings.NewReader(exported(b, "Notes as JSON")))
	if err != nil || len(notes) != 1 || notes[0] != (view.Note{Row: 1, Text: text}) {
		t.Errorf("%+v, %v", notes, err)
	}
	page := exported(b, "A page for others, with notes (HTML)")
	name := filepath.Join(t.TempDir(), "again.html")
	if err := os.WriteFile(name, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(strings.TrimPrefix(url, "file://"))
	if err != nil {
		t.Fatal(err)
	}
	setupOf := func(page string) (setup web.Setup, rest string) {
		head, tail, _ := strings.Cut(page, `id="setup">`)
		in, tail, _ := strings.Cut(tail, "</script>")
		if err := json.Unmarshal([]byte(in), &setup); err != nil {
			t.Fatal(err)
		}
		return setup, head + tail
	}
	_, was := setupOf(string(before))
	setup, is := setupOf(page)
	if was != is {
		at := 0
		for at < min(len(is), len(was)) && is[at] == was[at] {
			at++
		}
		t.Errorf("the reports differ in more than notes: %.80q, before: %.80q", is[at:], was[at:])
	}
	if len(setup.Notes) != 1 {
		t.Errorf("notes of the new page: %+v", setup.Notes)
	}
	showsNote(t, name, text)
}

// TestServedPageForOthers saves a served page as a file. The file must work without the program.
func TestServedPageForOthers(t *testing.T) {
	const text = "a note of the served page"
	b := open(t, serve(t, small)+"#m=1")
	b.read()
	b.write(text)
	page := exported(b, "A page for others, with notes (HTML)")
	name := filepath.Join(t.TempDir(), "others.html")
	if err := os.WriteFile(name, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	showsNote(t, name, text)
}

// write writes a note on the message that is shown.
func (b *tab) write(text string) {
	b.t.Helper()
	b.press("m")
	b.until("a place for a note", `document.querySelector("dialog.notes[open] textarea")`)
	js[bool](b, `(() => {
		document.querySelector("dialog.notes textarea").value = %s;
		document.querySelector("dialog.notes .button").click();
		return true;
	})()`, text)
}

// showsNote opens a page from disk. The page must first show the message with the note.
func showsNote(t *testing.T, name, text string) {
	t.Helper()
	b := open(t, "file://"+filepath.ToSlash(name))
	b.read()
	b.until("the note", `document.querySelector(".detail").innerText.includes(%s)`, text)
}
