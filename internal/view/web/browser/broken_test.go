package browser

import (
	"fmt"
	"testing"
	"time"
)

// TestProgramEnds checks that a page reports that its program has ended, keeps its content, and stops retrying.
func TestProgramEnds(t *testing.T) {
	b := open(t, serve(t, small))
	b.read()
	b.expect("no longer answers")
	js[bool](b, `window.asked = 0, window.fetch = async () => { window.asked++; throw new TypeError("no answer"); }, true`)
	for i := range 7 {
		b.press(fmt.Sprint(i + 1))
	}
	js[string](b, `location.hash = "#t=0-1"`)
	b.until("a range that was not read", `document.querySelector(".chip:not([hidden])")`)
	b.until("a word that the program ended", `document.querySelector(".status .said").innerText.includes("no longer answers")`)
	time.Sleep(500 * time.Millisecond)
	if n := js[int](b, "window.asked"); n > 50 {
		t.Errorf("the page asked %d times", n)
	}
	b.until("the page", `document.querySelector(".list .grid")`)
}

// TestDropOnCapture drops a second file on a page. The browser must not leave the page to show the file. The page must
// compare its capture with the file, or say why it cannot do so.
func TestDropOnCapture(t *testing.T) {
	b := open(t, report(t, small))
	b.read()
	for _, kind := range []string{"dragover", "drop"} {
		if !js[bool](b, `(() => {
			const dataTransfer = new DataTransfer();
			dataTransfer.items.add(new File(["x"], "x.pcap"));
			const event = new DragEvent(%s, { dataTransfer, cancelable: true, bubbles: true });
			document.body.dispatchEvent(event);
			return event.defaultPrevented;
		})()`, kind) {
			t.Errorf("%s is left to the browser", kind)
		}
	}
	b.until("what became of it", `document.querySelector("#view-compare")?.hidden === false ||
		document.querySelector(".status .said").innerText !== ""`)
}
