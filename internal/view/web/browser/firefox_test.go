package browser

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A firefox is a Firefox controlled over Marionette, a protocol that needs no separate driver. The messages are in
// JSON, and each follows its length.
type firefox struct {
	t    *testing.T
	conn net.Conn
	from *bufio.Reader
	sent int
}

// startFirefox starts the Firefox in PATH. If there is none, startFirefox skips the test. If GAMEDISSECT_FIREFOX is
// set, it fails the test instead.
func startFirefox(t *testing.T) *firefox {
	t.Helper()
	path, err := exec.LookPath("firefox-esr")
	if err != nil {
		path, err = exec.LookPath("firefox")
	}
	if err != nil {
		if os.Getenv("GAMEDISSECT_FIREFOX") != "" {
			t.Fatal(err)
		}
		t.Skip("there is no Firefox in PATH")
	}
	profile := t.TempDir()
	prefs := "user_pref(\"marionette.port\", 0);\nuser_pref(\"datareporting.policy.dataSubmissionEnabled\", false);\n"
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(prefs), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(path, "--headless", "--marionette", "--no-remote", "--profile", profile)
	c.Env = append(os.Environ(), "HOME="+profile)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill() // Firefox may already have exited
		_ = c.Wait()
	})
	f := &firefox{t: t}
	for end := time.Now().Add(patience); f.conn == nil; time.Sleep(50 * time.Millisecond) {
		port, _ := os.ReadFile(filepath.Join(profile, "MarionetteActivePort"))
		if f.conn, err = net.Dial("tcp", "127.0.0.1:"+string(port)); err != nil {
			f.conn = nil
		}
		if f.conn == nil && time.Now().After(end) {
			t.Fatal("Firefox does not listen: ", err)
		}
	}
	t.Cleanup(func() { f.conn.Close() })
	f.from = bufio.NewReader(f.conn)
	if _, err := f.message(); err != nil { // Firefox sends a greeting
		t.Fatal(err)
	}
	f.do("WebDriver:NewSession", map[string]any{"pageLoadStrategy": "normal"})
	return f
}

// message reads the next message.
func (f *firefox) message() ([]byte, error) {
	if err := f.conn.SetReadDeadline(time.Now().Add(2 * patience)); err != nil {
		return nil, err
	}
	size, err := f.from.ReadString(':')
	if err != nil {
		return nil, err
	}
	var n int
	if _, err := fmt.Sscanf(size, "%d:", &n); err != nil {
		return nil, err
	}
	b := make([]byte, n)
	_, err = io.ReadFull(f.from, b)
	return b, err
}

// do sends a command and returns the answer.
func (f *firefox) do(command string, what any) json.RawMessage {
	f.t.Helper()
	f.sent++
	text, err := json.Marshal([]any{0, f.sent, command, what})
	if err == nil {
		_, err = fmt.Fprintf(f.conn, "%d:%s", len(text), text)
	}
	var b []byte
	if err == nil {
		b, err = f.message()
	}
	var answer [4]json.RawMessage // 1, the number of the command, an error, a result
	if err == nil {
		err = json.Unmarshal(b, &answer)
	}
	if err == nil && string(answer[2]) != "null" {
		err = errors.New(string(answer[2]))
	}
	if err != nil {
		f.t.Fatalf("%s: %v", command, err)
	}
	return answer[3]
}

// text returns the value of an expression as text.
func (f *firefox) text(expression string) string {
	f.t.Helper()
	var of struct{ Value any }
	answer := f.do("WebDriver:ExecuteScript", map[string]any{"script": "return " + expression, "args": []any{}})
	if err := json.Unmarshal(answer, &of); err != nil {
		f.t.Fatal(err)
	}
	return fmt.Sprint(of.Value)
}

func (f *firefox) until(what, expression string) {
	f.t.Helper()
	for end := time.Now().Add(patience); f.text("Boolean("+expression+")") != "true"; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			f.t.Fatalf("%s: not within %v; the page says\n%.2000s", what, patience, f.text("document.body.innerText"))
		}
	}
}

// shownIn has two expressions for each view: one that is true once the view is shown, and one for the view's content.
var shownIn = []struct{ view, there, says string }{
	{"overview", `document.querySelector(".tiles[aria-busy=false]")`, `[...document.querySelectorAll(".tile")].map((e) => e.textContent).join("\n")`},
	{"messages", listed + `.length > 8`, listed + `.slice(0, 8).map((row) => row.textContent).join("\n")`},
	{"sequence", `document.querySelectorAll(".diagram .head").length > 3`, `[...document.querySelectorAll(".diagram .head")].map((e) => e.textContent).join("\n")`},
	{"timeline", `document.querySelector("#event-list .event")`, `document.querySelector(".event-list h2").textContent`},
	{"findings", `document.querySelector("details.rule")`, `document.querySelector(".rules").textContent`},
	{"statistics", `document.querySelector(".figure-legend td")`, `document.querySelector(".figure-legend").textContent`},
	{"world", `document.querySelectorAll(".players .who").length > 2`, `document.querySelector(".feed .room").textContent`},
}

// TestFirefox checks that each view has the same text in Firefox as in Chromium, in a served page and in a page with an
// engine.
func TestFirefox(t *testing.T) {
	f := startFirefox(t)
	for kind, url := range map[string]string{"served": serve(t, small), "report": report(t, small)} {
		b := open(t, url)
		b.read()
		f.do("WebDriver:Navigate", map[string]any{"url": url})
		f.until("a capture that is read", `document.querySelector(".reading.done")`)
		for _, view := range shownIn {
			hash := "#v=" + view.view
			if view.view == "messages" {
				hash += "&m=0"
			}
			f.text(`(location.hash = "` + hash + `")`)
			js[string](b, `location.hash = %s`, hash)
			f.until(view.view, view.there)
			b.until(kind+", "+view.view+": the words of Firefox", view.there+" && "+view.says+" === %s", f.text(view.says))
		}
		if said := f.text(`document.querySelector(".said.error")?.textContent ?? ""`); strings.TrimSpace(said) != "" {
			t.Errorf("%s: %s", kind, said)
		}
	}
}
