package help

import (
	"bytes"
	_ "embed"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/tally"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// manual has the sections of the manual page that cobra cannot make.
//
//go:embed manual.roff
var manual []byte

// WriteManual writes the manual page of a command.
func WriteManual(to io.Writer, c *cobra.Command) error {
	c.DisableAutoGenTag = true
	var b bytes.Buffer
	header := &doc.GenManHeader{Section: "1", Source: "gamedissect", Manual: "User Commands"}
	if err := doc.GenMan(c, header, &b); err != nil {
		return err
	}
	_, err := to.Write(withSections(b.Bytes(), c.HasParent()))
	return err
}

// withSections adds our sections to a manual page. The page of a subcommand gets only the sections that are valid for
// all commands.
func withSections(page []byte, subcommand bool) []byte {
	sections := slices.Concat(tablesSection(), manual)
	if subcommand {
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

func tablesSection() []byte {
	text := strings.ReplaceAll(tally.StatisticsHelp(option.Protocols(), term.ProseWidth(0)-manIndent), "-", `\-`)
	return []byte(".SH TABLES\n.nf\n" + text + ".fi\n")
}

const manIndent = 7

func sectionOf(title string) []byte {
	_, section, _ := bytes.Cut(manual, []byte(".SH "+title+"\n"))
	section, _, _ = bytes.Cut(section, []byte(".SH "))
	return append([]byte(".SH "+title+"\n"), section...)
}
