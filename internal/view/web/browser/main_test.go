package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/gamedissect/gamedissect/internal/view/web"
	"github.com/gamedissect/gamedissect/internal/view/web/engine"
)

// root is the project's root, relative to this folder.
var root = filepath.Join("..", "..", "..", "..")

// captures is the folder with the captures of real programs.
var captures = filepath.Join(root, "testdata", "pcap")

// place is a temporary folder shared by all tests.
var place string

func TestMain(m *testing.M) {
	var err error
	if place, err = os.MkdirTemp("", "gamedissect-browser-"); err != nil {
		panic(err)
	}
	code := m.Run()
	endBrowser()
	_ = os.RemoveAll(place) // a folder that remains only takes up space
	os.Exit(code)
}

// names are the names that Chromium's command may have.
var names = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}

// findBrowser returns the path of a Chromium command.
func findBrowser() (string, error) {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("there is no Chromium in PATH")
}

// All tests share this browser.
var (
	browserCtx context.Context
	endBrowser = func() {}
)

// startBrowser starts the browser.
var startBrowser = sync.OnceValue(func() error {
	path, err := findBrowser()
	if err != nil {
		return err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.DisableGPU, chromedp.WindowSize(1280, 800),
		chromedp.Flag("no-sandbox", os.Getuid() == 0), // Chromium has no sandbox for root
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		// Chromium must not resolve names, so that it connects only to this machine.
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"))
	allocator, endAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(allocator)
	browserCtx = ctx
	endBrowser = func() { end(); endAllocator() }
	return chromedp.Do(ctx)
})

// needBrowser starts the browser, once for all tests.
func needBrowser(t *testing.T) {
	t.Helper()
	if err := startBrowser(); err != nil {
		t.Fatal("Chromium does not start: ", err)
	}
}

// buildProgram builds gamedissect, once for all tests.
var buildProgram = sync.OnceValues(func() (string, error) {
	path := filepath.Join(place, "gamedissect.exe")
	c := exec.Command("go", "build", "-buildvcs=false", "-o", path, "./cmd/gamedissect")
	c.Dir = root
	if said, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, said)
	}
	return path, nil
})

// buildEngine builds the engine for browsers, once for all tests.
var buildEngine = sync.OnceValues(func() (*web.Engine, error) {
	dir, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	f, err := engine.InCache(context.Background(), engine.Source{Dir: dir}, func() {})
	if err != nil {
		return nil, err
	}
	return &web.Engine{Wasm: f.Wasm, Exec: f.Exec}, nil
})
