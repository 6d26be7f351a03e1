package browser

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/gamedissect/gamedissect/internal/view/web"
)

// firstLook is a part of the program's summary.
type firstLook struct {
	First             string
	Packets, Messages int64
	Servers           []struct{ Address string }
	Players           []struct{}
	Health            struct{ Errors, Warnings, Notes int64 }
}

// TestOverview compares the tiles of captures with the program's summary, and follows the link of each tile.
func TestOverview(t *testing.T) {
	for _, name := range []string{"bz24-ctf-capture.pcap", "bz17-c-violations.pcap", "tribes-x-control.pcap"} {
		capture := filepath.Join(captures, name)
		var want firstLook
		if err := json.Unmarshal([]byte(says(t, capture, "-T", "json")), &want); err != nil {
			t.Fatal(err)
		}
		b := open(t, serve(t, capture))
		b.read()
		b.until("the tiles", `document.querySelector(".tiles[aria-busy=false]")`)
		tile := func(name string) string { return b.text(".tile[aria-label=" + name + "]") }
		h := want.Health
		players := fmt.Sprint(len(want.Players))
		if players == "0" {
			players = "" // this capture's servers do not report players
		}
		for name, parts := range map[string][]string{
			"Capture":  {thousands(want.Packets) + " packets", thousands(want.Messages) + " messages", want.First[11:19]},
			"Findings": {severities(h.Errors, "error"), severities(h.Warnings, "warning"), severities(h.Notes, "note")},
			"Servers":  {fmt.Sprint(len(want.Servers)), want.Servers[0].Address},
			"Players":  {players},
		} {
			for _, part := range parts {
				if got := tile(name); !strings.Contains(got, part) {
					t.Errorf("%s, %s: no %q in\n%s", capture, name, part, got)
				}
			}
		}
		if !js[bool](b, `document.querySelector(".detail").hidden && document.querySelector("form.filter").hidden`) {
			t.Errorf("%s: more than the overview is shown", capture)
		}
		b.click(".tile[aria-label=Findings] .way")
		b.until("the findings", `document.querySelector("#view-findings")?.hidden === false`)
	}
}

// TestOverviewShowsHealth checks that tiles show network problems, failures and refused clients, like the program's
// summary.
func TestOverviewShowsHealth(t *testing.T) {
	for name, parts := range map[string]map[string]string{
		"bz17-var-lost.pcap":               {"Findings": "46 bytes in 1 gap of TCP"},
		"bz17-var-reorder.pcap":            {"Findings": "57 segments of TCP out of order"},
		"tribes-x-lost-2.pcap":             {"Findings": "not complete"},
		"bz24-reject.pcap":                 {"Refused": "and 8 more", "Players": "version 2.4.26.20230103-MAINT-linux-gnu-SDL2"},
		"bz24-ctf-capture.pcap":            {"Findings": "2 failures, 1 warning"},
		"tribes-svperip.pcap":              {"Not listed": "a list lacks it"},
		"bloodmasters-real.frag-lost.pcap": {"Refused, questions unanswered": "4 refused, 3 questions unanswered", "Players": "up to 7"},
	} {
		b := open(t, serve(t, filepath.Join(captures, name)))
		b.read()
		b.until("the tiles of "+name, `document.querySelector(".tiles[aria-busy=false]")`)
		for tile, part := range parts {
			if got := b.text(`.tile[aria-label="` + tile + `"]`); !strings.Contains(got, part) {
				t.Errorf("%s, %s: no %q in\n%s", name, tile, part, got)
			}
		}
	}
}

