package browser

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// at goes to a view of a capture that is read.
func at(t *testing.T, capture, view string, flags ...string) *tab {
	t.Helper()
	b := open(t, serve(t, capture, flags...)+"#v="+view)
	b.read()
	b.until("the view "+view, `document.querySelector("#view-" + %s)?.hidden === false`, view)
	return b
}

// TestTimeline compares the events with those of -z timeline.
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
	if title := b.text(".event-list h3"); !strings.HasPrefix(title, fmt.Sprint(len(want), " events")) {
		t.Errorf("the page says %q of %d events", title, len(want))
	}
	b.click("#event-list .event:nth-child(4)")
	b.until("the message of a death", `document.querySelector(".detail h2")?.innerText === "MsgKilled"`)
	if drawn := js[int](b, `(() => {
		const canvas = document.querySelector(".lanes canvas");
		const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
		return new Set(new Uint32Array(data.buffer)).size;
	})()`); drawn < 8 {
		t.Errorf("the picture has %d colours", drawn)
	}
}

// TestReportOfTheProgram opens what gamedissect report writes, as who is sent it does.
func TestReportOfTheProgram(t *testing.T) {
	needBrowser(t)
	name := filepath.Join(t.TempDir(), "lag <b>&.html")
	says(t, "report", "-r", small, "-o", name)
	b := open(t, "file://"+filepath.ToSlash(filepath.Dir(name))+"/lag%20%3Cb%3E&.html#f=bzflag24.killed")
	b.read()
	want := lines(t, small, "bzflag24.killed")
	b.until("the rows of the link", listed+`.length === %s`, len(want))
}
