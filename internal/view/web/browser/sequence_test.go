package browser

import (
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestSequenceEnds joins and hides ends with their menus, and unfolds a run with the keyboard.
func TestSequenceEnds(t *testing.T) {
	b := at(t, small, "sequence")
	heads := `[...document.querySelectorAll(".diagram .head .end")].map((e) => e.innerText).join("|")`
	b.until("four ends", heads+` === "127.0.0.1:5154|0 root|1 erin|2 frank"`)
	b.click(".diagram .head.server")
	b.press(kb.Enter) // the first entry
	b.until("clients as one", heads+` === "127.0.0.1:5154|clients of 127.0.0.1:5154"`)
	b.until("their number", `document.querySelectorAll(".diagram .head")[1].innerText.includes("3 clients")`)
	// The page may draw the lines again at any time, so both values are read in one step.
	b.until("a run", `(window.run = document.querySelector(".diagram .step:has(.fold)")?.title) &&
		(window.height = document.querySelector(".diagram .lines-spacer")?.offsetHeight)`)
	before, height := js[string](b, "window.run"), js[int](b, "window.height")
	b.click(".diagram .step .fold")
	b.until("the messages of "+before, `document.querySelector(".diagram .step.sub") &&
		document.querySelector(".diagram .lines-spacer").offsetHeight > %s`, height)
	b.press(kb.ArrowLeft)
	b.click(".diagram .head.server")
	b.press(kb.End) // the last entry filters, and the entry before it hides
	b.press(kb.ArrowUp)
	b.press(kb.Enter)
	b.until("that all is hidden", `document.querySelector(".diagram .empty")?.innerText.startsWith("All matching participants")`)
	b.click(".hidden-ends button")
	b.until("both ends again", `document.querySelectorAll(".diagram .head").length === 2`)
}

// TestFindingOfRule goes from a rule to one of its findings. The page must mark the finding's bytes.
func TestFindingOfRule(t *testing.T) {
	b := at(t, filepath.Join(captures, "bz17-c-violations.pcap"), "findings")
	b.click(`[data-rule="bzflag17.foreign-player"] summary`)
	b.until("the cases", `document.querySelectorAll('[data-rule="bzflag17.foreign-player"] .cases a').length === 2`)
	b.press("n")
	b.until("the first case in the detail", `[...document.querySelectorAll(".detail .mono")].some((e) =>
		e.innerText === "bzflag17.foreign-player")`)
	b.press("n")
	b.until("that the second is marked",
		`document.querySelector('[data-rule="bzflag17.foreign-player"] li:nth-child(2) [aria-current]')`)
	b.click(`[data-rule="bzflag17.foreign-player"] .do .button`)
	b.until("its messages", `document.querySelector("#view-messages")?.hidden === false &&
		decodeURIComponent(location.hash.replaceAll("+", " ")).includes('finding.rule == "bzflag17.foreign-player"')`)
}
