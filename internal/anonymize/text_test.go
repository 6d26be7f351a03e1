package anonymize

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/decode/wire"
)

func mapped(t *texts, s string) string {
	b := []byte(s)
	t.text(b)
	return string(b)
}

func TestTextsMapOneToOne(t *testing.T) {
	m := newTexts(secret("k"))
	from := make(map[string]string)
	for i := range 26 * 26 * 26 {
		s := string([]byte{'a' + byte(i/676), 'a' + byte(i/26%26), 'a' + byte(i%26)})
		got := mapped(m, s)
		if other, ok := from[got]; ok {
			t.Fatalf("%q and %q become %q", s, other, got)
		}
		from[got] = s
	}
}

func TestTextsKeepTheirClasses(t *testing.T) {
	m, other := newTexts(secret("k")), newTexts(secret("l"))
	for _, s := range []string{"Jane Doe", "player-1 [ABC]", "jörg müller", "игрок один", "日本語のなまえ", "smile 😀😁", "a@b.example:80/x\\\"", "tab\there"} {
		got := mapped(m, s)
		if got == s || len(got) != len(s) || !utf8.ValidString(got) || got != mapped(newTexts(secret("k")), s) || got == mapped(other, s) {
			t.Errorf("%q becomes %q", s, got)
		}
		a, b := []rune(s), []rune(got)
		for i := range a {
			if a[i] < 128 && (unicode.IsUpper(a[i]) != unicode.IsUpper(b[i]) || unicode.IsDigit(a[i]) != unicode.IsDigit(b[i]) ||
				strings.ContainsRune("./:@\"\\ \t", a[i]) && a[i] != b[i]) {
				t.Errorf("%q of %q becomes %q", a[i], s, b[i])
			}
		}
	}
	latin := mapped(m, "J\xf6rg")
	if utf8.ValidString(latin) || latin[0] == 'J' && latin[2:] == "rg" {
		t.Errorf("Latin-1 becomes %q", latin)
	}
}

func TestBytesKeepZeros(t *testing.T) {
	m := newTexts(secret("k"))
	b := append(bytes.Repeat([]byte{0, 7, 0xff, 1}, 16), 0)
	got := bytes.Clone(b)
	m.bytes(got)
	for i := range b {
		if (b[i] == 0) != (got[i] == 0) {
			t.Fatalf("byte %d: %d becomes %d", i, b[i], got[i])
		}
	}
	if bytes.Contains(got, b[:8]) {
		t.Error("bytes are unchanged")
	}
}

func TestDocuments(t *testing.T) {
	a := New(Options{Key: []byte("k")})
	privacy := func(key string) wire.Privacy {
		if key == "map" {
			return wire.Public
		}
		return wire.PrivateName
	}
	name := "J\u00f6rg \"x\" / \U0001f600"
	for address := range 300 {
		text := fmt.Sprintf("%d.%d.%d.9", 1+address%223, address*7%256, address%3)
		doc := map[string]any{"servers": []any{map[string]any{"address": text, "name": name, "map": "a.vxl", "port": 5, "x": 1}}}
		raw, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		spaced := bytes.ReplaceAll(bytes.ReplaceAll(raw, []byte(`":`), []byte(`": `)), []byte(`,"`), []byte(`, "`))
		for _, body := range [][]byte{raw, spaced, raw[:len(raw)-20]} {
			got := a.document(body, privacy)
			if len(got) != len(body) || bytes.Contains(got, []byte(text)) && len(text) > 8 {
				t.Fatalf("%s becomes %s", body, got)
			}
		}
		var back struct {
			Servers []struct{ Address, Name, Map string }
		}
		if err := json.Unmarshal(a.document(spaced, privacy), &back); err != nil {
			t.Fatal(err)
		}
		s := back.Servers[0]
		if s.Name != mapped(a.texts, name) || s.Map != "a.vxl" || len(s.Address) < 7 {
			t.Fatalf("%s becomes %+v", spaced, s)
		}
	}
}
