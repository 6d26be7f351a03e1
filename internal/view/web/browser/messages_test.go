package browser

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"
)

// listed selects the visible rows of the list, without the header.
const listed = `[...document.querySelectorAll(".list .window .row")].filter((row) => !row.hidden && row.getClientRects().length > 0 &&
	!row.classList.contains("waiting")).sort((a, b) => a.getAttribute("aria-rowindex") - b.getAttribute("aria-rowindex"))`

// cells returns the cells of a column of the list.
func (b *tab) cells(column string) []string {
	b.t.Helper()
	return js[[]string](b, listed+`.map((row) => row.querySelector(".cell." + %s).textContent)`, column)
}

// line is a message in the JSON output of the program.
type line struct {
	Frame                       int
	Src, Dst, Protocol, Message string
	Length                      int
}

// lines returns the messages that match a filter from the JSON output of the program.
func lines(t *testing.T, capture, filter string) (list []line) {
	t.Helper()
	for text := range strings.Lines(says(t, "-r", capture, "-T", "json", "-Y", filter)) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatal(err)
		}
		list = append(list, l)
	}
	return list
}

// oneSpace replaces each run of blanks with one blank.
func oneSpace(s string) string { return strings.Join(strings.Fields(s), " ") }

// TestListMatchesProgram compares the first and the last rows of the list with the program's output.
func TestListMatchesProgram(t *testing.T) {
	b := at(t, small, "messages")
	b.read()
	want := lines(t, small, "")
	printed := strings.Split(strings.TrimSuffix(says(t, "-r", small, "-T", "line"), "\n"), "\n")
	if len(printed) != len(want) {
		t.Fatalf("the program prints %d messages as lines, %d as JSON", len(printed), len(want))
	}
	compare := func(first string) {
		t.Helper()
		b.until("rows", listed+`.length > 10 && `+listed+`[0].querySelector(".cell.frame").textContent === %s`, first)
		frames, sums := b.cells("frame"), b.cells("summary")
		at := js[int](b, listed+`[0].getAttribute("aria-rowindex")-2`)
		got := make([]line, len(frames))
		for i := range frames {
			l := &got[i]
			_, _ = fmt.Sscan(frames[i]+" "+b.cells("length")[i], &l.Frame, &l.Length)
			l.Src, l.Dst, l.Protocol, l.Message = b.cells("src")[i], b.cells("dst")[i], b.cells("protocol")[i], b.cells("name")[i]
			line := oneSpace(printed[at+i])
			if !strings.HasSuffix(line, oneSpace(sums[i])) || !strings.Contains(line, b.cells("time")[i]) {
				t.Errorf("the list says %q at %s, the program\n%s", sums[i], b.cells("time")[i], line)
			}
		}
		if diff := cmp.Diff(want[at:at+len(got)], got); diff != "" {
			t.Errorf("rows from %d on (-program +page):\n%s", at, diff)
		}
	}
	b.do(chromedp.Focus(chromedp.CSS(".list .grid")))
	b.press(kb.Home)
	compare(fmt.Sprint(want[0].Frame))
	b.press(kb.End)
	b.until("the last row", listed+`.at(-1)?.getAttribute("aria-rowindex") === %s`, fmt.Sprint(len(want)+1))
	compare(b.cells("frame")[0])
	b.press(kb.Home)
	b.until("the first row again", `document.querySelector(".list [aria-selected=true] .frame")?.textContent === %s`, fmt.Sprint(want[0].Frame))
}

// killed is the message that most tests open.
const killed = "frame.number == 1125"

