package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// manual has the sections of the manual page that are about no single option.
//
//go:embed manual.roff
var manual []byte

// newMan makes the command that prints the manual page.
func newMan(std streams) *cobra.Command {
	return &cobra.Command{
		Use:   "man [COMMAND]",
		Short: "print the manual page",
		Example: "  gamedissect man | man -l -\n  gamedissect man check | man -l -\n" +
			"  gamedissect man > /usr/local/share/man/man1/gamedissect.1",
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			page, rest, err := c.Root().Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return fmt.Errorf("no manual page of a command %q", rest[0])
			}
			page.DisableAutoGenTag = true
			var b bytes.Buffer
			header := &doc.GenManHeader{Section: "1", Source: "gamedissect", Manual: "User Commands"}
			if err := doc.GenMan(page, header, &b); err != nil {
				return err
			}
			_, err = std.out.Write(withSections(b.Bytes(), page.HasParent()))
			return err
		},
	}
}

// withSections adds the sections of the manual to a page: that of a command within the program has what holds for all
// of them.
func withSections(page []byte, within bool) []byte {
	sections := slices.Concat(tablesSection(), manual)
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
	text := strings.ReplaceAll(statisticsHelp(proseWidth(0)-manIndent), "-", `\-`)
	return []byte(".SH TABLES\n.nf\n" + text + ".fi\n")
}

const manIndent = 7 // of texts, as man(1) has it

// sectionOf gives a section of the manual.
func sectionOf(title string) []byte {
	_, section, _ := bytes.Cut(manual, []byte(".SH "+title+"\n"))
	section, _, _ = bytes.Cut(section, []byte(".SH "))
	return append([]byte(".SH "+title+"\n"), section...)
}