// TestOverviewLeads follows the links in the headings and lines of tiles. Choices that the user made earlier in the
// target view must not matter.
func TestOverviewLeads(t *testing.T) {
	b := open(t, serve(t, filepath.Join(captures, "bloodmasters-real.pcap")))
	b.read()
	const table = `document.querySelector("select[aria-label=Table]")`
	for _, step := range []struct{ click, want string }{
		{"Findings] li:nth-child(2) .way", `document.activeElement.closest("details[open]")?.dataset.rule === "bloodmasters.query-length"`},
		{"Refused] .way", table + `?.value === "bloodmasters joins"`},
		{"Refused] li:nth-child(3) .way", `document.querySelector("#view-messages")?.hidden === false &&
			document.querySelector(".matched").innerText.startsWith("2 matches")`},
		{"Servers] .way", table + `?.value === "bloodmasters servers"`},
		{"Answers] .way", `document.querySelector('select[aria-label="Measurements"]')?.value.endsWith("ping") &&
			document.querySelector('.whose :checked + [title="127.0.0.1:6969"]')`},
	} {
		b.click(".tile[aria-label=" + step.click)
		b.until("where "+step.click+" leads", step.want)
		b.press("1")
	}
	b = open(t, serve(t, small))
	b.read()
	b.click(".tile[aria-label=Players] li:nth-child(2) .way")
	b.until("what the player did first", `document.querySelector("#event-list .event[aria-selected=true]")`)
}

// TestFailuresLead checks that a failure links to the first message of the clients that failed, in a list of these
// clients' messages.
func TestFailuresLead(t *testing.T) {
	b := open(t, serve(t, filepath.Join(captures, "bz24-reject.pcap")))
	b.read()
	b.click(".tile[aria-label=Refused] li .way")
	b.until("the messages", `document.querySelector("#view-messages")?.hidden === false && `+listed+`.length > 3`)
	b.until("the first of them", `Number(document.querySelector(".list [aria-selected=true] .frame")?.textContent) >= 190`)
	if others := js[[]string](b, listed+`.map((row) => row.querySelector(".src").textContent + " " + row.querySelector(".dst").textContent)
		.filter((ends) => !/127.0.0.1:(32782|53768|53802)\b/.test(ends))`); len(others) > 0 {
		t.Errorf("these messages have other ends than the clients that failed: %v", others)
	}
}

// TestFailuresLeadToMessages clicks failures whose ends announce themselves from other ports, or whose ports occur only
// in ICMP. Each failure must lead to messages.
func TestFailuresLeadToMessages(t *testing.T) {
	for _, name := range []string{"ice-announces-too-seldom", "tr-nat-answer-other-port", "bm-master-404", "bm-php-200ms"} {
		b := open(t, serve(t, filepath.Join(captures, "..", "troubles", name+".pcap")))
		b.read()
		b.until("the tiles of "+name, `document.querySelector(".tiles[aria-busy=false]")`)
		b.click(`.tile:is([aria-label*="ot listed"], [aria-label*="nanswered"], [aria-label*="bandoned"]) li .way`)
		b.until("messages of "+name, `document.querySelector("#view-messages")?.hidden === false && `+listed+`.length > 0`)
	}
}

// TestTiles checks that charts have an axis and a title with a unit, that players have lag and score, and that no tile
// is empty.
func TestTiles(t *testing.T) {
	b := open(t, serve(t, small))
	b.read()
	if got := b.texts(".tile .spark figcaption"); len(got) < 3 || !strings.HasPrefix(got[0], "messages in 1.91 s, up to ") {
		t.Errorf("the charts are called %q", got)
	}
	if got := b.text(".tile[aria-label=Capture] .axis"); !strings.Contains(got, "2 min 33 s") {
		t.Errorf("the axis says %q", got)
	}
	if got := b.text(".tile[aria-label=Players]"); !strings.Contains(got, "lag ") || !strings.Contains(got, "2-0") {
		t.Errorf("the players are %q", got)
	}
	b.click(".tile[aria-label=Players] li:last-child .way")
	b.until("the players over time", `document.querySelector(".figure h2")?.innerText.startsWith("players (bzflag24")`)
	if most := b.text(".figure-legend tbody tr td:last-child"); most != "3 players" {
		t.Errorf("the legend says %q", most)
	}
	b = open(t, serve(t, filepath.Join(captures, "tribes-x-control.pcap")))
	b.read()
	if js[bool](b, `[...document.querySelectorAll(".tile")].some((tile) => tile.innerText.includes("not measured"))`) {
		t.Error("a tile shows something that the game does not have")
	}
}

