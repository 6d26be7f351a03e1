package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/internal/view"
)

// mostNotes is the maximum size of a file of notes in bytes.
const mostNotes = 4 << 20

// ReadNotes reads notes in the form in which the page exports them: a JSON list.
func ReadNotes(r io.Reader) ([]view.Note, error) {
	b, err := io.ReadAll(io.LimitReader(r, mostNotes+1))
	if err != nil {
		return nil, err
	}
	if len(b) > mostNotes {
		return nil, fmt.Errorf("more than %d MB of notes", mostNotes>>20)
	}
	var notes []view.Note
	if err := json.Unmarshal(b, &notes); err != nil {
		why := strings.TrimPrefix(err.Error(), "json: ")
		return nil, errors.New("this is not a list of notes as the page exports it: " + why)
	}
	return notes, CheckNotes(notes)
}

// CheckNotes returns an error about the first note that the page cannot have written.
func CheckNotes(notes []view.Note) error {
	for i, n := range notes {
		if n.Row < 0 || strings.TrimSpace(n.Text) == "" || !utf8.ValidString(n.Text) {
			return fmt.Errorf("note %d has no row or no text", i+1)
		}
	}
	return nil
}