// TestFieldsAndBytes checks that a click on a field marks the field's bytes, and that a click on a byte selects the
// field.
func TestFieldsAndBytes(t *testing.T) {
	b := open(t, serve(t, small, "-Y", killed))
	b.read()
	b.click(".list .window .row")
	b.until("the fields", `document.querySelector(".detail [role=treeitem]")`)
	places := map[string][2]int{} // as printed by the program
	for text := range strings.Lines(says(t, "-r", small, "-Y", killed)) {
		var from, to int
		var name string
		if n, _ := fmt.Sscanf(text, "%d-%d %s", &from, &to, &name); n == 3 {
			places[name] = [2]int{from, to}
		} else if n, _ := fmt.Sscanf(text, "%d %s", &from, &name); n == 2 && strings.HasPrefix(text, "        ") {
			places[name] = [2]int{from, from}
		}
	}
	delete(places, "length") // other lines contain this word, too
	if len(places) < 5 {
		t.Fatalf("the program prints the fields %v", places)
	}
	const chosen = `[...document.querySelectorAll(".detail [role=treeitem][aria-selected=true]")].map((e) => e.querySelector(".key").innerText.trim()).join()`
	for name, place := range places {
		js[bool](b, `[...document.querySelectorAll(".detail [role=treeitem]")].find((e) => e.querySelector(".key").innerText.trim() === %s).click() ?? true`, name)
		var want []int
		for i := place[0]; i <= place[1]; i++ {
			want = append(want, i)
		}
		b.until("the field "+name, chosen+` === %s`, name)
		b.until(fmt.Sprint("the bytes ", want, " of ", name),
			`[...document.querySelectorAll(".bytes .byte.marked")].map((e) => e.dataset.offset).join() === %s.join()`, want)
		byteAt := func(offset int) { b.click(fmt.Sprintf(".bytes .byte[data-offset='%d']", offset)) }
		byteAt(0)
		b.until("the field of the first byte", chosen+` === "length"`)
		byteAt(place[1])
		b.until("the field of a byte of "+name, chosen+` === %s`, name)
	}
}

// setFilter types a filter into the filter's input, which must have the focus.
func (b *tab) setFilter(text string) {
	b.t.Helper()
	b.until("the filter's line", `document.activeElement.matches(".filter input")`)
	b.do(chromedp.SetValue(chromedp.CSS(".filter input"), text))
	b.press(kb.Enter)
}

// TestFilter types a correct filter and wrong filters. For the wrong ones, the page must show the position of the
// error.
func TestFilter(t *testing.T) {
	b := at(t, small, "messages")
	b.read()
	setFilter := func(text string) {
		b.press("/")
		b.setFilter(text)
	}
	setFilter("bzflag24.killed")
	want := lines(t, small, "bzflag24.killed")
	b.until("the matches", `document.querySelector(".matched").innerText.startsWith(%s)`, fmt.Sprint(len(want), " match"))
	b.until("the rows", listed+`.length === %s`, len(want))
	for i, frame := range b.cells("frame") {
		if frame != fmt.Sprint(want[i].Frame) {
			t.Errorf("row %d has frame %s, not %d", i, frame, want[i].Frame)
		}
	}
	for text, wrong := range map[string]struct{ marked, says string }{
		"bzflag24.killed && bzflag24.kiled": {"bzflag24.kiled", "there is no field"},
		"frame.number >":                    {"\u00a0", ""},
		"üü == 1":                           {"üü", ""},
	} {
		setFilter(text)
		b.until("what is wrong with "+text, `!document.querySelector(".filter .wrong").hidden`)
		if got := js[string](b, `document.querySelector(".filter .wrong mark").textContent`); got != wrong.marked {
			t.Errorf("%s: %q is marked, not %q", text, got, wrong.marked)
		}
		if got := b.text(".filter .wrong"); !strings.Contains(got, wrong.says) {
			t.Errorf("%s: the page says %q", text, got)
		}
		if got := len(b.cells("frame")); got != len(want) {
			t.Errorf("%s: the previous filter is lost: %d rows", text, got)
		}
	}
	setFilter("bzflag24.kiled")
	b.until("what may have been meant", `document.querySelector(".filter .wrong button")`)
	b.click(".filter .wrong button")
	b.until("a corrected filter", `document.querySelector(".filter .wrong").hidden && document.querySelector(".filter input").value === "bzflag24.killed"`)
}

