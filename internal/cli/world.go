package cli

import (
	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/internal/cli/extract"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

func newWorld(std term.Streams) *cobra.Command {
	var o extract.WorldOptions
	c := &cobra.Command{
		Use:   "world -r FILE [-o DIR]",
		Short: "write the worlds that BZFlag clients downloaded",
		Long: `world finds the world databases that clients of BZFlag 1.07 and 2.4 downloaded. It writes each one
once: as a map file (.bzw) that current servers load (bzfs -world), and as a picture seen from
above (.svg). The name of a file is the server's address and a hash of the map.`,
		Example: `  gamedissect world -r capture.pcap
  gamedissect world -r capture.pcap -o maps`,
		Args: o.Input.OptionsOnly,
		RunE: func(*cobra.Command, []string) error { return o.Run(std) },
	}
	o.Input.Flags(c)
	o.Memory.Flags(c)
	c.Flags().StringVarP(&o.Dir, "output", "o", ".", "write to the folder `DIR`, which is created if it does "+
		"not exist")
	option.Must(c.MarkFlagDirname("output"))
	return c
}
