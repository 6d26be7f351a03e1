package browser

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestCompare drops a good capture on a served page and on a page with an engine, and also passes one to the program.
// The differences must equal the output of gamedissect diff, and each difference must link to messages.
func TestCompare(t *testing.T) {
	good, now := filepath.Join(captures, "bz17-c-scorelimit.pcap"), filepath.Join(captures, "bz17-c-violations.pcap")
	var want struct {
		Verdict     string
		Differences []struct{ What string }
	}
	out, _ := exec.Command(program(t), "diff", good, now, "-T", "json").Output() // the exit status is 1
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	for name, way := range map[string]func(*testing.T) *tab{
		"named": func(t *testing.T) *tab { return open(t, serve(t, now, "--diff", good)+"#v=compare") },
		"dropped on the served page": func(t *testing.T) *tab {
			b := open(t, serve(t, now))
			b.read()
			b.compareWith(good)
			return b
		},
		"dropped on a report": func(t *testing.T) *tab {
			b := open(t, report(t, now))
			b.read()
			b.compareWith(good)
			return b
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := way(t)
			b.until("the verdict", `document.querySelector(".verdict .is")?.textContent === %s`, want.Verdict)
			got := js[[]string](b, `[...document.querySelectorAll(".differences .way")].map((e) => e.textContent)`)
			for i, d := range want.Differences {
				if i >= len(got) || got[i] != d.What {
					t.Fatalf("the page has %q, diff says %q", got[min(i, len(got)-1):], d.What)
				}
			}
			const rows = `[...document.querySelectorAll(".side[aria-label=%s] .window .row:not(.waiting)")].filter((e) => e.getClientRects().length > 0)`
			in := func(side string) string { return strings.Replace(rows, "%s", side, 1) }
			b.until("the messages of the first", in("now")+`.length === 3 && document.querySelector(".side[aria-label=now] .detail h2")`)
			b.click(".differences .parting")
			b.until("the conversations that part", in("now")+`.length > 1 && `+in("good")+`.length > 1`)
			b.until("the first message of each", `document.querySelectorAll(".side .detail h2").length === 2`)
			b.click(".side[aria-label=now] header button:last-of-type")
			b.until("the messages view", `document.querySelector("#view-messages")?.hidden === false && document.querySelector(".body > .detail h2")`)
		})
	}
}

// compareWith drops a good capture on the page. It retries because a busy browser may ignore a dropped file.
func (b *tab) compareWith(good string) {
	b.t.Helper()
	for range 5 {
		b.letGo(good)
		for range 50 {
			if js[bool](b, `document.querySelector("#view-compare:not([hidden])") !== null`) {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
}

// TestOther compares the packets that belong to no game: their kinds with -z other, the packets with -Y other.
func TestOther(t *testing.T) {
	capture := filepath.Join(captures, "iceball-http.pcap")
	b := at(t, capture, "other")
	want := strings.Count(says(t, "-r", capture, "-T", "line", "-Y", "other"), "\n")
	b.until("the packets", `document.querySelectorAll(".packets tbody tr:not([aria-hidden])").length === %s`, want)
	b.until("their kind", `document.querySelector(".kinds tbody tr:nth-child(2)").innerText.replace(/\s+/g, " ").startsWith("TCP IPv4 27790 9 635 379")`)
	b.click(".kinds .chosen")
	b.until("those of the kind", `document.querySelector(".which h2").textContent === "9 packets: TCP 27790"`)
}

// TestExportAnonymized checks that an export of a capture with a password replaces the password and all names unless
// the user chooses otherwise.
func TestExportAnonymized(t *testing.T) {
	capture := filepath.Join(captures, "bz24-admin.pcap")
	for name, url := range map[string]string{"served": serve(t, capture), "report": report(t, capture)} {
		t.Run(name, func(t *testing.T) {
			b := open(t, url)
			b.read()
			file := filepath.Join(t.TempDir(), "a.pcapng")
			exported(b, "All packets as pcapng")
			data, err := base64.StdEncoding.DecodeString(
				js[string](b, `globalThis.written.bytes().then((bytes) => btoa(String.fromCharCode(...bytes)))`))
			if err := errors.Join(err, os.WriteFile(file, data, 0o600)); err != nil {
				t.Fatal(err)
			}
			got := says(t, "-r", file, "-T", "line")
			if strings.Contains(got, "sesame") || strings.Contains(got, `"ann"`) || !strings.Contains(got, "/password ") {
				t.Errorf("the packets are not anonymized:\n%.2000s", got)
			}
			page := exported(b, "A page for others (HTML)")
			if err := os.WriteFile(file+".html", []byte(page), 0o600); err != nil {
				t.Fatal(err)
			}
			p := open(t, "file://"+filepath.ToSlash(file)+".html")
			p.read()
			if title := js[string](p, "document.title"); title != "anonymized.pcapng – gamedissect" {
				t.Errorf("the page is called %q", title)
			}
			b.click(".top .tools button[aria-haspopup=menu]")
			b.click("[role=menuitemcheckbox][aria-checked=true]")
			b.until("that rows are offered again", `[...document.querySelectorAll("[role=menuitem]")].some((e) => e.innerText === "All rows as CSV")`)
		})
	}
}
