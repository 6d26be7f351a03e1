package expect_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/expect"
)

// TestBrokenFiles checks the error, with its position, for each invalid file.
func TestBrokenFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/broken/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 20 {
		t.Errorf("only %d files", len(files))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, err = expect.Load(filepath.Base(file), text, schema)
		bad, ok := errors.AsType[*expect.Error](err)
		if !ok {
			t.Errorf("%s: error %v, want an *expect.Error", file, err)
			continue
		}
		got := bad.Error() + "\n" + bad.Excerpt() + "\n"
		wiretest.Golden(t, strings.TrimSuffix(file, ".yaml")+".golden", []byte(got))
	}
}

func FuzzLoad(f *testing.F) {
	files, err := filepath.Glob(filepath.Join(testdata, "expect/*.yaml"))
	if err != nil {
		f.Fatal(err)
	}
	broken, err := filepath.Glob("testdata/broken/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range append(files, broken...) {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	var tp recording
	read(f, "tribes-x-control.pcap", &tp)
	tp.all = tp.all[:5]
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := expect.Load("x.yaml", text, schema)
		if err != nil {
			bad, ok := errors.AsType[*expect.Error](err)
			if !ok {
				t.Fatalf("error %#v", err)
			}
			_, _ = bad.Error(), bad.Excerpt()
			return
		}
		play(list, tp.all)
	})
}
