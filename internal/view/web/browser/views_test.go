package browser

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// at serves a capture, waits until the capture has been read, and opens a view.
func at(t *testing.T, capture, view string) *tab {
	t.Helper()
	b := open(t, serve(t, capture)+"#v="+view)
	b.read()
	b.until("the view "+view, `document.querySelector("#view-" + %s)?.hidden === false`, view)
	return b
}

// TestTimeline compares the events with -z timeline.
func TestTimeline(t *testing.T) {
	b := at(t, small, "timeline")
	var want []string
	for text := range strings.Lines(says(t, "-r", small, "-q", "-z", "timeline")) {
		want = append(want, oneSpace(text))
	}
	b.until("the events", `document.querySelectorAll("#event-list .event").length >= %s`, min(len(want), 8))
	var got []string
	for _, text := range js[[]string](b, `[...document.querySelectorAll("#event-list .event")].map((e) =>
		e.querySelector(".time").textContent.slice(0, -3) + " " + e.querySelector(".text").textContent)`) {
		got = append(got, oneSpace(text))
	}
	if diff := cmp.Diff(want[:len(got)], got); diff != "" {
		t.Errorf("events (-program +page):\n%s", diff)
	}
	if title := b.text(".event-list h2"); !strings.HasPrefix(title, fmt.Sprint(len(want), " events")) {
		t.Errorf("the page says %q, but there are %d events", title, len(want))
	}
	b.click("#event-list .event:nth-child(5)")
	b.until("the message of a death", `document.querySelector(".detail h2")?.innerText === "MsgKilled"`)
	if drawn := js[int](b, `(() => {
		const canvas = document.querySelector(".lanes canvas");
		const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
		return new Set(new Uint32Array(data.buffer)).size;
	})()`); drawn < 8 {
		t.Errorf("the picture has %d colours", drawn)
	}
	b.click(".legend [data-kind=kill]")
	b.until("no kill in the list", `[...document.querySelectorAll("#event-list .kind")].every((e) => e.innerText !== "kill")`)
	if got := js[string](b, `document.querySelector(".legend [data-kind=death]").getAttribute("aria-pressed")`); got != "true" {
		t.Error("hiding kills also hides deaths")
	}
}

// TestPlots checks that the axis is logarithmic for times that differ greatly, and that lines have gaps where values
// are missing for a long time.
func TestPlots(t *testing.T) {
	b := at(t, small, "statistics")
	for lines, want := range map[string]string{"[0.001, 0.4]": "0.001,1", "[0.1, 0.4]": "", "[0, 0]": ""} {
		got := js[string](b, `import("gamedissect/plotting").then(({ logarithmic }) =>
			String(logarithmic([{ times: [1, 2], values: `+lines+` }], [0, 3], "s") ?? ""))`)
		if got != want {
			t.Errorf("%s: the axis is %q, want %q", lines, got, want)
		}
	}
	for times, want := range map[string]int{"[0, 1, 2, 3, 4]": 1, "[0, 1, 2, 3, 90, 91, 92]": 2} {
		got := js[int](b, `import("gamedissect/plotting").then(({ Frame, plot }) => {
			let paths = 0;
			const pen = { rect() {}, text() {}, dot() {}, path: () => paths++, within: (x, y, w, h, f) => f() };
			const times = `+times+`;
			plot(pen, new Frame(800, 300, [0, 100], [0, 1]), { lines: [{ times, values: times.map(() => 1), style: 0 }], unit: "s" });
			return paths;
		})`)
		if got != want {
			t.Errorf("%s: %d lines, want %d", times, got, want)
		}
	}
}

// TestReportOfTheProgram opens a file written by gamedissect report.
func TestReportOfTheProgram(t *testing.T) {
	needBrowser(t)
	name := filepath.Join(t.TempDir(), "lag <b>&.html")
	says(t, "report", "-r", small, "-o", name)
	b := open(t, "file://"+filepath.ToSlash(filepath.Dir(name))+"/lag%20%3Cb%3E&.html#f=bzflag24.killed")
	b.read()
	want := lines(t, small, "bzflag24.killed")
	b.until("the rows of the link", listed+`.length === %s`, len(want))
}

// TestSequence compares the arrows with the messages that the program prints.
func TestSequence(t *testing.T) {
	const filter = "bzflag24.killed || bzflag24.add_player"
	b := at(t, small, "sequence")
	js[string](b, `location.hash = "#v=sequence&f=" + encodeURIComponent(%s)`, filter)
	want := lines(t, small, filter)
	b.until("arrows that are not folded", `document.querySelector(".diagram .bar input[type=checkbox]")`)
	b.click(".diagram .bar input[type=checkbox]")
	b.until("the number of arrows", `document.querySelector(".diagram .counts").innerText === %s`, fmt.Sprint(len(want), " arrows"))
	const steps = `[...document.querySelectorAll(".diagram .step")].filter((e) => e.getClientRects().length > 0 && e.title !== "").map((e) => e.title)`
	b.until("arrows in sight", steps+`.length >= %s && `+steps+`.every((title) => /(MsgKilled|MsgAddPlayer)(?! ×)|silence/.test(title))`,
		min(len(want), 10))
	printed := strings.Split(strings.TrimSuffix(says(t, "-r", small, "-T", "line", "-Y", filter), "\n"), "\n")
	for i, title := range js[[]string](b, steps) {
		if strings.Contains(title, " of silence") {
			continue
		}
		time, rest, _ := strings.Cut(title, " s\n")
		way, rest, _ := strings.Cut(rest, "\n")
		name, summary, _ := strings.Cut(rest, "\n")
		summary, _, _ = strings.Cut(summary, "\n")
		name = strings.TrimSuffix(name, " (seen before)")
		at := -1
		for n, text := range printed {
			if strings.Contains(text, time+"  ") && way == want[n].Src+" → "+want[n].Dst {
				at = n
			}
		}
		if at < 0 || name != want[at].Message || !strings.HasSuffix(oneSpace(printed[at]), oneSpace(summary)) {
			t.Errorf("arrow %d shows what the program does not print: %q", i, title)
		}
	}
	if ends := js[int](b, `document.querySelectorAll(".diagram .step svg line").length`); ends == 0 {
		t.Error("the diagram has no lifelines")
	}
	b.click(".diagram .step:nth-of-type(2)")
	b.until("the message of an arrow", `document.querySelector(".detail h2")`)
}

