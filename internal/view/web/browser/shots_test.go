package browser

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestPictures writes the documentation's pictures into the folder that GAMEDISSECT_PICTURES names.
func TestPictures(t *testing.T) {
	dir := os.Getenv("GAMEDISSECT_PICTURES")
	if dir == "" {
		t.Skip("GAMEDISSECT_PICTURES names no folder")
	}
	urls := map[string]string{"other": serve(t, filepath.Join(captures, "iceball-http.pcap"))}
	good := filepath.Join(captures, "bz24-ctf-players.pcap")
	url := serve(t, small, "--diff", good)
	row := "709" // a kill
	for _, theme := range []string{"light", "dark"} {
		for view, place := range map[string]string{
			"overview": "v=overview", "messages": "m=" + row, "sequence": "v=sequence&m=" + row, "timeline": "v=timeline&m=" + row,
			"findings": "v=findings", "statistics": "v=statistics", "world": "v=world&m=" + row,
			"other": "v=other", "compare": "v=compare",
		} {
			b := open(t, cmp.Or(urls[view], url)+"#"+place)
			b.read()
			js[string](b, `document.documentElement.dataset.theme = %s`, theme)
			js[bool](b, `dispatchEvent(new Event("theme"))`)
			time.Sleep(2 * time.Second) // wait until everything requested is drawn
			shot, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
			if err != nil {
				t.Fatal(err)
			}
			name := filepath.Join(dir, fmt.Sprintf("view-%s-%s.png", view, theme))
			if err := os.WriteFile(name, few(t, shot), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// few returns a picture reduced to its 256 most frequent colours.
func few(t *testing.T, shot []byte) []byte {
	t.Helper()
	full, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		t.Fatal(err)
	}
	to := image.NewPaletted(full.Bounds(), mostOf(full))
	draw.Draw(to, to.Bounds(), full, image.Point{}, draw.Src)
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestCompression}
	if err := e.Encode(&b, to); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// mostOf returns the 256 most frequent colours of a picture.
func mostOf(p image.Image) color.Palette {
	counts := map[color.Color]int{}
	for y := p.Bounds().Min.Y; y < p.Bounds().Max.Y; y++ {
		for x := p.Bounds().Min.X; x < p.Bounds().Max.X; x++ {
			counts[p.At(x, y)]++
		}
	}
	all := slices.SortedFunc(maps.Keys(counts), func(a, b color.Color) int { return counts[b] - counts[a] })
	return all[:min(len(all), 256)]
}
