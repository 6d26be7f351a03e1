package browser

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestAccessible checks each view with axe-core, in both themes, on a screen and on a phone.
func TestAccessible(t *testing.T) {
	dir := os.Getenv("GAMEDISSECT_AXE")
	if dir == "" {
		t.Skip("GAMEDISSECT_AXE names no folder in which npm installed axe-core")
	}
	axe, err := os.ReadFile(filepath.Join(dir, "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, serve(t, small, "--diff", filepath.Join(captures, "bz24-ctf-players.pcap")))
	b.read()
	js[bool](b, string(axe)+"\n;true")
	for _, theme := range []string{"light", "dark"} {
		js[bool](b, `(document.documentElement.dataset.theme = %s, dispatchEvent(new Event("theme")))`, theme)
		for _, width := range []int64{1280, 390} {
			b.do(chromedp.EmulateViewport(width, 800))
			for _, place := range []string{"", "v=messages&m=709", "v=sequence", "v=timeline", "v=findings", "v=statistics", "v=world", "v=other",
				"v=compare"} {
				js[string](b, `location.hash = "#" + %s`, place)
				time.Sleep(300 * time.Millisecond) // wait until it is drawn
				for _, wrong := range js[[]string](b, `axe.run({ resultTypes: ["violations"] }).then(({ violations }) =>
					violations.flatMap(({ id, help, nodes }) => nodes.slice(0, 3).map((node) =>
						id + ": " + help + "\n" + node.target + "\n" + node.failureSummary)))`) {
					t.Errorf("%s, %d pixels, %q: %s", theme, width, place, wrong)
				}
			}
		}
	}
}
