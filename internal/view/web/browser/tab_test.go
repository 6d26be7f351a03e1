package browser

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/gamedissect/gamedissect/internal/view/web"
)

// patience is the maximum time that a page may need for one step.
const patience = 30 * time.Second

// A tab shows a page. Errors that the page reports make the test fail.
type tab struct {
	t     *testing.T
	ctx   context.Context
	heard chan struct{} // closed after the last event

	mu         sync.Mutex
	complaints []string
	expected   []string // parts of complaints that do not make the test fail
}

// open opens an address in a new tab with its own storage.
func open(t *testing.T, url string) *tab {
	t.Helper()
	b := blank(t)
	b.goTo(url)
	return b
}

// blank returns a tab without a page.
func blank(t *testing.T) *tab {
	t.Helper()
	needBrowser(t)
	ctx, end := chromedp.NewContext(browserCtx, chromedp.WithNewBrowserContext())
	b := &tab{t: t, ctx: ctx, heard: make(chan struct{})}
	t.Cleanup(func() {
		end()
		<-b.heard
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, c := range b.complaints {
			t.Error("the page complains: ", c)
		}
	})
	b.do(chromedp.EmulateViewport(1280, 800))
	go b.listen(chromedp.Console(ctx))
	return b
}

// listen handles the browser's events until the tab is closed.
func (b *tab) listen(messages iter.Seq2[chromedp.ConsoleMessage, error]) {
	defer close(b.heard)
	for m, err := range messages {
		if err != nil {
			return // the tab is closed
		}
		if m.Type == chromedp.ConsoleError || m.Type == chromedp.ConsoleWarning || m.Type == "assert" || m.IsException() {
			b.complain(m.String())
		}
	}
}

func (b *tab) complain(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, part := range b.expected {
		if strings.Contains(text, part) {
			return
		}
	}
	b.complaints = append(b.complaints, text)
}

// expect allows complaints that contain the given text.
func (b *tab) expect(part string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expected = append(b.expected, part)
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

func (b *tab) goTo(url string) {
	b.t.Helper()
	b.do(chromedp.Navigate(url))
}

// js returns the value of an expression. It awaits promises.
func js[T any](b *tab, expression string, args ...any) T {
	b.t.Helper()
	if len(args) > 0 {
		quoted := make([]any, len(args))
		for i, a := range args {
			text, err := json.Marshal(a)
			if err != nil {
				b.t.Fatal(err)
			}
			quoted[i] = string(text)
		}
		expression = fmt.Sprintf(expression, quoted...)
	}
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// until waits for an expression to be true.
func (b *tab) until(what, expression string, args ...any) {
	b.t.Helper()
	for end := time.Now().Add(patience); !js[bool](b, "Boolean("+expression+")", args...); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			b.t.Fatalf("%s: not within %v; the page says\n%.2000s", what, patience, js[string](b, "document.body.innerText"))
		}
	}
}

// read waits until the whole capture has been read. If the overview is shown, read also waits until the overview has
// been drawn for the last time.
func (b *tab) read() {
	b.t.Helper()
	b.until("a capture that is read", `document.querySelector(".reading.done") &&
		!document.querySelector(".view:not([hidden]) > .tiles[aria-busy=true]")`)
}

// text returns the text that an element shows, or "".
func (b *tab) text(selector string) string {
	b.t.Helper()
	return js[string](b, `document.querySelector(%s)?.innerText ?? ""`, selector)
}

// texts returns the texts that elements show.
func (b *tab) texts(selector string) []string {
	b.t.Helper()
	return js[[]string](b, `[...document.querySelectorAll(%s)].map((e) => e.innerText)`, selector)
}

// errDrawnAnew is the browser's error for an element that was replaced after it had been found.
var errDrawnAnew = errors.New("Could not find node") //nolint:staticcheck // in Chromium's words

// click clicks the middle of the first element that matches, as a mouse does.
func (b *tab) click(selector string) {
	b.t.Helper()
	b.until(selector, `document.querySelector(%s)`, selector)
	err := errDrawnAnew
	for range 5 {
		if err == nil || !strings.Contains(err.Error(), errDrawnAnew.Error()) {
			break
		}
		err = chromedp.Do(b.ctx, chromedp.Click(chromedp.CSS(selector)))
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// press presses keys. Package kb has the keys that have no letter.
func (b *tab) press(keys string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys))
}

// choose passes a file to the page's file input.
func (b *tab) choose(name string) {
	b.t.Helper()
	b.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{absolute(b.t, name)}, chromedp.NodeReady))
}

func absolute(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// program returns the path of gamedissect.
func program(t *testing.T) string {
	t.Helper()
	path, err := buildProgram()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// says returns the output of the program.
func says(t *testing.T, args ...string) string {
	t.Helper()
	c := exec.Command(program(t), args...)
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		t.Fatalf("gamedissect %v: %v\n%s", args, err, &errs)
	}
	return string(out)
}

// serve serves a capture with the program until the test ends, and returns the address.
func serve(t *testing.T, capture string, flags ...string) (url string) {
	t.Helper()
	needBrowser(t)
	c := exec.Command(program(t), append([]string{"view", capture, "--no-browser"}, flags...)...)
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Signal(os.Interrupt) // the program may already have exited
		if err := c.Wait(); err != nil {
			t.Errorf("gamedissect view: %v: %s", err, &errs)
		}
	})
	url, err = bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("gamedissect view: %v: %s", err, &errs)
	}
	return strings.TrimSpace(url)
}

// write writes a page with an engine to a file, and returns its address.
func write(t *testing.T, p *web.Page) (url string) {
	t.Helper()
	needBrowser(t)
	e, err := buildEngine()
	if err != nil {
		t.Fatal(err)
	}
	p.Engine = e
	name := filepath.Join(t.TempDir(), "page.html")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Write(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return "file://" + filepath.ToSlash(name)
}

// report writes a page that contains a capture, and returns its address.
func report(t *testing.T, capture string) (url string) {
	t.Helper()
	f, err := os.Open(capture)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return write(t, &web.Page{Title: "A report", Capture: &web.Capture{Name: filepath.Base(capture), Data: f}})
}
