package browser

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/chromedp"

	"github.com/gamedissect/gamedissect/internal/view/web"
)

// watch measures in the page what a user experiences: the time from choosing a file to the first rows, the time until
// the file has been read, and the duration of each frame while the list is scrolled. It scrolls until the file has been
// read, but for at least five seconds.
const watch = `new Promise((done) => {
	addEventListener("change", () => {
		const begun = performance.now();
		let first = 0, all = 0, last = 0;
		const frames = [];
		const step = (now) => {
			const list = document.querySelector(".list .window");
			if (first === 0 && list?.querySelector(".row:not(.waiting) .frame")?.textContent) {
				first = performance.now() - begun;
			}
			if (first > 0) {
				if (last > 0) {
					frames.push(now - last);
				}
				last = now;
				list.scrollTop += 60;
			}
			if (all === 0 && document.querySelector(".reading.done")) {
				all = performance.now() - begun;
			}
			if (all > 0 && performance.now() - begun > 5000) {
				frames.sort((a, b) => a - b);
				done({ first, all, frames: frames.length, p50: frames[frames.length >> 1], p99: frames[Math.floor(frames.length * 0.99)],
					longest: frames.at(-1), counts: document.querySelector(".counts").textContent });
				return;
			}
			requestAnimationFrame(step);
		};
		requestAnimationFrame(step);
	}, { capture: true, once: true });
	document.documentElement.dataset.watched = "yes";
})`

// TestLarge makes these measurements for the capture that GAMEDISSECT_LARGE names.
func TestLarge(t *testing.T) {
	name := os.Getenv("GAMEDISSECT_LARGE")
	if name == "" {
		t.Skip("GAMEDISSECT_LARGE names no capture")
	}
	b := open(t, write(t, &web.Page{Title: "gamedissect"}))
	b.until("an opening", `document.querySelector("#file")`)
	js[string](b, `location.hash = "#v=messages"`)
	type measured struct {
		First, All, P50, P99, Longest float64
		Frames                        int
		Counts                        string
	}
	js[bool](b, `void (globalThis.measured = `+watch+`) ?? true`)
	b.choose(name)
	got := js[measured](b, `measured`)
	t.Logf("first rows after %.2f s, all after %.2f s: %s", got.First/1e3, got.All/1e3, got.Counts)
	t.Logf("%d frames during scrolling: half took at most %.1f ms, 99 %% at most %.1f ms, the longest %.1f ms", got.Frames, got.P50, got.P99, got.Longest)
	t.Logf("the page's process took at most %s", b.peak())
	if got.Frames == 0 {
		t.Error("no rows were seen")
	}
	if got.First > 1000 {
		t.Errorf("the first rows took %.2f s", got.First/1e3)
	}
}

var peakSize = regexp.MustCompile(`VmHWM:\s*(\d+) kB`)

// peak returns the memory of the largest process that shows a page.
func (b *tab) peak() string {
	b.t.Helper()
	all, err := chromedp.CallBrowser(b.ctx, systeminfo.GetProcessInfo, cdp.Empty{})
	if err != nil {
		b.t.Fatal(err)
	}
	most := 0
	for _, p := range all.ProcessInfo {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.ID))
		if m := peakSize.FindSubmatch(status); p.Type == "renderer" && err == nil && m != nil {
			n, _ := strconv.Atoi(string(m[1]))
			most = max(most, n)
		}
	}
	return fmt.Sprint(most/1000, " MB")
}
