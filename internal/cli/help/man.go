package help

import (
	"bytes"
	_ "embed"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/internal/cli/known"
	"github.com/gamedissect/gamedissect/internal/cli/tally"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// Manual has the sections of the manual page that are about no single option.
//
//go:embed manual.roff
var Manual []byte

// WithSections adds the sections of the manual to a page: that of a command within the program has what holds for all
// of them.
func WithSections(page []byte, within bool) []byte {
	sections := slices.Concat(tablesSection(), Manual)
	if within {
		sections = nil
		for _, title := range []string{"EXIT STATUS", "SIGNALS", "ENVIRONMENT"} {
			sections = append(sections, sectionOf(title)...)
		}
	}
	at := bytes.Index(page, []byte("\n.SH EXAMPLE\n"))
	if at < 0 {
		at = bytes.Index(page, []byte("\n.SH SEE ALSO\n"))
	}
	return bytes.Join([][]byte{page[:at+1], sections, page[at+1:]}, nil)
}

// tablesSection is what -z help tells.
func tablesSection() []byte {
	text := strings.ReplaceAll(tally.StatisticsHelp(known.Protocols(), term.ProseWidth(0)-manIndent), "-", `\-`)
	return []byte(".SH TABLES\n.nf\n" + text + ".fi\n")
}

const manIndent = 7

// sectionOf gives a section of the manual.
func sectionOf(title string) []byte {
	_, section, _ := bytes.Cut(Manual, []byte(".SH "+title+"\n"))
	section, _, _ = bytes.Cut(section, []byte(".SH "))
	return append([]byte(".SH "+title+"\n"), section...)
}