// TestCompletion types a part of a name. Proposals must appear without being requested, and a key must accept one.
func TestCompletion(t *testing.T) {
	b := at(t, small, "messages")
	b.read()
	b.do(chromedp.Focus(chromedp.CSS(".filter input")))
	b.press("kille")
	b.until("completions", `document.querySelector(".offers [role=option] .mono")?.innerText === "bzflag24.killed"`)
	b.press(kb.ArrowDown)
	b.press(kb.Tab)
	b.until("the name", `document.querySelector(".filter input").value === "bzflag24.killed"`)
	b.press(".reason == ")
	b.until("the values", `document.querySelector(".offers [role=option] .mono")?.innerText === '"DeathTouch"'`)
	b.press(kb.Escape)
	b.until("that they are closed", `document.querySelector(".offers").hidden`)
}

// TestWords checks that "who", and values without quotes, select the same messages in the page and in the program.
func TestWords(t *testing.T) {
	b := at(t, small, "messages")
	b.read()
	for _, text := range []string{"who == erin", `who contains "er" && bzflag24.killed`, "bzflag24.killed.reason == gotshot"} {
		b.press("/")
		b.setFilter(text)
		want := thousands(int64(len(lines(t, small, text)))) + " match"
		b.until(text, `document.querySelector(".matched").innerText.startsWith(%s)`, want)
	}
	b.press("/")
	b.setFilter("erin")
	b.until("what a word alone may mean", `document.querySelector(".filter .wrong button")`)
	b.click(".filter .wrong button")
	b.until("its matches", `document.querySelector(".filter .wrong").hidden && /^[1-9][\d,]* match/.test(document.querySelector(".matched").innerText)`)
}

// TestKeyboard uses the page without a mouse.
func TestKeyboard(t *testing.T) {
	b := at(t, small, "messages")
	b.read()
	const selected = `document.querySelector(".list [aria-selected=true] .frame")?.textContent`
	want := lines(t, small, "")
	b.do(chromedp.Focus(chromedp.CSS(".list .grid")))
	for i, key := range []string{kb.Home, kb.ArrowDown, kb.ArrowDown, kb.ArrowUp} {
		b.press(key)
		b.until("the row chosen", selected+` === %s`, fmt.Sprint(want[[]int{0, 1, 2, 1}[i]].Frame))
	}
	b.until("the fields of the second row", `document.querySelector(".detail h2")?.innerText === %s`, want[1].Message)
	b.press(kb.Enter)
	b.until("the focus on the fields", `document.activeElement.matches(".detail [role=treeitem]")`)
	b.press(kb.ArrowDown)
	b.until("the second field", `document.activeElement.dataset.at === "1"`)
	b.press("?")
	b.until("the help", `document.querySelector("dialog.help").open`)
	b.press(kb.Escape)
	b.until("the help to go", `!document.querySelector("dialog.help").open`)
	for i, name := range []string{"overview", "messages", "sequence", "timeline", "findings", "statistics", "world"} {
		b.press(fmt.Sprint(i + 1))
		b.until("the view "+name, `document.querySelector("#tab-" + %s)?.getAttribute("aria-selected") === "true" && !document.querySelector("#view-" + %s).hidden`, name, name)
	}
	b.press("2")
	b.do(chromedp.Focus(chromedp.CSS(".list .grid")))
	b.press(kb.Home)
	b.press("n")
	b.until("the next message with a finding", `document.querySelector(".detail .found")`)
}

