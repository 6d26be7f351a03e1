package serve

import (
	"fmt"
	"os"

	"github.com/gamedissect/gamedissect/internal/view"
	"github.com/gamedissect/gamedissect/internal/view/web"
)

// NotesUsage is the help of --notes.
const NotesUsage = "show the notes in `FILE`, a JSON export from the page of the same capture"

func readNotes(name string) ([]view.Note, error) {
	if name == "" {
		return nil, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	notes, err := web.ReadNotes(file)
	if err != nil {
		return nil, fmt.Errorf("--notes %s: %w", name, err)
	}
	return notes, nil
}
