package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReportKeepsNotes writes a page over its notes, which may be nowhere else.
func TestReportKeepsNotes(t *testing.T) {
	const notes = `[{"row": 1, "text": "here it lags"}]`
	name := filepath.Join(t.TempDir(), "notes.json")
	if err := os.WriteFile(name, []byte(notes), 0o666); err != nil {
		t.Fatal(err)
	}
	capture := filepath.Join("..", "..", "testdata", "pcap", "tribes-list-40.pcap")
	var out, errs bytes.Buffer
	args := []string{"report", "-r", capture, "--notes", name, "-o", name}
	if code := execute(args, streams{strings.NewReader(""), &out, &errs}); code == 0 ||
		!strings.Contains(errs.String(), "is the same file as the input") {
		t.Errorf("exit code %d: %s", code, &errs)
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != notes {
		t.Errorf("the notes are now %.60q, %v", got, err)
	}
}