// TestLinks opens places by their addresses. It also checks that the page's address follows the place that the page
// shows.
func TestLinks(t *testing.T) {
	url := serve(t, small)
	want := lines(t, small, "bzflag24.killed")
	b := open(t, url+"#f=bzflag24.killed")
	b.until("the rows", listed+`.length === %s`, len(want))
	b.press("/")
	b.press(kb.Escape)
	b.until("the address of the first message", `/[#&]m=\d+/.test(location.hash)`)
	first := js[string](b, "location.hash")
	b.click(".list .window .row:nth-of-type(3)")
	b.until("the address of another message", `/[#&]m=\d+/.test(location.hash) && location.hash !== %s`, first)
	link := js[string](b, "location.hash")
	frame := js[string](b, `document.querySelector(".list [aria-selected=true] .frame").textContent`)
	other := open(t, url+link)
	other.until("the message of the link", `document.querySelector(".list [aria-selected=true] .frame")?.textContent === %s`, frame)
	other.until("its fields", `document.querySelector(".detail h2")?.innerText === "MsgKilled"`)
	js[string](other, `location.hash = "#m=0"`)
	other.until("the first message", `document.querySelector(".detail h2")?.innerText === %s`, lines(t, small, "")[0].Message)
	js[string](other, `location.hash = "#m=99999999&v=nosuch&t=abc&f=(("`)
	other.until("a message about the bad link", `document.querySelector(".status .said").innerText !== ""`)
	js[string](other, `location.hash = "#v=nosuch&t=1.2.3-4"`)
	other.until("the whole capture", `location.hash === "#v=messages" && document.querySelector(".chip").hidden`)
}

// TestLinkedRowIsWhole opens the page at a message near the end. The message's row must be wholly visible, whatever
// part of the list was loaded first.
func TestLinkedRowIsWhole(t *testing.T) {
	for range 3 {
		b := open(t, serve(t, small)+"#m=709")
		b.until("the row", `(() => {
			const row = document.querySelector(".list [aria-selected=true]")?.getBoundingClientRect();
			const window = document.querySelector(".list .window")?.getBoundingClientRect();
			return row && row.height > 0 && row.top >= window.top && row.bottom <= window.bottom;
		})()`)
	}
}

// TestWidths checks that nothing extends beyond the sides of the page, whatever the width.
func TestWidths(t *testing.T) {
	b := open(t, serve(t, filepath.Join(captures, "bz24-ctf-capture.pcap"))+"#v=messages")
	b.read()
	for _, width := range []int64{360, 800, 1280, 3840} {
		b.do(chromedp.EmulateViewport(width, 800))
		for i := range 6 {
			b.press(fmt.Sprint(i + 1))
			b.until("a frame", `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
			if wide := js[int64](b, "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"); wide > width {
				t.Errorf("at %d pixels, view %d is %d pixels wide", width, i+1, wide)
			}
			out := js[[]string](b, `[...document.querySelectorAll("header.top button, .filter input, .filter button")].filter((e) => {
				const r = e.getBoundingClientRect();
				return r.width > 0 && !e.closest(".tabs") && (r.right > innerWidth + 1 || r.left < -1);
			}).map((e) => e.outerHTML.slice(0, 80))`)
			if len(out) > 0 {
				t.Errorf("at %d pixels, these are not visible: %v", width, out)
			}
		}
	}
}

// TestNarrow checks the page on a phone: every tab can be tapped, rows name both ends, and the end of the file's name
// is visible.
func TestNarrow(t *testing.T) {
	b := blank(t)
	b.do(chromedp.EmulateViewport(390, 800))
	b.goTo(serve(t, small) + "#m=709")
	b.read()
	b.until("the row", `document.querySelector(".list [aria-selected=true] .dst")?.innerText`)
	if out := js[[]string](b, `[...document.querySelectorAll(".tabs button")].filter((e) => {
		const r = e.getBoundingClientRect();
		return document.elementFromPoint((r.left + r.right) / 2, (r.top + r.bottom) / 2) !== e;
	}).map((e) => e.innerText)`); len(out) > 0 {
		t.Errorf("these tabs cannot be tapped: %v", out)
	}
	for _, cell := range []string{"src", "dst", "name", "summary"} {
		if wide := js[int](b, `document.querySelector(".list [aria-selected=true] ." + %s).offsetWidth`, cell); wide < 60 {
			t.Errorf("the cell %s is %d pixels wide", cell, wide)
		}
	}
	if name := b.text(".top .file"); !strings.HasSuffix(name, ".pcap") || !strings.Contains(name, "…") {
		t.Errorf("the file's name is shown as %q", name)
	}
	b.do(chromedp.EmulateViewport(1280, 800))
	b.until("rows of one line", `document.querySelector(".list .window .row").offsetHeight === 24`)
	b.until("the selected row", `document.querySelector(".list [aria-selected=true]")`)
}