// TestPlayback plays a game. The clock must advance, tanks must move, and players and events must equal those in the
// program's output.
func TestPlayback(t *testing.T) {
	b := at(t, small, "world")
	b.until("the players", `document.querySelectorAll(".players .who").length > 1`)
	players := says(t, "-r", small, "-q", "-z", "bzflag24,players")
	for _, who := range b.texts(".players .who") {
		_, name, _ := strings.Cut(who, " ")
		if !strings.Contains(players, name) {
			t.Errorf("the program does not list the player %s:\n%s", who, players)
		}
	}
	events := oneSpace(says(t, "-r", small, "-q", "-z", "timeline"))
	b.until("what happens", `document.querySelector(".feed-line")`)
	for _, text := range js[[]string](b, `[...document.querySelectorAll(".feed-line")].map((e) => e.title)`) {
		if !strings.Contains(events, oneSpace(text)) {
			t.Errorf("the event %q is only in the page", text)
		}
	}
	const picture = `(() => {
		const canvas = [...document.querySelectorAll("#view-world canvas")].sort((a, b) => b.width * b.height - a.width * a.height)[0];
		return canvas.toDataURL();
	})()`
	const clock = `Number(document.querySelector(".scrubber input[type=range]").value)`
	js[bool](b, `(() => {
		const slider = document.querySelector(".scrubber input[type=range]");
		slider.value = "25";
		return slider.dispatchEvent(new Event("input"));
	})()`)
	before, from := js[string](b, picture), js[float64](b, clock)
	b.click(".scrubber .play")
	b.until("the clock to go on", clock+` > %s`, from+0.5)
	b.until("a tank that moves", `[...document.querySelectorAll(".players .state")].some((e) => /^[1-9]\d* u\/s$/.test(e.innerText))`)
	if js[string](b, picture) == before {
		t.Error("the picture does not change during playback")
	}
	b.click(".scrubber .play")
	stood := js[float64](b, clock)
	time.Sleep(200 * time.Millisecond)
	if now := js[float64](b, clock); now != stood {
		t.Errorf("the stopped clock advanced from %g to %g", stood, now)
	}
	b.click(".feed-line.kill")
	b.until("the message of what happened", `document.querySelector(".detail h2")`)
}

// TestFindings compares the broken rules and their counts with -z findings.
func TestFindings(t *testing.T) {
	capture := filepath.Join(captures, "bz17-c-violations.pcap")
	b := at(t, capture, "findings")
	want := map[string]string{}
	for text := range strings.Lines(says(t, "-r", capture, "-q", "-z", "findings")) {
		if f := strings.Fields(text); len(f) > 3 && (f[0] == "error" || f[0] == "warning" || f[0] == "note") {
			want[f[1]] = f[0] + " " + f[2]
		}
	}
	if len(want) < 10 {
		t.Fatalf("the program prints %d rules", len(want))
	}
	const rules = `Object.fromEntries([...document.querySelectorAll("details.rule")].map((e) => [e.querySelector(".id").textContent,
		["error", "warning", "note"].find((s) => e.classList.contains(s)) + " " + e.querySelector(".count").textContent.replaceAll(",", "")]))`
	b.until("the rules", `document.querySelectorAll("details.rule").length >= %s`, len(want))
	if diff := cmp.Diff(want, js[map[string]string](b, rules)); diff != "" {
		t.Errorf("rules (-program +page):\n%s", diff)
	}
	b.click("details.rule summary")
	b.until("why it matters", `document.querySelector("details.rule[open] .body-of-rule p")?.innerText.length > 20`)
	b.click("details.rule[open] .cases li :is(a, button)")
	b.until("the finding at its message", `document.querySelector(".detail .found")`)
	b.until("the bytes that it is about", `document.querySelector(".bytes .marked")`)
}

// TestMoment opens a link to a kill in the world view. The clock must show the time of the kill.
func TestMoment(t *testing.T) {
	b := open(t, serve(t, small)+"#v=world&m=709")
	b.until("the time of the kill", `document.querySelector(".scrubber .now")?.innerText === "0:20.3"`)
}

// TestTables compares the page's totals with the program's output.
func TestTables(t *testing.T) {
	b := at(t, small, "statistics")
	js[bool](b, `[...document.querySelectorAll("#view-statistics button")].find((e) => e.innerText === "Tables").click() ?? true`)
	b.until("a table", `document.querySelector("#view-statistics .tables td")`)
	program := oneSpace(strings.ReplaceAll(says(t, "-r", small, "-q"), ",", ""))
	rows := js[[]string](b, `[...document.querySelectorAll("#view-statistics .tables tbody tr")].filter((tr) => tr.children.length > 3)
		.map((tr) => [...tr.children].slice(0, 4).map((td) => td.innerText.replaceAll(",", "")).join(" "))`)
	for _, row := range rows {
		if !strings.Contains(program, oneSpace(row)) {
			t.Errorf("the row %q is only in the page", row)
		}
	}
	if len(rows) < 10 {
		t.Errorf("there are %d rows", len(rows))
	}
}
