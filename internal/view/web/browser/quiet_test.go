package browser

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/internal/view"
	"github.com/gamedissect/gamedissect/internal/view/web"
)

// An ear is a server that counts its connections.
type ear struct {
	port  int
	heard atomic.Int64
}

func listen(t *testing.T) *ear {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	e := &ear{port: l.Addr().(*net.TCPAddr).Port}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			e.heard.Add(1)
			c.Close()
		}
	}()
	return e
}

// hostileCapture returns a capture of a game in which a player's name is an HTML element for which a page would make a
// request, and a chat message is a script that would run.
func (e *ear) hostileCapture(t *testing.T) (path, name, chat string) {
	t.Helper()
	data, err := os.ReadFile(small)
	if err != nil {
		t.Fatal(err)
	}
	fill := func(text string, size int) []byte {
		if len(text) > size {
			t.Fatalf("%q is longer than %d bytes", text, size)
		}
		return append([]byte(text), make([]byte, size-len(text))...)
	}
	name = fmt.Sprintf("<img src=//127.0.0.1:%d/>", e.port)
	chat = fmt.Sprintf("<svg onload=import('//127.0.0.1:%d/')>", e.port)
	before := "Variable Modification Notice by root of set _noSmallPackets 1"
	changed := bytes.ReplaceAll(data, fill("erin", 32), fill(name, 32))
	changed = bytes.ReplaceAll(changed, []byte(before), fill(chat, len(before)))
	if bytes.Equal(changed, data) {
		t.Fatal("nothing was replaced")
	}
	path = filepath.Join(t.TempDir(), "game.pcap")
	if err := os.WriteFile(path, changed, 0o666); err != nil {
		t.Fatal(err)
	}
	if printed := says(t, "-r", path, "-T", "line"); !strings.Contains(printed, name) || !strings.Contains(printed, chat) {
		t.Fatalf("the program does not print %q and %q", name, chat)
	}
	return path, name, chat
}

// hostileFile is the capture's name in the page.
const hostileFile = "<img src=x onerror=alert(1)>.pcap"

// whole visits all parts of a page.
func (b *tab) whole(t *testing.T) {
	t.Helper()
	b.read()
	for i := range 9 {
		b.press(fmt.Sprint(i + 1))
		time.Sleep(300 * time.Millisecond) // wait for possible requests
	}
	b.press("2")
	b.click(".list .window .row")
	b.until("the fields", `document.querySelector(".detail [role=treeitem]")`)
	time.Sleep(300 * time.Millisecond)
}

// TestNothingLeaves shows a hostile capture. The page must not connect to any server, and must show names as text.
func TestNothingLeaves(t *testing.T) {
	needBrowser(t)
	e := listen(t)
	path, name, chat := e.hostileCapture(t)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	note := view.Note{Row: 1, Text: fmt.Sprintf("<img src=http://127.0.0.1:%d/note>", e.port)}
	for kind, url := range map[string]string{
		"report": write(t, &web.Page{Title: "</title><img src=x>", Capture: &web.Capture{Name: hostileFile, Data: bytes.NewReader(data)},
			Setup: web.Setup{Notes: []view.Note{note}}}),
		"empty":  write(t, &web.Page{Title: "gamedissect"}),
		"served": serve(t, path),
	} {
		t.Run(kind, func(t *testing.T) {
			b := open(t, url)
			if kind == "empty" {
				b.choose(path)
			}
			b.whole(t)
			b.press("/")
			b.setFilter("bzflag24.add_player || bzflag24.message")
			b.until("the hostile name", listed+`.some((row) => row.querySelector(".summary").textContent.includes(%s))`, name)
			b.until("the hostile chat", listed+`.some((row) => row.querySelector(".summary").textContent.includes(%s))`, chat)
			if n := js[int](b, `document.querySelectorAll("img, iframe, object, embed, svg[onload]").length`); n > 0 {
				t.Errorf("%d elements came from the capture", n)
			}
			if n := e.heard.Load(); n > 0 {
				t.Errorf("%d connections were heard", n)
			}
		})
	}
}

// TestTheEarHears proves that TestNothingLeaves can fail. A manipulated page connects to the ear if the page's policy
// is removed, and cannot connect if it is not.
func TestTheEarHears(t *testing.T) {
	e := listen(t)
	page := func(change func(string) string) string {
		url := report(t, small)
		name := strings.TrimPrefix(url, "file://")
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		changed := change(string(data))
		if changed == string(data) {
			t.Fatal("the page does not contain the text to change")
		}
		if err := os.WriteFile(name, []byte(changed), 0o666); err != nil {
			t.Fatal(err)
		}
		return url
	}
	const first = `async function start() {`
	planted := fmt.Sprintf("%s fetch('http://127.0.0.1:%d/').catch(() => 0); new Image().src = 'http://127.0.0.1:%d/i'; "+
		"navigator.sendBeacon('http://127.0.0.1:%d/b');", first, e.port, e.port, e.port)
	plant := func(s string) string { return strings.Replace(s, first, planted, 1) }

	b := blank(t)
	b.expect("Content Security Policy") // the policy blocks each attempt and reports it
	b.expect("violates the following")
	b.goTo(page(plant))
	b.read()
	time.Sleep(time.Second)
	if n := e.heard.Load(); n > 0 {
		t.Errorf("with the policy, %d connections were heard", n)
	}
	b = blank(t)
	b.expect("127.0.0.1") // the console reports a failed fetch
	b.expect("net::ERR")
	b.expect("CORS")
	policy := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`)
	b.goTo(page(func(s string) string { return policy.ReplaceAllString(plant(s), "") }))
	b.read()
	for end := time.Now().Add(patience); e.heard.Load() == 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("without the policy, nothing was heard")
		}
	}
}
