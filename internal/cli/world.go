package cli

import (
	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/cli/world"
)

// newWorld makes the command that writes the worlds of a capture.
func newWorld(std term.Streams) *cobra.Command {
	var o world.Options
	c := &cobra.Command{
		Use:   "world -r FILE [-o DIR]",
		Short: "write the worlds that BZFlag clients got, as maps and pictures",
		Long: `world finds the world databases that clients of BZFlag 1.07 and 2.4 downloaded. Each one is
written once, as a map file (.bzw) that a server of today loads (bzfs -world), and as a picture
seen from above (.svg). Files are named by the server and by what is in them.`,
		Example: `  gamedissect world -r capture.pcap
  gamedissect world -r capture.pcap -o maps`,
		Args: o.Input.NoWords,
		RunE: func(*cobra.Command, []string) error { return o.Run(std) },
	}
	o.Input.Flags(c)
	o.Memory.Flags(c)
	c.Flags().StringVarP(&o.Dir, "output", "o", ".", "write to the folder `DIR`, which is made if need be")
	option.Must(c.MarkFlagDirname("output"))
	return c
}