func thousands(n int64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}

func severities(n int64, what string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 " + what
	}
	return thousands(n) + " " + what + "s"
}

// TestChosen checks that the list begins at the first message with a finding, that other views do not show that
// message's details, and that a filter that excludes the message deselects it.
func TestChosen(t *testing.T) {
	b := at(t, small, "messages")
	const shown = `!document.querySelector(".detail").hidden`
	b.until("the message with a finding", `document.querySelector(".detail .found") && `+shown)
	for _, view := range []string{"4", "5", "6", "7", "1"} {
		b.press(view)
		b.until("a view with all of the room", `!(`+shown+`)`)
	}
	b.press("2")
	b.until("the message again", shown)
	b.press("/")
	b.setFilter("bzflag24.killed")
	b.until("that it is let go", `!(`+shown+`) && !/[#&]m=/.test(location.hash)`)
	b.click(".list .window .row")
	b.until("another one", shown)
	b.press("6")
	b.until("that it stays in sight", shown)
}

// TestEachEventOnce hides copies, like --once.
func TestEachEventOnce(t *testing.T) {
	b := at(t, small, "messages")
	want := strings.Count(says(t, "-r", small, "-T", "line", "--once"), "\n")
	b.click(".once input")
	b.until("each event once", `document.querySelector(".matched").innerText.replaceAll(",", "").startsWith(%s)`, fmt.Sprint(want, " match"))
	b.press("5") // the checkbox has the focus
	b.until("the findings by a key", `document.querySelector("#view-findings")?.hidden === false`)
}

// TestCannot checks that a view without content states the reason, both in the view and in the tooltip of the view's
// dimmed tab.
func TestCannot(t *testing.T) {
	b := at(t, filepath.Join(captures, "tribes-x-control.pcap"), "messages")
	b.until("a tab that is dimmed", `document.querySelector("#tab-world").matches(".nothing[title*='carry no positions']")`)
	b.press("7")
	b.until("the reason in its place", `document.querySelector("#view-world:not([hidden])")?.innerText.includes("carry no positions")`)
	b.press("2")
	b.until("the messages again", `document.querySelector("#view-messages:not([hidden])")`)
	if js[bool](b, `document.querySelector(".list .cell.protocol").getClientRects().length > 0`) {
		t.Error("the column of the only protocol is shown")
	}
}

// TestSeveralFilesChosen opens two files at once, in a page with an engine and with the program.
func TestSeveralFilesChosen(t *testing.T) {
	other := filepath.Join(captures, "bz17-c-violations.pcap")
	var want firstLook
	if err := json.Unmarshal([]byte(says(t, small, other, "-T", "json")), &want); err != nil {
		t.Fatal(err)
	}
	b := open(t, write(t, &web.Page{Title: "gamedissect"}))
	b.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{absolute(t, small), absolute(t, other)}, chromedp.NodeReady))
	for _, tab := range []*tab{b, open(t, serve(t, small, other))} {
		tab.read()
		tab.until("both files", `document.querySelectorAll(".tile[aria-label=Files] li").length === 2`)
		tab.until("their messages", `document.querySelector(".tile[aria-label=Capture]").innerText.includes(%s)`,
			thousands(want.Messages)+" messages")
	}
}

// TestNotesStay checks that a page opened from disk again still has a note, until the note is exported.
func TestNotesStay(t *testing.T) {
	b := open(t, report(t, small)+"#m=1")
	b.read()
	b.write("kept")
	const number = `document.querySelector(".top .number").innerText`
	b.until("the note", number+` === "1"`)
	b.do(chromedp.Reload())
	b.read()
	b.until("the note again", number+` === "1"`)
	exported(b, "Notes as JSON")
	b.do(chromedp.Reload())
	b.read()
	if got := js[string](b, number); got != "" {
		t.Errorf("%s notes are kept after they were exported", got)
	}
}
